"""The check of the workspace for clients that do not pull: files that are not open are published and followed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from server.client import LspClient, Message, edit
from server.documents import SOUND, WITHOUT_STATUS
from server.test_across_files import LOG, STATUS
from server.test_workspace_diagnostics import client_in, filled

PROGRESS: dict[str, Any] = {"window": {"workDoneProgress": True}}
RUN: Message = {"command": "handoff.checkWorkspace", "arguments": [{"quiet": True}]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace."""
    return filled(tmp_path)


def check(client: LspClient, **params: Any) -> Message:
    """Run the command. Returns its counts."""
    found: Message = client.request("workspace/executeCommand", {**RUN, **params})
    return found


def codes(client: LspClient, path: Path) -> list[str]:
    """The next published diagnostics of a file that is not open."""
    params = client.published(path.as_uri())
    assert "version" not in params
    return [item["code"] for item in params["diagnostics"]]


def saved(client: LspClient, path: Path, text: str | None) -> None:
    """Change a file on disk (None: delete it) and let the client report it."""
    if text is None:
        path.unlink()
    else:
        path.write_text(text, encoding="utf-8")
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 2}]})


def test_hidden_folders_are_checked_and_what_is_no_text_is_passed_over(folder: Path) -> None:
    for name, data in (
        (".atl/broken.md", WITHOUT_STATUS.encode()),
        (".npm/broken.md", WITHOUT_STATUS.encode()),
        ("README.md", "# Notes".encode("utf-16")),
        ("binary.md", b"\0"),
        ("latin.md", b"\xe9"),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
    with client_in(folder, {}) as client:
        summary = check(client)
        assert (summary["files"], summary["handoffs"], summary["errors"]) == (3, 3, 2)
        assert codes(client, folder / ".atl" / "broken.md") == ["missing-status"]
        assert codes(client, folder / "broken.md") == ["missing-status"]
        assert codes(client, folder / "clean.md") == []


def test_files_that_are_not_open_are_published_until_they_are_mended(folder: Path) -> None:
    broken, clean = folder / "broken.md", folder / "clean.md"
    with client_in(folder, {}) as client:
        summary = check(client)
        assert (summary["files"], summary["handoffs"], summary["errors"]) == (2, 2, 1)
        assert codes(client, broken) == ["missing-status"]
        assert codes(client, clean) == []  # clean is not the same as unchecked
        client.quiet()
        check(client)
        client.quiet()  # the client knows
        saved(client, broken, SOUND)
        assert codes(client, broken) == []
        saved(client, broken, WITHOUT_STATUS)
        assert codes(client, broken) == ["missing-status"]
        saved(client, broken, None)
        assert codes(client, broken) == []
        client.quiet()


def test_opened_and_closed(folder: Path) -> None:
    broken = folder / "broken.md"
    with client_in(folder, {}) as client:
        check(client)
        assert codes(client, broken) == ["missing-status"]
        codes(client, folder / "clean.md")
        client.open(SOUND, broken.as_uri())
        assert client.diagnostics(1, broken.as_uri()) == []
        client.quiet()
        client.close(broken.as_uri())
        assert codes(client, broken) == []  # the buffer is gone
        assert codes(client, broken) == ["missing-status"]  # the file is not
        client.quiet()


def test_an_edit_is_seen_in_a_file_that_is_not_open(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".agent").mkdir()
    status, log = tmp_path / ".agent" / "status.json", tmp_path / ".agent" / "activity.log"
    status.write_text(STATUS, encoding="utf-8")
    log.write_text(LOG, encoding="utf-8")
    with client_in(tmp_path, {}) as client:
        check(client)
        assert codes(client, status) == ["file-disagreement"]
        assert codes(client, log) == []
        client.open(LOG, log.as_uri())
        client.diagnostics(1, log.as_uri())
        client.change(2, edit((1, 30), (1, 39), "running"), uri=log.as_uri())
        assert client.diagnostics(2, log.as_uri()) == []
        assert codes(client, status) == []
        client.quiet()


@pytest.mark.parametrize("own", [True, False])
def test_progress_that_can_be_cancelled(folder: Path, own: bool) -> None:
    for index in range(1000):
        (folder / f"more-{index}.md").write_text(WITHOUT_STATUS, encoding="utf-8")
    with client_in(folder, PROGRESS) as client:
        number, data = client.prepare("workspace/executeCommand", RUN if own else {**RUN, "workDoneToken": "mine"})
        client.write(data)
        token = client.expect("window/workDoneProgress/create")["token"] if own else "mine"
        begin = client.expect("$/progress")
        assert (begin["token"], begin["value"]["kind"]) == (token, "begin")
        client.notify("window/workDoneProgress/cancel", {"token": token})
        assert client.answer(number)["cancelled"] is True
        progress = [each["params"]["value"] for each in client.take_unread() if each["method"] == "$/progress"]
        assert progress[-1] == {"kind": "end", "message": "Cancelled"}


def test_a_client_that_pulls_is_asked_to(folder: Path) -> None:
    with client_in(folder) as client:
        assert check(client)["files"] == 2
        assert client.expect("workspace/diagnostic/refresh") is None
        client.quiet()
