"""Commands and code lenses: clients with few abilities, wrong arguments, files that are not open, and other files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from server.client import URI, LspClient, Message, ResponseError, edit, encode, environment
from server.documents import SOUND, WITHOUT_STATUS

INVALID_PARAMS, REQUEST_FAILED, CANCELLED = -32602, -32803, -32800
WORKSPACE: Message = {
    "applyEdit": True,
    "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]},
    "codeLens": {"refreshSupport": True},
}
ABLE: Message = {
    "workspace": WORKSPACE,
    "window": {"showDocument": {"support": True}},
    "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}},
}
BLOCKED = SOUND.replace("complete", "blocked")


def client_in(folder: Path, capabilities: Message | None = None) -> LspClient:
    """A client that has a folder open."""
    return LspClient(capabilities, workspaceFolders=[{"uri": folder.as_uri(), "name": folder.name}])


def run(client: LspClient, command: str, *arguments: Any) -> Any:
    """Run a command."""
    return client.request("workspace/executeCommand", {"command": command, "arguments": list(arguments)})


def lenses(client: LspClient, uri: str = URI) -> list[str]:
    """The titles of a document's lenses."""
    return [
        lens["command"]["title"] for lens in client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    ]


def opened(client: LspClient, text: str, uri: str = URI) -> None:
    """Open a document and let its diagnostics be."""
    client.open(text, uri=uri)
    client.diagnostics(1, uri)


def said(client: LspClient) -> str:
    """The next message to the user."""
    message: str = client.expect("window/showMessage")["message"]
    return message


def refused(client: LspClient, command: str, *arguments: Any, code: int = INVALID_PARAMS) -> str:
    """The reason why a command is not done."""
    with pytest.raises(ResponseError) as error:
        run(client, command, *arguments)
    assert error.value.code == code
    return str(error.value)


# Offered actions


def test_the_commands_are_named_to_every_client() -> None:
    with LspClient() as client:
        assert client.capabilities["executeCommandProvider"]["commands"] == [
            "handoff.insertTemplate",
            "handoff.showRouting",
            "handoff.showPrompt",
            "handoff.exportJson",
            "handoff.checkWorkspace",
            "handoff.goTo",
            "handoff.listHandoffs",
            "handoff.listContracts",
            "handoff.listTopics",
            "handoff.explain",
            "handoff.doctor",
        ]
        assert client.capabilities["codeLensProvider"] == {"resolveProvider": False}


# Clients with few abilities


def test_a_click_on_a_lens_shows_the_line_where_no_document_can_be_shown() -> None:
    with LspClient() as client:
        opened(client, BLOCKED)
        (lens, *_) = client.request("textDocument/codeLens", {"textDocument": {"uri": URI}})
        answer = run(client, lens["command"]["command"], *lens["command"]["arguments"])
        assert said(client) == "nowhere/handoffs/login-developer-handoff.md, line 4"
        assert answer["shown"] is False
        assert client.asked == []


def test_a_click_shows_the_line_where_the_document_is_not_shown_after_all() -> None:
    with LspClient(ABLE) as client:
        client.replies = {"window/showDocument": {"success": False}}
        opened(client, BLOCKED)
        answer = run(client, "handoff.goTo", URI, "abstract.verdict")
        client.expect("window/showDocument")
        assert said(client) == "nowhere/handoffs/login-developer-handoff.md, line 10"
        assert answer["range"] == {"start": {"line": 9, "character": 9}, "end": {"line": 9, "character": 12}}


def test_a_new_handoff_is_only_told_to_a_client_that_applies_no_edits() -> None:
    with LspClient() as client:
        opened(client, "")
        answer = run(client, "handoff.insertTemplate", URI)
        assert (answer["contract"], answer["profile"], answer["applied"]) == ("status-block", "developer", False)
        assert answer["reason"] == "this editor applies no edits of a server"
        assert answer["text"].startswith("# <feature name…> — Handoff from Developer\n\n## Status\n")


def test_a_new_handoff_for_no_document() -> None:
    with LspClient(ABLE) as client:
        answer = run(client, "handoff.insertTemplate", {"contract": "agent-contract", "profile": "gaia-5.4"})
        assert answer["text"].startswith("```agent_contract_handoff\n")
        assert answer["language"] == "markdown"
        assert run(client, "handoff.insertTemplate", {"contract": "activity-log"})["language"] == "log"
        assert answer["applied"] is False
        assert "a `uri` or a `contract` is missing" in refused(client, "handoff.insertTemplate")


def test_an_editor_with_snippets_gets_a_tab_stop_at_every_placeholder() -> None:
    with LspClient(ABLE) as client:
        opened(client, "\n")
        answer = run(client, "handoff.insertTemplate", {"uri": URI, "snippet": True})
        assert (answer["profile"], answer["applied"]) == ("developer", False)
        assert answer["snippet"].startswith("# ${1:<feature name…>} — Handoff from Developer\n\n## Status\n\n${")
        default = r"\$\{\d+(?::((?:\\.|[^\\}])*)|\|((?:\\.|[^\\,|])*),(?:\\.|[^\\|])*\|)\}"
        plain = re.sub(default, r"\1\2", answer["snippet"])
        assert plain.replace("\\", "") == answer["text"]
        assert len(re.findall(r"<[^<>\n]+>", answer["text"])) == len(re.findall(r"\$\{\d+", answer["snippet"]))
        # Text that is there stays: the edits are sent.
        client.replies = {"workspace/applyEdit": {"applied": True}}
        client.change(2, {"text": "# Notes\n"})
        answer = run(client, "handoff.insertTemplate", {"uri": URI, "contract": "agent-contract", "snippet": True})
        assert (answer["snippet"], answer["applied"]) == (None, True)
        client.expect("workspace/applyEdit")
        client.diagnostics(2)


def test_edits_for_a_client_without_versions_keep_line_ends() -> None:
    text = "# Notes 🙂\r\n\r\nSome 掲示板 text\r\n"
    with LspClient({"workspace": {"applyEdit": True}}) as client:
        client.replies = {"workspace/applyEdit": {"applied": True}}
        opened(client, text)
        place = {"position": {"line": 0, "character": 3}, "contract": "remediation-result"}
        assert run(client, "handoff.insertTemplate", URI, place)["applied"] is True
        (edit,) = client.expect("workspace/applyEdit")["edit"]["changes"][URI]
        end = {"line": 0, "character": 10}
        assert edit["range"] == {"start": end, "end": end}
        assert edit["newText"].startswith("\r\n\r\n```")
        assert edit["newText"].count("\n") == edit["newText"].count("\r\n")


def test_an_edit_that_the_editor_refuses() -> None:
    with LspClient(ABLE) as client:
        client.replies = {"workspace/applyEdit": {"applied": False, "failureReason": "read-only"}}
        opened(client, "\ufeff")
        answer = run(client, "handoff.insertTemplate", {"uri": URI})
        edit = client.expect("workspace/applyEdit")["edit"]["documentChanges"][0]["edits"][0]
        assert edit["range"]["start"] == {"line": 0, "character": 1}, "the byte order mark stays"
        assert (answer["applied"], answer["reason"]) == (False, "read-only")


def test_a_user_who_does_not_choose_gets_nothing() -> None:
    with LspClient(ABLE) as client:
        opened(client, "", "untitled:Untitled-1")
        assert run(client, "handoff.insertTemplate", "untitled:Untitled-1") is None
        assert len(client.expect("window/showMessageRequest")["actions"]) > 5


def test_what_was_typed_while_the_user_was_asked_counts() -> None:
    with LspClient(ABLE) as client:
        uri = "untitled:Untitled-1"

        def type_on(_params: Message) -> Message:
            client.change(2, {"text": "# Notes\n"}, uri=uri)
            return {"title": "verify-result"}

        client.replies = {"window/showMessageRequest": type_on, "workspace/applyEdit": {"applied": True}}
        opened(client, "", uri)
        run(client, "handoff.insertTemplate", uri)
        client.expect("window/showMessageRequest")
        change = client.expect("workspace/applyEdit")["edit"]["documentChanges"][0]
        assert change["textDocument"]["version"] == 2
        (edit,) = change["edits"]
        assert edit["range"]["start"] == {"line": 0, "character": 0}
        assert edit["newText"].endswith("```\n\n"), "above what was typed"
        client.diagnostics(2, uri)


# Arguments


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([3], "argument 1 is 3, but only a URI and an object are taken"),
        ([""], 'argument 1 is "", but only a URI and an object are taken'),
        ([[URI]], "argument 1 is"),
        ([URI, {}, {}], "argument 3 is {}, but only a URI and an object are taken"),
        ([{"uri": 1}], "`uri` is 1, but it must be a string"),
        ([{"uri": ""}], "`uri` is empty"),
        ([{"uri": "file:///elsewhere/x.md"}], "file:///elsewhere/x.md is neither open nor in one of the open folders"),
        ([{"uri": "nothing at all"}], "nothing at all is neither open nor in one of the open folders"),
        ([URI, {"position": 1}], "`position` is 1, but it must be a position: a line and a character from 0"),
        ([URI, {"position": {"line": True, "character": 0}}], "it must be a position"),
        ([URI, {"position": {"line": -1, "character": 0}}], "it must be a position"),
        ([URI, {"position": {"line": 1}}], "it must be a position"),
        ([URI, {"quiet": "yes"}], '`quiet` is "yes", but it must be true or false'),
    ],
)
def test_wrong_arguments_are_answered_with_the_reason(arguments: list[Any], reason: str) -> None:
    with LspClient() as client:
        opened(client, SOUND)
        assert reason in refused(client, "handoff.showRouting", *arguments)


def test_a_place_to_go_to_is_needed_and_moved_to_one_that_there_is() -> None:
    with LspClient() as client:
        opened(client, SOUND)
        assert "must be a range" in refused(client, "handoff.goTo", {"uri": URI, "range": [1, 2]})
        assert "`range.end` is" in refused(
            client, "handoff.goTo", {"uri": URI, "range": {"start": {"line": 0, "character": 0}}}
        )
        assert "`uri` is missing" in refused(client, "handoff.goTo")
        far = run(client, "handoff.goTo", URI, {"line": 4000, "character": 7})
        assert far["range"]["start"] == {"line": SOUND.count("\n"), "character": 0}
        assert "line 28" in said(client)


def test_what_nobody_asks_for_is_passed_over() -> None:
    with LspClient() as client:
        opened(client, SOUND)
        assert len(run(client, "handoff.showRouting", {"uri": URI, "quiet": True, "later": [1], "position": None})) == 1
        assert client.request("workspace/executeCommand", {"command": "handoff.showRouting"})[0]["status"] == "complete"
        assert said(client).startswith("nowhere/handoffs/login-developer-handoff.md:1: advance: next is Tester")


def test_without_a_uri_all_open_documents_are_meant() -> None:
    with LspClient() as client:
        other = URI.replace("login", "logout")
        opened(client, SOUND)
        opened(client, BLOCKED, other)
        told = run(client, "handoff.showRouting", {"quiet": True})
        assert [(item["uri"], item["routing"]["action"]) for item in told] == [(URI, "advance"), (other, "ask")]
        assert len(run(client, "handoff.exportJson")) == 2


# Files that are not open


def test_an_export_says_what_the_command_line_says(tmp_path: Path) -> None:
    for name, text in {"handoffs/login-developer-handoff.md": BLOCKED, ".handoff-lsp.toml": ""}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    command = [
        sys.executable,
        "-m",
        "handoff_lsp",
        "parse",
        "--output-format",
        "json",
        "handoffs/login-developer-handoff.md",
    ]
    printed = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, check=False).stdout
    with client_in(tmp_path) as client:
        found = run(client, "handoff.exportJson", (tmp_path / "handoffs/login-developer-handoff.md").as_uri())
    assert found == [json.loads(line) for line in printed.splitlines()]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_no_file_outside_of_the_open_folders_is_read_or_written(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder in (inside, outside):
        folder.mkdir()
        (folder / "login-developer-handoff.md").write_text(SOUND)
    (inside / "link.md").symlink_to(outside / "login-developer-handoff.md")
    (inside / "folder").symlink_to(outside)
    uri = (inside / "login-developer-handoff.md").as_uri()
    with client_in(inside, ABLE) as client:
        for path in (outside / "login-developer-handoff.md", inside / "link.md", inside / "../outside/x.md"):
            assert "neither open nor in" in refused(client, "handoff.exportJson", Path(path).as_uri())
        for name in ("../x.json", "folder/x.json", str(outside / "x.json"), "."):
            assert "is not in one of the open folders" in refused(client, "handoff.exportJson", uri, {"to": name})
        assert "cannot be read" in refused(client, "handoff.exportJson", (inside / "none.md").as_uri())
        assert client.asked == []


def test_an_export_is_created_by_the_editor_alone(tmp_path: Path) -> None:
    (tmp_path / "a-developer-handoff.md").write_text(SOUND)
    (tmp_path / "there.json").write_text("{}")
    uri = (tmp_path / "a-developer-handoff.md").as_uri()
    with client_in(tmp_path, ABLE) as client:
        client.replies = {"workspace/applyEdit": {"applied": True}}
        run(client, "handoff.exportJson", uri, {"to": "there.json", "overwrite": True})
        create, edit = client.expect("workspace/applyEdit")["edit"]["documentChanges"]
        assert create == {"kind": "create", "uri": (tmp_path / "there.json").as_uri(), "options": {"overwrite": True}}
        assert json.loads(edit["edits"][0]["newText"])["status"] == "complete"
        client.replies = {"workspace/applyEdit": {"applied": False}}
        reason = refused(client, "handoff.exportJson", uri, {"to": "new.json"}, code=REQUEST_FAILED)
        assert "the editor did not create `new.json`" in reason
        client.expect("workspace/applyEdit")
    assert (tmp_path / "there.json").read_text() == "{}"
    with client_in(tmp_path) as client:
        assert "this editor cannot create files" in refused(client, "handoff.exportJson", uri, {"to": "new.json"})


# Code actions


def titles(client: LspClient, uri: str, **context: Any) -> list[str]:
    """The commands among the code actions of a document."""
    nowhere = {"line": 0, "character": 0}
    asked = {
        "textDocument": {"uri": uri},
        "range": {"start": nowhere, "end": nowhere},
        "context": {"diagnostics": [], **context},
    }
    found = client.request("textDocument/codeAction", asked)
    return [action["title"] for action in found if action.get("kind", "").startswith("source.handoff.")]


def test_commands_are_offered_as_actions_to_who_asks_for_them(tmp_path: Path) -> None:
    one, two = tmp_path / "handoffs/a-developer-handoff.md", tmp_path / "README.md"
    with client_in(tmp_path, ABLE) as client:
        client.open(SOUND, one.as_uri())
        client.open("# Readme\n\n## Status\n\nAccepted\n", two.as_uri())
        every = [
            "Show what the orchestrator does",
            "Export as JSON to `handoffs/a-developer-handoff.handoffs.jsonl`",
            "Check all handoffs of the workspace",
        ]
        assert titles(client, one.as_uri(), triggerKind=1) == every
        assert titles(client, one.as_uri(), only=["source"]) == every
        assert titles(client, one.as_uri(), only=["source.handoff.showRouting"]) == every[:1]
        for nobody in ({}, {"triggerKind": 2}, {"only": ["quickfix"]}, {"only": ["source.fixAll"]}):
            assert titles(client, one.as_uri(), **nobody) == []
        assert titles(client, two.as_uri(), only=["source"]) == []
        client.change(2, {"text": "\n"}, uri=two.as_uri())
        client.change(2, {"text": ""}, uri=one.as_uri())
        assert titles(client, two.as_uri(), only=["source"]) == ["Insert a handoff…"]
        assert titles(client, one.as_uri(), only=["source"]) == ["Insert a handoff (status-block)"]
        client.close_quietly()


# Check the workspace


def test_all_handoffs_of_the_workspace_are_checked(tmp_path: Path) -> None:
    for name, text in {"a": SOUND, "b": WITHOUT_STATUS}.items():
        (tmp_path / f"{name}-developer-handoff.md").write_text(text)
    with client_in(tmp_path) as client:
        summary = run(client, "handoff.checkWorkspace")
        assert said(client) == "2 handoffs in 2 files: 1 error"
        assert (summary["files"], summary["handoffs"], summary["errors"], summary["cancelled"]) == (2, 2, 1, False)
        assert run(client, "handoff.checkWorkspace", {"quiet": True}) == summary
        client.take_unread()
    with LspClient() as client:
        assert "no folder is open" in refused(client, "handoff.checkWorkspace", code=REQUEST_FAILED)


def test_a_long_command_can_be_cancelled(tmp_path: Path) -> None:
    for number in range(200):
        (tmp_path / f"w{number}-developer-handoff.md").write_text(SOUND)
    with client_in(tmp_path) as client:
        number, data = client.prepare("workspace/executeCommand", {"command": "handoff.checkWorkspace"})
        client.write(data, encode({"method": "$/cancelRequest", "params": {"id": number}}))
        with pytest.raises(ResponseError) as error:
            client.answer(number)
        assert error.value.code == CANCELLED
        # Also once it has begun: this is answered in between.
        number, data = client.prepare("workspace/executeCommand", {"command": "handoff.checkWorkspace"})
        client.write(data)
        assert lenses(client) == []
        client.notify("$/cancelRequest", {"id": number})
        with pytest.raises(ResponseError) as error:
            client.answer(number)
        assert error.value.code == CANCELLED
        client.take_unread()


# Lenses and other files


STATUS = (
    '{"agent_id": "w-1", "agent_type": "worker", "status": "completed", "task": "Export", "progress": "1/1: Done",'
    ' "success_criteria": {"passed": true}, "last_checkpoint": null}'
)
LOG = "2026-02-08T10:00:00Z [START] Begin\n2026-02-08T10:40:00Z [TEST] npm test -- export FAIL\n"


def test_a_lens_changes_with_another_file(tmp_path: Path) -> None:
    (tmp_path / ".agent").mkdir()
    (tmp_path / ".handoff-lsp.toml").write_text('[rules]\nfile-disagreement = "error"\nmissing-field = "off"\n')
    status, log = (tmp_path / ".agent" / name for name in ("status.json", "activity.log"))
    with client_in(tmp_path, ABLE) as client:
        client.open(STATUS, status.as_uri())
        client.open(LOG, log.as_uri())
        before = lenses(client, status.as_uri())
        client.take_unread()
        client.change(2, {"text": LOG.replace("FAIL", "PASS")}, uri=log.as_uri())
        client.expect("workspace/codeLens/refresh")
        after = lenses(client, status.as_uri())
        client.close_quietly()
    assert before == ["ask: marked completed, but its last test failed"]
    assert [title.partition(" ")[0] for title in after] == ["advance:"]


def test_the_decision_does_not_wait_for_a_line_to_be_finished() -> None:
    with LspClient({"workspace": WORKSPACE}, initializationOptions={}) as client:
        opened(client, SOUND)
        line = SOUND.split("\n").index("- `src/login.py`")
        client.change(2, edit((line, 16), (line, 16), "\n- `b`"))
        assert [title.partition(":")[0] for title in lenses(client)] == ["stop"]
        client.expect("workspace/codeLens/refresh")  # a moment has passed
        assert [title.partition(":")[0] for title in lenses(client)] == ["stop"]
        client.close_quietly()


def test_a_client_that_cannot_be_notified_is_not_notified(tmp_path: Path) -> None:
    (tmp_path / ".agent").mkdir()
    status, log = (tmp_path / ".agent" / name for name in ("status.json", "activity.log"))
    with client_in(tmp_path) as client:
        client.open(STATUS, status.as_uri())
        client.open(LOG, log.as_uri())
        client.change(2, {"text": LOG.replace("FAIL", "PASS")}, uri=log.as_uri())
        assert len(lenses(client, status.as_uri())) == 1
        client.close_quietly()
        assert client.asked == []


def test_lenses_keep_to_their_lines_whatever_ends_them() -> None:
    for text in (BLOCKED.replace("\n", "\r\n"), BLOCKED.replace("\n", "\r"), "\ufeff" + BLOCKED):
        with LspClient() as client:
            opened(client, text)
            (lens, *_) = client.request("textDocument/codeLens", {"textDocument": {"uri": URI}})
            assert lens["range"]["start"]["line"] == lens["range"]["end"]["line"] == 0
            uri, target = lens["command"]["arguments"]
            assert (uri, target["start"]) == (URI, {"line": 3, "character": 0})


def test_a_document_that_is_not_open_has_no_lens() -> None:
    with LspClient() as client:
        assert lenses(client) == []
