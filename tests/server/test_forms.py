"""Handoffs of every form over a real connection, as editors open them; and other people's files, which cost nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from server.client import LspClient, Message, edit, range_
from server.test_across_files import LOG, PUSH, STATUS
from server.test_diagnostics import PULL, UNITS

from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.store import Workspace

ACTIONS: dict[str, Any] = {
    "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}}
}
# Emoji and CJK precede the defect, on its line if the form allows it.
RUN = "# \U0001f600\u65e5\n\n```\nAGENT_RESULT: developer\nSTATUS: sucess\nNEXT: done\n```\n"
COMMENT = "<!-- analyst-handoff\nslug: \u65e5\nissue_type: featur\n-->\n"
ENVELOPE = (
    "\u65e5\n\n## Design Created\n\n**Change**: x\n**Status**: sucess\n\n### Summary\nDone.\n\n"
    "### Artifacts\n- #obs_1\n\n### Next Recommended\nsdd-tasks\n\n### Risks\nNone\n"
)
DELIVERY = (
    "# Delivery Result: \U0001f600\u65e5\n\n> \u4f5c\u6210\u65e5: 2026-03-01\n> Delivery \u30d7\u30e9\u30f3: Lite\n"
    "> PRODUCT_TYPE: tool\n\n## \u6210\u679c\u7269\n- SPEC.md: \u3042\u308a\n\n"
    "## \u6280\u8853\u30b9\u30bf\u30c3\u30af\nGo\n"
)
BROKEN = STATUS.replace('"task": "t"', '"task": "\U0001f600\u65e5"').replace('"running"', '"runing"')
ENTRIES = "2026-03-02T08:01:00Z [START] \U0001f600\n2026-03-02T08:02:00Z [STATUS] asleep\n"
FORMS = {
    "runs/report.md": (RUN, "sucess", "success"),
    "docs/design-notes/x.md": (COMMENT, "featur", "feature"),
    "openspec/changes/x/design.md": (ENVELOPE, "sucess", "success"),
    "docs/DELIVERY_RESULT.md": (DELIVERY, "Lite", "Light"),
    ".agent/status.json": (BROKEN, '"runing"', "running"),
    ".agent/activity.log": (ENTRIES, "asleep", None),
}


def place(text: str, word: str, encoding: str) -> Message:
    """The range of a word in a client's units."""
    line = text[: text.index(word)].count("\n")
    head = text.splitlines()[line].partition(word)[0]
    start = UNITS[encoding](head)
    return range_((line, start), (line, start + UNITS[encoding](word)))


@pytest.mark.parametrize("encoding", UNITS)
def test_found_shown_and_mended(tmp_path: Path, encoding: str) -> None:
    (tmp_path / ".git").mkdir()
    with LspClient({"general": {"positionEncodings": [encoding]}, **ACTIONS}) as client:
        for name, (text, wrong, right) in FORMS.items():
            uri = (tmp_path / name).as_uri()
            client.open(text, uri)
            where = place(text, wrong, encoding)
            found = [item for item in client.diagnostics(1, uri) if item["code"] == "invalid-value"]
            assert [item["range"] for item in found] == [where], name
            here = {"textDocument": {"uri": uri}, "position": where["start"]}
            page = client.request("textDocument/hover", here)
            assert page["range"] == where
            assert "must be one of" in page["contents"]["value"]
            asked = {"textDocument": {"uri": uri}, "range": where, "context": {"diagnostics": found}}
            actions = client.request("textDocument/codeAction", asked)
            assert any(right is not None and f"`{right}`" in item["title"] for item in actions) is (right is not None)
            if not name.endswith(".md"):
                assert "<!--" not in str(actions)
            offered = client.request("textDocument/completion", here)["items"]
            assert offered, name
            assert all(item["textEdit"]["range"]["start"]["line"] == where["start"]["line"] for item in offered)
            client.close(uri)
            assert client.published(uri)["diagnostics"] == []


def test_a_tag_is_offered_as_it_is_opened(tmp_path: Path) -> None:
    uri = (tmp_path / ".agent" / "activity.log").as_uri()
    with LspClient() as client:
        assert "[" in client.capabilities["completionProvider"]["triggerCharacters"]
        client.open(LOG, uri)
        client.diagnostics(1, uri)
        client.change(2, edit((2, 0), (2, 0), "2026-03-02T08:20:00Z ["), uri=uri)
        assert client.codes(2, uri) == ["invalid-log-line"]
        here = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 22}}
        items = client.request("textDocument/completion", here)["items"]
        (test,) = (item for item in items if item["label"] == "TEST")
        assert test["textEdit"] == {"range": range_((2, 22), (2, 22)), "newText": "TEST] "}
        client.change(3, edit((2, 0), (2, 22), ""), uri=uri)
        assert client.codes(3, uri) == []


@pytest.mark.parametrize("language", ["json", "jsonc", "json5", "plaintext", "markdown", "yaml"])
def test_the_path_decides_whatever_the_language_is_called(tmp_path: Path, language: str) -> None:
    with LspClient() as client:
        for name, expected in ((".agent/status.json", ["invalid-value"]), ("data/status.json", [])):
            uri = (tmp_path / name).as_uri()
            item = {"uri": uri, "languageId": language, "version": 1, "text": BROKEN}
            client.notify("textDocument/didOpen", {"textDocument": item})
            assert client.codes(1, uri) == expected


def test_documents_that_are_no_files() -> None:
    with LspClient() as client:
        for uri, text, expected in (
            ("untitled:Untitled-1", RUN, ["invalid-value"]),
            ("untitled:Untitled-2", BROKEN, []),
            ("untitled:Untitled-3", ENTRIES, []),
            ("git:/a/report.md?%7B%22ref%22%3A%22HEAD%22%7D", RUN, ["invalid-value"]),
        ):
            client.open(text, uri)
            assert client.codes(1, uri) == expected
            client.close(uri)
            assert client.published(uri)["diagnostics"] == []


def agents(*folders: Path) -> list[str]:
    """The URIs of the status files of agents with logs on disk that disagree."""
    for folder in folders:
        (folder / ".agent").mkdir(parents=True)
        (folder / ".agent" / "activity.log").write_text(LOG, encoding="utf-8")
    return [(folder / ".agent" / "status.json").as_uri() for folder in folders]


def test_folders_without_git(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other one"
    first, second = agents(one, other)
    folders = [{"uri": folder.as_uri(), "name": folder.name} for folder in (one, other)]
    with LspClient(PUSH, workspaceFolders=folders[:1]) as client:
        client.open(STATUS, first)
        assert client.codes(1, first) == ["file-disagreement"]
        client.open(STATUS, second)
        assert client.codes(1, second) == []  # no client has opened it as part of a workspace
        client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": folders[1:], "removed": folders[:1]}})
        assert client.codes(1, first) == []
        assert client.codes(1, second) == ["file-disagreement"]
        client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": []}})
        client.quiet()


def test_two_folders_and_pull(tmp_path: Path) -> None:
    uris = agents(tmp_path / "one", tmp_path / "two")
    folders = [{"uri": (tmp_path / name).as_uri(), "name": name} for name in ("one", "two")]
    with LspClient(PULL, workspaceFolders=folders) as client:
        for uri in uris:
            client.open(STATUS, uri)
            assert [item["code"] for item in client.pull(uri=uri)["items"]] == ["file-disagreement"]


def test_a_root_alone(tmp_path: Path) -> None:
    (uri,) = agents(tmp_path / "one")
    with LspClient(PUSH, rootUri=tmp_path.as_uri()) as client:
        client.open(STATUS, uri)
        assert client.codes(1, uri) == ["file-disagreement"]


def test_a_file_that_is_renamed(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (status,) = agents(tmp_path)
    log = tmp_path / ".agent" / "activity.log"
    with LspClient(PUSH) as client:
        client.open(STATUS, status)
        assert client.codes(1, status) == ["file-disagreement"]
        client.open(LOG, log.as_uri())
        assert client.codes(1, log.as_uri()) == []
        assert client.codes(1, status) == ["file-disagreement"]  # the same, but now from the buffer
        log.rename(tmp_path / ".agent" / "old.log")  # VS Code sends a close, an open, and the change on disk
        client.close(log.as_uri())
        client.open(LOG, (tmp_path / ".agent" / "old.log").as_uri())
        changes = [{"uri": log.as_uri(), "type": 3}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        assert client.published(log.as_uri())["diagnostics"] == []
        assert client.codes(1, (tmp_path / ".agent" / "old.log").as_uri()) == []
        while client.codes(1, status):
            pass  # until the cached state of the disk is a moment old
        client.close(status)
        while client.published(status).get("version") is not None:
            pass  # the number of repeated messages depends on timing


def test_other_peoples_json_is_not_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(*_: object, **__: object) -> None:
        raise AssertionError("parsed")

    monkeypatch.setattr("handoff_lsp.recognition.files.parse_json", parse)
    monkeypatch.setattr("handoff_lsp.recognition.files.looks_like_log", parse)
    workspace = Workspace(Resolver())
    for name in ("package-lock.json", ".vscode/settings.json", "tsconfig.jsonc", "server.log", "agent/status.json"):
        path = tmp_path / name
        document = workspace.open(path.as_uri(), path, 1, BROKEN)
        analysis = document.analysis(workspace.resolver, workspace.files)
        assert (analysis.handoffs, analysis.findings, len(analysis.tree.source)) == ((), (), 0)
