"""The graph beyond cases with markers: line endings, versions, poor clients, unsaved and deleted files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from server.client import LspClient, Message, ResponseError

STATUS = (
    '{"notes": "\U0001f600 worker-a1b2", "agent_id": "worker-a1b2", "agent_type": "worker", "status": "running",\r\n'
    ' "task": "t", "progress": "", "last_checkpoint": null}\r\n'
)
LOG = "2026-02-08T10:00:00Z [START] Task: \U0001f600\r\n2026-02-08T10:05:00Z [BASH] \u65e5\u672c agent/worker-a1b2\r\n"
RESULT = "AGENT_RESULT: tester\r\nSTATUS: success\r\nNEXT: critic\r\n"
REFUSED = -32803


def rich(encoding: str = "utf-16") -> Message:
    """A client with the capabilities that renaming needs, and no others."""
    edit = {"documentChanges": True, "resourceOperations": ["rename"]}
    rename = {"rename": {"prepareSupport": True}, "definition": {"linkSupport": True}}
    return {
        "workspace": {"workspaceEdit": edit},
        "textDocument": rename,
        "general": {"positionEncodings": [encoding]},
    }


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    """A workspace with the files of an agent."""
    (tmp_path / ".git").mkdir()
    write(tmp_path / ".agent/status.json", STATUS)
    write(tmp_path / ".agent/activity.log", LOG)
    return tmp_path


def write(path: Path, text: str) -> None:
    """Put a file on disk, with its line endings."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def start(root: Path, capabilities: Message) -> LspClient:
    """A client with a folder open."""
    return LspClient(capabilities, workspaceFolders=[{"uri": root.as_uri(), "name": "w"}], rootUri=root.as_uri())


def opened(client: LspClient, path: Path, text: str, version: int = 1) -> str:
    """Open a file; these tests ignore its diagnostics."""
    uri = path.as_uri()
    client.open(text, uri, version)
    client.diagnostics(version, uri)
    return uri


def at(uri: str, text: str, word: str, *, units: str = "utf-16-le") -> Message:
    """The position in the first place of a word."""
    offset = text.index(word)
    before = text[:offset].split("\n")
    size = 2 if units == "utf-16-le" else 1
    return {
        "textDocument": {"uri": uri},
        "position": {"line": len(before) - 1, "character": len(before[-1].encode(units)) // size},
    }


def applied(text: str, edits: list[Message], encoding: str) -> str:
    """A text after edits, with positions read as the encoding has them, line endings untouched."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda edit: (-edit["range"]["start"]["line"], -edit["range"]["start"]["character"])):
        first, last = edit["range"]["start"], edit["range"]["end"]
        assert first["line"] == last["line"]
        codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]
        size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
        data = lines[first["line"]].encode(codec)
        data = data[: first["character"] * size] + edit["newText"].encode(codec) + data[last["character"] * size :]
        lines[first["line"]] = data.decode(codec)
    return "\n".join(lines)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_a_rename_keeps_line_endings_and_shows_versions(agent: Path, encoding: str) -> None:
    with start(agent, rich(encoding)) as client:
        uri = opened(client, agent / ".agent/status.json", STATUS, 7)
        codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]
        size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
        here = {"line": 0, "character": len(STATUS[: STATUS.index("worker-a1b2")].encode(codec)) // size}
        params = {"textDocument": {"uri": uri}, "position": here, "newName": "worker-77"}
        changes = client.request("textDocument/rename", params)["documentChanges"]
    texts = {uri: STATUS, (agent / ".agent/activity.log").as_uri(): LOG}
    assert {change["textDocument"]["uri"]: change["textDocument"]["version"] for change in changes} == {
        uri: 7,
        (agent / ".agent/activity.log").as_uri(): None,
    }
    for change in changes:
        text = texts[change["textDocument"]["uri"]]
        assert applied(text, change["edits"], encoding) == text.replace("worker-a1b2", "worker-77")


def test_a_client_without_document_changes_gets_a_map(agent: Path) -> None:
    with start(agent, {}) as client:
        uri = opened(client, agent / ".agent/status.json", STATUS)
        edit = client.request("textDocument/rename", {**at(uri, STATUS, "worker-a1b2"), "newName": "worker-77"})
    assert set(edit) == {"changes"}
    assert {uri: len(edits) for uri, edits in edit["changes"].items()} == {
        uri: 2,
        (agent / ".agent/activity.log").as_uri(): 1,
    }


def test_a_client_that_renames_no_files_renames_no_agent_that_a_file_defines(tmp_path: Path) -> None:
    write(tmp_path / ".claude/agents/critic.md", "---\nname: critic\n---\n")
    with start(tmp_path, {"workspace": {"workspaceEdit": {"documentChanges": True}}}) as client:
        uri = opened(client, tmp_path / "result.md", RESULT)
        for method, more in (("prepareRename", {}), ("rename", {"newName": "judge"})):
            with pytest.raises(ResponseError, match=r"`.claude/agents/critic.md` would have to be renamed") as error:
                client.request(f"textDocument/{method}", {**at(uri, RESULT, "critic"), **more})
            assert error.value.code == REFUSED


def test_a_client_that_declares_only_operations_on_files_renames_them(tmp_path: Path) -> None:
    """Neovim 0.11 does: such an operation can only be in document changes, so it takes these, too."""
    write(tmp_path / ".claude/agents/critic.md", "---\nname: critic\n---\n")
    with start(tmp_path, {"workspace": {"workspaceEdit": {"resourceOperations": ["rename"]}}}) as client:
        uri = opened(client, tmp_path / "result.md", RESULT)
        edit = client.request("textDocument/rename", {**at(uri, RESULT, "critic"), "newName": "judge"})
    (moved,) = [change for change in edit["documentChanges"] if change.get("kind") == "rename"]
    assert moved["newUri"] == (tmp_path / ".claude/agents/judge.md").as_uri()


def test_without_links_a_definition_is_a_location(tmp_path: Path) -> None:
    write(tmp_path / ".claude/agents/critic.md", "---\r\nname: critic\r\n---\r\n")
    with start(tmp_path, {}) as client:
        uri = opened(client, tmp_path / "result.md", RESULT)
        found = client.request("textDocument/definition", at(uri, RESULT, "critic"))
    where = {"start": {"line": 1, "character": 6}, "end": {"line": 1, "character": 12}}
    assert found == [{"uri": (tmp_path / ".claude/agents/critic.md").as_uri(), "range": where}]


def test_what_is_open_counts_and_not_what_is_on_disk(agent: Path) -> None:
    with start(agent, rich()) as client:
        uri = opened(client, agent / ".agent/status.json", STATUS)
        log = opened(client, agent / ".agent/activity.log", "2026-02-08T10:00:00Z [BASH] worker-a1b2\r\n", 3)
        client.diagnostics(1, uri)
        edit = client.request("textDocument/rename", {**at(uri, STATUS, "worker-a1b2"), "newName": "worker-77"})
        (change,) = [item for item in edit["documentChanges"] if item["textDocument"]["uri"] == log]
        assert change["textDocument"]["version"] == 3
        assert [item["range"]["start"] for item in change["edits"]] == [{"line": 0, "character": 28}]


def test_a_file_that_is_gone_is_no_longer_spoken_of(agent: Path) -> None:
    context: Any = {"context": {"includeDeclaration": True}}
    with start(agent, rich()) as client:
        uri = opened(client, agent / ".agent/status.json", STATUS)
        assert len(client.request("textDocument/references", {**at(uri, STATUS, "worker-a1b2"), **context})) == 3
        (agent / ".agent/activity.log").unlink()
        edit = client.request("textDocument/rename", {**at(uri, STATUS, "worker-a1b2"), "newName": "worker-77"})
        assert [change["textDocument"]["uri"] for change in edit["documentChanges"]] == [uri]
        assert len(client.request("textDocument/references", {**at(uri, STATUS, "worker-a1b2"), **context})) == 2
        client.diagnostics(1, uri)


def test_no_half_a_rename(agent: Path) -> None:
    (agent / "binary.md").write_bytes(b"worker-a1b2 \xff\xfe")
    with start(agent, rich()) as client:
        uri = opened(client, agent / ".agent/status.json", STATUS)
        with pytest.raises(ResponseError, match=r"`binary.md` cannot be read: not UTF-8") as error:
            client.request("textDocument/rename", {**at(uri, STATUS, "worker-a1b2"), "newName": "worker-77"})
        assert error.value.code == REFUSED


def test_a_place_that_is_taken_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    report = "## Verification Report\n\n**Change**: add-dark\n**Version**: 1\n\n### Verdict\n\nPASS\n"
    write(tmp_path / "openspec/changes/add-dark/proposal.md", "# Dark\n")
    write(tmp_path / "openspec/changes/night/picture.txt", "taken")
    with start(tmp_path, rich()) as client:
        uri = opened(client, tmp_path / "openspec/changes/add-dark/verify-report.md", report)
        with pytest.raises(ResponseError, match="There already is a `openspec/changes/night`"):
            client.request("textDocument/rename", {**at(uri, report, "add-dark"), "newName": "night"})


def test_a_document_that_has_no_file(tmp_path: Path) -> None:
    with start(tmp_path, rich()) as client:
        client.open(RESULT + "\r\n" + RESULT, "untitled:Untitled-1")
        client.diagnostics(1, "untitled:Untitled-1")
        params = {**at("untitled:Untitled-1", RESULT, "critic"), "context": {"includeDeclaration": True}}
        found = client.request("textDocument/references", params)
        assert [(item["uri"], item["range"]["start"]["line"]) for item in found] == [
            ("untitled:Untitled-1", 2),
            ("untitled:Untitled-1", 6),
        ]


def test_wrong_links_of_a_config_are_reported(tmp_path: Path) -> None:
    from handoff_lsp.workspace.config.config_file import read_config

    write(
        tmp_path / ".handoff-lsp.toml",
        '[editor.links]\n"(a" = "https://x/$1"\n"b" = "https://x/$1"\n"c" = "command:run?$0"\n"d(\\\\d)" = "https://x/$1"\n',
    )
    loaded = read_config(tmp_path / ".handoff-lsp.toml", None, None)
    assert [(problem.line, problem.message) for problem in loaded.problems] == [
        (2, "`(a` is not a valid RE2 pattern: missing ): (a"),
        (3, "the URL for `b` asks for `$1`, but the pattern has no group"),
        (4, "the URL for `c` must begin with `https://` or `http://`"),
    ]
