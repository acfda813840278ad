"""Diagnostics of all documents of the open folders: pulled whole, or in parts and held until something changes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from server.client import LspClient, Message, ResponseError, changed, edit
from server.documents import SOUND, WITHOUT_STATUS
from server.test_across_files import LOG, STATUS
from server.test_diagnostics import PULL

WATCHING: dict[str, Any] = {
    **PULL,
    "workspace": {**PULL["workspace"], "didChangeWatchedFiles": {"dynamicRegistration": True}},
}


def filled(folder: Path) -> Path:
    """A workspace: a clean handoff, one with findings, an ordinary document."""
    (folder / ".git").mkdir()
    for name, text in (("clean", SOUND), ("broken", WITHOUT_STATUS), ("readme", "# Read me\n\n## Status\nsome\n")):
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace."""
    return filled(tmp_path)


def client_in(folder: Path, capabilities: Message = PULL, **params: Any) -> LspClient:
    """A client that has a folder open."""
    return LspClient(capabilities, workspaceFolders=[{"uri": folder.as_uri(), "name": "here"}], **params)


class Puller:
    """The workspace pulls of a client, as VS Code sends them: with the ids of earlier results."""

    def __init__(self, client: LspClient, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self.known: dict[str, str] = {}

    def params(self, **more: Any) -> Message:
        """The parameters of a request."""
        known = [{"uri": uri, "value": value} for uri, value in self.known.items()]
        return {"identifier": "handoff-lsp", "previousResultIds": known, **more}

    def pull(self, **more: Any) -> dict[str, Any]:
        """Pull, and take the answer: by file the rules that are broken, or `unchanged`."""
        items = self.client.request("workspace/diagnostic", self.params(**more))["items"]
        return self.take(items)

    def hold(self, **more: Any) -> int:
        """Pull in parts without waiting for the answer. The id of the request."""
        number, data = self.client.prepare("workspace/diagnostic", self.params(partialResultToken="parts", **more))
        self.client.write(data)
        return number

    def done(self, number: int) -> dict[str, Any]:
        """All parts of an answer."""
        assert self.client.answer(number) == {"items": []}
        found: dict[str, Any] = {}
        for message in self.client.take_unread():
            assert message["method"] == "$/progress"
            assert message["params"]["token"] == "parts"
            found |= self.take(message["params"]["value"]["items"])
        return found

    def take(self, items: list[Message]) -> dict[str, Any]:
        """Remember the result ids, as a client does."""
        found: dict[str, Any] = {}
        for item in items:
            assert "version" in item, "null, where the document is not open"
            name = item["uri"].removeprefix(self.folder.as_uri() + "/")
            found[name] = "unchanged" if item["kind"] == "unchanged" else [each["code"] for each in item["items"]]
            self.known.pop(item["uri"], None)
            if "resultId" in item:
                self.known[item["uri"]] = item["resultId"]
        return found


@pytest.fixture
def puller(folder: Path) -> Iterator[Puller]:
    """A client that pulls."""
    with client_in(folder) as client:
        yield Puller(client, folder)


def test_whole_with_files_that_are_not_open(puller: Puller) -> None:
    first = puller.pull()
    # A clean document is reported; one without a handoff is left out.
    assert first == {"broken.md": ["missing-status"], "clean.md": []}
    assert puller.pull() == {"broken.md": "unchanged", "clean.md": "unchanged"}
    # The disk is read again: nothing watches it for this client.
    (puller.folder / "broken.md").write_text(SOUND, encoding="utf-8")
    (puller.folder / "new.md").write_text(WITHOUT_STATUS, encoding="utf-8")
    assert puller.pull() == {"broken.md": [], "clean.md": "unchanged", "new.md": ["missing-status"]}
    # A file that is gone, or holds no handoff any more, is reported once.
    (puller.folder / "broken.md").unlink()
    (puller.folder / "new.md").write_text("# Nothing\n", encoding="utf-8")
    assert puller.pull() == {"clean.md": "unchanged", "broken.md": [], "new.md": []}
    assert puller.pull() == {"clean.md": "unchanged"}


def test_open_buffers_go_over_the_disk_and_share_ids_with_the_document_pull(puller: Puller) -> None:
    uri = (puller.folder / "clean.md").as_uri()
    puller.pull()
    before = puller.known[uri]
    assert puller.client.pull(before, uri) == {"kind": "unchanged", "resultId": before}
    puller.client.open(SOUND, uri, version=4)
    assert puller.pull()["clean.md"] == "unchanged"
    puller.client.change(5, {"text": WITHOUT_STATUS}, uri=uri)
    report = puller.client.pull(before, uri)
    assert [item["code"] for item in report["items"]] == ["missing-status"]
    assert puller.pull()["clean.md"] == ["missing-status"]
    assert puller.known[uri] == report["resultId"]
    # Closed without having been saved: the disk counts again, for the document pull, too.
    puller.client.close(uri)
    assert puller.client.pull(report["resultId"], uri)["items"] == []
    assert puller.pull()["clean.md"] == []
    assert puller.known[uri] == before


def test_config_decides_what_is_reported(puller: Puller) -> None:
    puller.pull()
    config = puller.folder / ".handoff-lsp.toml"
    config.write_text('exclude = ["broken.md"]\n', encoding="utf-8")
    assert puller.pull() == {"clean.md": "unchanged", "broken.md": []}
    config.write_text("[editor]\nworkspace-diagnostics = false\n", encoding="utf-8")
    assert puller.pull() == {"clean.md": []}
    config.write_text('[rules]\nmissing-status = "off"\n', encoding="utf-8")
    assert puller.pull() == {"broken.md": [], "clean.md": []}
    # A config that cannot be read is reported in its own file.
    config.write_text("[rules\n", encoding="utf-8")
    assert puller.pull()[".handoff-lsp.toml"] == ["invalid-config"]
    config.write_text("", encoding="utf-8")
    assert puller.pull() == {"broken.md": ["missing-status"], "clean.md": "unchanged", ".handoff-lsp.toml": []}


def test_parts_then_held_until_something_changes(folder: Path) -> None:
    with client_in(folder, WATCHING) as client:
        client.expect("client/registerCapability")
        puller = Puller(client, folder)
        number = puller.hold()
        assert puller.done(number) == {"broken.md": ["missing-status"], "clean.md": []}
        held = puller.hold()
        client.quiet()
        # An edit, of a document that is opened for it.
        uri = (folder / "clean.md").as_uri()
        client.open(SOUND, uri)
        client.quiet(0.8)  # opened as it is on disk: nothing is new
        client.change(2, {"text": WITHOUT_STATUS}, uri=uri)
        assert puller.done(held) == {"clean.md": ["missing-status"]}
        # A file on disk, which the client reports.
        held = puller.hold()
        (folder / "broken.md").unlink()
        changes = [{"uri": (folder / "broken.md").as_uri(), "type": 3}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        assert puller.done(held) == {"broken.md": []}
        # Closing restores the file's own text; and a request that still waits at the end gets an answer.
        held = puller.hold()
        client.close(uri)
        assert puller.done(held) == {"clean.md": []}
        last = puller.hold()
        client.quiet()
        assert client.request("shutdown", None) is None
        with pytest.raises(ResponseError) as ended:
            client.answer(last)
        assert ended.value.code == -32800
        client.notify("exit", None)
        client.process.wait(10)
        client.request = lambda *_: None  # type: ignore[method-assign]
        client.notify = lambda *_: None  # type: ignore[method-assign]


def test_a_document_that_is_closed_and_gone_is_reported_to_a_client_that_forgets_it(folder: Path) -> None:
    """VS Code still shows the diagnostics of a renamed document, and no longer asks about its old name."""
    with client_in(folder, WATCHING) as client:
        client.expect("client/registerCapability")
        puller = Puller(client, folder)
        assert "broken.md" in puller.done(puller.hold())
        for way in ("renamed", "outside"):
            path = folder / "broken.md" if way == "renamed" else folder.parent / "elsewhere.md"
            path.write_text(WITHOUT_STATUS, encoding="utf-8")
            client.open(WITHOUT_STATUS, path.as_uri())
            assert client.pull(None, path.as_uri())["items"]
            if way == "renamed":
                path.unlink()
            client.close(path.as_uri())
            puller.known.pop(path.as_uri(), None)
            told = puller.done(puller.hold())
            assert told == {"broken.md" if way == "renamed" else path.as_uri(): []}
            held = puller.hold()
            client.quiet(0.8)  # once is enough
            client.open(WITHOUT_STATUS, (folder / "other.md").as_uri())
            assert puller.done(held) == {"other.md": ["missing-status"]}
            client.close((folder / "other.md").as_uri())
            assert puller.done(puller.hold()) == {"other.md": []}


def test_the_first_request_is_answered_though_there_is_nothing(tmp_path: Path) -> None:
    with client_in(tmp_path) as client:
        puller = Puller(client, tmp_path)
        assert client.answer(puller.hold()) == {"items": []}
        held = puller.hold()
        client.quiet()
        client.notify("$/cancelRequest", {"id": held})
        with pytest.raises(ResponseError):
            client.answer(held)


def test_an_edit_is_seen_in_a_file_that_is_not_open(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    agent = tmp_path / ".agent"
    agent.mkdir()
    (agent / "status.json").write_text(STATUS, encoding="utf-8")
    log = agent / "activity.log"
    log.write_text(LOG.replace("completed", "running"), encoding="utf-8")
    with client_in(tmp_path, WATCHING) as client:
        client.expect("client/registerCapability")
        puller = Puller(client, tmp_path)
        assert puller.done(puller.hold()) == {".agent/activity.log": [], ".agent/status.json": []}
        held = puller.hold()
        client.open(LOG.replace("completed", "running"), log.as_uri())
        client.change(2, edit((1, 30), (1, 37), "completed"), uri=log.as_uri())
        assert puller.done(held)[".agent/status.json"] == ["file-disagreement"]


def test_a_client_that_cannot_wait_is_asked_to_pull_again(folder: Path) -> None:
    with client_in(folder, WATCHING) as client:
        client.expect("client/registerCapability")
        puller = Puller(client, folder)
        puller.pull()
        (folder / "broken.md").write_text(SOUND, encoding="utf-8")
        event = {"changes": [{"uri": (folder / "broken.md").as_uri(), "type": 2}]}
        for _ in range(3):  # asked once, whatever happens before the client pulls
            client.notify("workspace/didChangeWatchedFiles", event)
        assert client.expect("workspace/diagnostic/refresh") is None
        client.quiet()
        assert puller.pull() == {"broken.md": [], "clean.md": "unchanged"}
        client.quiet()


def _many(folder: Path, count: int) -> None:
    for index in range(count):
        (folder / f"more-{index}.md").write_text(WITHOUT_STATUS, encoding="utf-8")


def test_progress_and_parts_while_it_lasts(folder: Path) -> None:
    _many(folder, 300)
    with client_in(folder) as client:
        puller = Puller(client, folder)
        number = puller.hold(workDoneToken="work")
        client.answer(number)
        messages = [message["params"] for message in client.take_unread()]
        work = [message["value"] for message in messages if message["token"] == "work"]
        assert work[0] == {"kind": "begin", "title": "Checking handoffs", "cancellable": True, "percentage": 0}
        assert work[-1] == {"kind": "end"}
        shares = [each["percentage"] for each in work[1:-1]]
        assert shares == sorted(shares)
        parts = [message["value"]["items"] for message in messages if message["token"] == "parts"]
        assert len(parts) > 2
        uris = [item["uri"] for part in parts for item in part]
        assert len(uris) == len(set(uris)) == 302


@pytest.mark.parametrize("way", ["$/cancelRequest", "window/workDoneProgress/cancel"])
def test_cancelled_at_once(folder: Path, way: str) -> None:
    _many(folder, 1000)
    with client_in(folder) as client:
        puller = Puller(client, folder)
        number = puller.hold(workDoneToken="work")
        client.expect("$/progress")
        client.notify(way, {"id": number} if way == "$/cancelRequest" else {"token": "work"})
        with pytest.raises(ResponseError) as cancelled:
            client.answer(number)
        assert cancelled.value.code == -32800
        messages = [message["params"] for message in client.take_unread()]
        ends = [each["value"] for each in messages if each["token"] == "work" and each["value"]["kind"] == "end"]
        assert ends == [{"kind": "end", "message": "Cancelled"}]
        # Earlier results are not computed again.
        assert client.answer(puller.hold()) == {"items": []}
        client.take_unread()


def test_other_requests_go_first(folder: Path) -> None:
    _many(folder, 500)
    uri = (folder / "clean.md").as_uri()
    with client_in(folder) as client:
        client.open(SOUND, uri)
        puller = Puller(client, folder)
        number, asked = client.prepare("workspace/diagnostic", puller.params())
        other, hover = client.prepare(
            "textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 3, "character": 1}}
        )
        client.write(asked)
        time.sleep(0.1)
        client.write(hover)
        answers = []
        while len(answers) < 2:
            message = client._drain(lambda message: message.get("id") in (number, other) and "method" not in message)
            answers.append(message["id"])
        assert answers == [other, number]


def test_a_burst_of_changes_is_one_answer(folder: Path) -> None:
    uri = (folder / "clean.md").as_uri()
    with client_in(folder, WATCHING) as client:
        client.expect("client/registerCapability")
        puller = Puller(client, folder)
        puller.done(puller.hold())
        held = puller.hold()
        client.open(SOUND, uri)
        texts = [(WITHOUT_STATUS if version % 2 else SOUND) + version * "\n" for version in range(2, 12)]
        client.write(*(changed(uri, 2 + index, {"text": text}) for index, text in enumerate(texts)))
        assert puller.done(held) == {"clean.md": ["missing-status"]}
        client.quiet()


def test_uris_as_the_client_spells_them(tmp_path: Path) -> None:
    path = tmp_path / "übergabe (1).md"
    path.write_text(WITHOUT_STATUS, encoding="utf-8")
    with client_in(tmp_path) as client:
        (item,) = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
        spelled = "file://" + str(path).replace("ü", "%c3%bc").replace(" ", "%20").replace("(", "%28")
        known = [{"uri": spelled, "value": item["resultId"]}]
        (again,) = client.request("workspace/diagnostic", {"previousResultIds": known})["items"]
        assert again["kind"] == "unchanged"
        path.unlink()
        (gone,) = client.request("workspace/diagnostic", {"previousResultIds": known})["items"]
        assert (gone["uri"], gone["items"]) == (spelled, [])


def test_a_file_that_cannot_be_read_is_left_out(puller: Puller) -> None:
    (puller.folder / "utf16.md").write_bytes(SOUND.encode("utf-16"))
    (puller.folder / "huge.md").write_bytes(b"x" * 5_000_001)
    assert puller.pull() == {"broken.md": ["missing-status"], "clean.md": []}


def test_a_document_that_is_not_open_is_judged_from_disk(puller: Puller) -> None:
    uri = (puller.folder / "broken.md").as_uri()
    report = puller.client.pull(uri=uri)
    assert [item["code"] for item in report["items"]] == ["missing-status"]
    assert puller.client.pull(report["resultId"], uri)["kind"] == "unchanged"
    (puller.folder / "script.py").write_text(WITHOUT_STATUS, encoding="utf-8")
    assert puller.client.pull(uri=(puller.folder / "script.py").as_uri()) == {"kind": "full", "items": []}
    assert puller.client.pull(uri=(puller.folder / "none.md").as_uri()) == {"kind": "full", "items": []}
