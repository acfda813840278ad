"""The client's settings over a real connection: sent at the start, pushed, requested, by folder, and changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from server.client import LspClient, Message
from server.documents import WITHOUT_STATUS
from server.test_diagnostics import PULL

ASKED: Message = {"workspace": {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}}}


def off(severity: str = "off") -> Message:
    """Settings that decide the severity of a missing status."""
    return {"rules": {"missing-status": severity}}


def severity(client: LspClient, uri: str) -> int | None:
    """The severity of a missing status in a document that is checked now; None if it is not reported."""
    return next((item["severity"] for item in client.diagnostics(1, uri) if item["code"] == "missing-status"), None)


def folder(path: Path) -> Message:
    """A workspace folder as clients name it."""
    path.mkdir(exist_ok=True)
    return {"uri": path.as_uri(), "name": path.name}


def document(path: Path) -> str:
    """The URI of a handoff in a folder."""
    return (path / "a-developer-handoff.md").as_uri()


def answers(by_folder: dict[str | None, object]) -> Callable[[Message], list[object]]:
    """A client's answers to the question for its settings."""

    def answer(params: Message) -> list[object]:
        assert all(item["section"] == "handoff-lsp" for item in params["items"])
        return [by_folder.get(item.get("scopeUri")) for item in params["items"]]

    return answer


def asking(client: LspClient, by_folder: dict[str | None, object]) -> None:
    """Answer the server's next question, and wait until it has taken that in."""
    client.replies["workspace/configuration"] = answers(by_folder)
    client.expect("workspace/configuration")
    where = {"textDocument": {"uri": "file:///nowhere/none.md"}, "position": {"line": 0, "character": 0}}
    assert client.request("textDocument/hover", where) is None


@pytest.mark.parametrize(
    "settings",
    [
        off(),
        {"handoff-lsp": off()},
        {"handoff_lsp": {"rules": {"missingStatus": "off"}}},
        {"rules": {"missing-status": "off", "empty-value": None}, "editor": {"inlayHints": None}, "examples": None},
        {"enable": True, "trace": {"server": "verbose"}, "server": {"path": "x"}, **off()},
    ],
    ids=str,
)
def test_settings_with_initialize_in_many_spellings(tmp_path: Path, settings: Message) -> None:
    uri = document(tmp_path)
    with LspClient(initializationOptions=settings) as client:
        client.open(WITHOUT_STATUS, uri)
        assert severity(client, uri) is None


@pytest.mark.parametrize("depth", [60, 900])
def test_settings_that_nobody_can_follow(tmp_path: Path, depth: int) -> None:
    uri, deep = document(tmp_path), {}
    for _ in range(depth):
        deep = {"contracts": deep}
    with LspClient(initializationOptions={**off(), **deep}) as client:
        ignored = "The settings are ignored: they are nested more than 50 deep"
        assert ignored in client.expect("window/logMessage")["message"]
        client.open(WITHOUT_STATUS, uri)
        assert severity(client, uri) == 1
        client.notify("workspace/didChangeConfiguration", {"settings": {**off("hint"), **deep}})
        assert ignored in client.expect("window/logMessage")["message"]
        client.noise = ignored.encode()
    assert client.stderr.count(b"\n") == 2, "no traceback"


@pytest.mark.parametrize("nothing", [None, [], {"handoff-lsp": None}], ids=str)
def test_no_settings(tmp_path: Path, nothing: object) -> None:
    uri = document(tmp_path)
    with LspClient(initializationOptions=nothing) as client:
        client.open(WITHOUT_STATUS, uri)
        assert severity(client, uri) == 1
        client.notify("workspace/didChangeConfiguration", {"settings": nothing})
        client.quiet()


def test_settings_go_over_the_config_file(tmp_path: Path) -> None:
    (tmp_path / ".handoff-lsp.toml").write_text('[rules]\nmissing-status = "hint"\nmissing-section = "off"\n')
    uri = document(tmp_path)
    with LspClient(initializationOptions=off("information")) as client:
        client.open(WITHOUT_STATUS.replace("## Iteration\niter 1\n", ""), uri)
        found = {item["code"]: item["severity"] for item in client.diagnostics(1, uri)}
        assert found["missing-status"] == 3
        assert "missing-section" not in found


@pytest.mark.parametrize("pushed", [{"handoff-lsp": off()}, off()], ids=["under its name", "alone"])
def test_settings_that_are_pushed(tmp_path: Path, pushed: Message) -> None:
    uri = document(tmp_path)
    with LspClient() as client:
        client.open(WITHOUT_STATUS, uri)
        assert severity(client, uri) == 1
        client.notify("workspace/didChangeConfiguration", {"settings": pushed})
        assert severity(client, uri) is None
        # The same settings: nothing is checked again, not even after changes of other servers' settings.
        client.notify("workspace/didChangeConfiguration", {"settings": pushed})
        client.quiet()
        client.notify("workspace/didChangeConfiguration", {"settings": {"pylsp": {"plugins": {}}}})
        assert severity(client, uri) == 1
        client.quiet()


@pytest.mark.parametrize("name", ["one", "my プロジェクト, 100%25"])
def test_each_folder_has_its_own(tmp_path: Path, name: str) -> None:
    one, two, inner = tmp_path / name, tmp_path / "two", tmp_path / name / "inner"
    folders = [folder(path) for path in (one, two, inner)]
    uris = [document(path) for path in (one, two, inner, tmp_path)]
    told: dict[str | None, object] = {one.as_uri(): off(), inner.as_uri(): off("hint")}
    with LspClient(ASKED, workspaceFolders=folders, initializationOptions=off("warning")) as client:
        (registration,) = client.expect("client/registerCapability")["registrations"]
        assert registration["method"] == "workspace/didChangeConfiguration"
        assert registration["registerOptions"] == {"section": "handoff-lsp"}
        asking(client, told)
        for uri, expected in zip(uris, (None, 2, 4, 2), strict=True):
            client.open(WITHOUT_STATUS, uri)
            assert severity(client, uri) == expected
        # One changes: only the documents in its folder are checked again.
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        asking(client, {**told, two.as_uri(): off("information")})
        assert severity(client, uris[1]) == 3
        client.quiet()
        # And elsewhere: the client's answer without a folder.
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        asking(client, {**told, two.as_uri(): off("information"), None: off("error")})
        assert severity(client, uris[3]) == 1
        client.quiet()


def test_a_folder_that_is_opened_later(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    folders = [folder(path) for path in (one, two)]
    uri = document(two)
    with LspClient(ASKED, workspaceFolders=folders[:1]) as client:
        client.expect("client/registerCapability")
        asking(client, {two.as_uri(): off()})
        client.open(WITHOUT_STATUS, uri)
        assert severity(client, uri) == 1
        client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": folders[1:], "removed": []}})
        client.expect("workspace/configuration")
        while severity(client, uri) is not None:
            pass  # a new folder has it checked at once, its settings once more
        client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": folders[1:]}})
        client.expect("workspace/configuration")
        while severity(client, uri) is None:
            pass
        client.close_quietly()


@pytest.mark.parametrize("answer", [None, [], [None], ["", 1], "what?"], ids=str)
def test_a_client_that_answers_nothing_useful(tmp_path: Path, answer: object) -> None:
    uri = document(tmp_path)
    with LspClient({"workspace": {"configuration": True}}, workspaceFolders=[folder(tmp_path)]) as client:
        client.replies["workspace/configuration"] = answer
        client.expect("workspace/configuration")
        client.open(WITHOUT_STATUS, uri)
        assert severity(client, uri) == 1


def test_the_newest_answer_counts(tmp_path: Path) -> None:
    uri = document(tmp_path)
    with LspClient({"workspace": {"configuration": True}}) as client:
        client.expect("workspace/configuration")
        client.open(WITHOUT_STATUS, uri)
        assert severity(client, uri) == 1
        client.held.add("workspace/configuration")
        for _ in range(2):
            client.notify("workspace/didChangeConfiguration", {"settings": None})
        for _ in range(2):
            client.expect("workspace/configuration")
        older, newer = client.asked[-2:]
        client.reply(newer, [off("warning")])
        client.reply(older, [off("hint")])
        assert severity(client, uri) == 2
        client.quiet()


def test_wrong_settings_are_reported_once_and_the_rest_counts(tmp_path: Path) -> None:
    (tmp_path / ".handoff-lsp.toml").write_text('[rules]\nmissing-section = "off"\n')
    uri, other = document(tmp_path), (tmp_path / "b-developer-handoff.md").as_uri()
    wrong = {"rules": {"missing-statsu": "off", "missing-status": "hint"}, "editor": {"inlayHint": True}}
    with LspClient(initializationOptions=wrong) as client:
        client.open(WITHOUT_STATUS, uri)
        told = [client.expect("window/showMessage") for _ in range(2)]
        assert {message["type"] for message in told} == {2}
        assert sorted(message["message"] for message in told) == [
            "<settings>: `editor`: unknown key `inlay-hint`; did you mean `inlay-hints`?",
            "<settings>: `rules`: unknown rule `missing-statsu`; did you mean `missing-status`?",
        ]
        found = {item["code"]: item["severity"] for item in client.diagnostics(1, uri)}
        assert found["missing-status"] == 4
        client.open(WITHOUT_STATUS, other)
        assert severity(client, other) == 4
        client.quiet()
        # The options of documents stay the same, but the problems of the settings change.
        client.notify("workspace/didChangeConfiguration", {"settings": {"handoff-lsp": {"exmaples": True}}})
        assert "`exmaples`" in client.expect("window/showMessage")["message"]
        client.quiet()


def test_a_config_of_another_name(tmp_path: Path) -> None:
    (tmp_path / ".handoff-lsp.toml").write_text('[rules]\nmissing-status = "off"\n')
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "handoffs.toml").write_text('[rules]\nmissing-status = "hint"\n')
    uri = document(tmp_path)
    named = {"config": "tools/handoffs.toml"}
    with LspClient(workspaceFolders=[folder(tmp_path)], initializationOptions=named) as client:
        client.open(WITHOUT_STATUS, uri)
        assert severity(client, uri) == 4
        client.notify("workspace/didChangeConfiguration", {"settings": {"config": "tools/none.toml"}})
        assert "none.toml: no such file or folder" in client.expect("window/showMessage")["message"]
        assert severity(client, uri) == 1
        client.published((tmp_path / "tools" / "none.toml").as_uri())
        client.notify("workspace/didChangeConfiguration", {"settings": {"config": 7}})
        assert client.expect("window/showMessage")["message"] == "<settings>: `config` must be a string, not `7`"
        assert severity(client, uri) is None
        client.published((tmp_path / "tools" / "none.toml").as_uri())


@pytest.mark.parametrize("how", ["workspaceFolders", "rootUri", "rootPath"])
def test_patterns_of_settings_are_relative_to_the_folder(tmp_path: Path, how: str) -> None:
    files = [{"pattern": "drafts/*.md", "rules": {"missing-status": "off"}}]
    (tmp_path / "drafts").mkdir()
    uri = document(tmp_path / "drafts")
    named = {"workspaceFolders": [folder(tmp_path)], "rootUri": tmp_path.as_uri(), "rootPath": str(tmp_path)}
    with LspClient(**{how: named[how]}, initializationOptions={"files": files}) as client:
        client.open(WITHOUT_STATUS, uri)
        assert severity(client, uri) is None


def test_settings_and_pull(tmp_path: Path) -> None:
    uri = document(tmp_path)
    capabilities: dict[str, Any] = {**PULL, "workspace": {**PULL["workspace"], **ASKED["workspace"]}}
    with LspClient(capabilities) as client:
        client.expect("client/registerCapability")
        client.expect("workspace/configuration")
        client.open(WITHOUT_STATUS, uri)
        assert "missing-status" in [item["code"] for item in client.pull(uri=uri)["items"]]
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        asking(client, {None: off()})
        client.expect("workspace/diagnostic/refresh")
        assert "missing-status" not in [item["code"] for item in client.pull(uri=uri)["items"]]
        client.quiet()
