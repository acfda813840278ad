"""Code actions on the wire: edits that are resolved on request, and clients with fewer capabilities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from server.client import URI, LspClient, Message

HANDOFF = (
    "# Login 🙂 — Handoff from Developer\n\n## Status\n\ncomplete\n\n## Status reason\n\n## Abstract\n\noutcome: x\n"
)
SOUND = (
    "outcome: x\nverdict: n/a\nfiles: 0 created, 0 modified, 0 deleted\nnext_phase: tester\nopen_questions: 0\n\n"
    "## Quality-Gate Results\n\nok\n\n## DoD coverage\n\n- ✓ it works"
)
OUT_OF_ORDER = HANDOFF.replace("## Status reason\n\n", "") + "\n## Status reason\n"
BLOCKED = "Set `Status` to `blocked`"
LITERALS = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
RESOLVES = {**LITERALS, "dataSupport": True, "resolveSupport": {"properties": ["edit"]}}
FILES = {"documentChanges": True, "resourceOperations": ["create"]}


def actions(client: LspClient, uri: str = URI, line: int = 4, **context: Any) -> list[Message]:
    """The actions at the beginning of a line."""
    here = {"line": line, "character": 0}
    asked = {
        "textDocument": {"uri": uri},
        "range": {"start": here, "end": here},
        "context": {"diagnostics": [], **context},
    }
    found: list[Message] = client.request("textDocument/codeAction", asked)
    return found


def titled(found: list[Message], title: str) -> Message:
    """The action with a title."""
    return next(action for action in found if action["title"] == title)


def test_edits_come_when_they_are_asked_for() -> None:
    able = {"textDocument": {"codeAction": RESOLVES}, "workspace": {"workspaceEdit": {"documentChanges": True}}}
    with LspClient(able) as client:
        assert client.capabilities["codeActionProvider"]["resolveProvider"] is True
        client.open(HANDOFF)
        client.diagnostics(1)
        action = titled(actions(client), BLOCKED)
        assert "edit" not in action
        (change,) = client.request("codeAction/resolve", action)["edit"]["documentChanges"]
        assert change["textDocument"] == {"uri": URI, "version": 1}
        assert change["edits"][0]["newText"] == "blocked"


def test_an_edit_is_made_for_the_text_as_it_is_now() -> None:
    able = {"textDocument": {"codeAction": RESOLVES}, "workspace": {"workspaceEdit": {"documentChanges": True}}}
    with LspClient(able) as client:
        client.open(HANDOFF)
        client.diagnostics(1)
        action = titled(actions(client), BLOCKED)
        client.change(2, {"text": "<!-- 🙂 -->\n" + HANDOFF})
        client.diagnostics(2)
        (change,) = client.request("codeAction/resolve", action)["edit"]["documentChanges"]
        assert change["textDocument"]["version"] == 2
        assert change["edits"][0]["range"]["start"] == {"line": 5, "character": 0}
        client.change(3, {"text": HANDOFF.replace("complete", "blocked")})
        client.diagnostics(3)
        assert "edit" not in client.request("codeAction/resolve", action)
        client.close(URI)
        assert client.published(URI)["diagnostics"] == []
        assert "edit" not in client.request("codeAction/resolve", action)


def test_a_client_that_cannot_resolve_gets_the_edits_at_once() -> None:
    with LspClient({"textDocument": {"codeAction": LITERALS}}) as client:
        assert not client.capabilities["codeActionProvider"].get("resolveProvider")
        client.open(OUT_OF_ORDER)
        client.diagnostics(1)
        found = actions(client)
        assert all("data" not in action for action in found)
        assert titled(found, BLOCKED)["edit"]["changes"][URI][0]["newText"] == "blocked"
        (organize,) = actions(client, only=["source.organize.handoff"])
        assert len(organize["edit"]["changes"][URI]) == 2
        assert not [action for action in found if action["kind"].startswith("refactor.extract")]


def test_a_file_is_only_made_by_a_client_that_can(tmp_path: Path) -> None:
    uri = (tmp_path / "login-developer-handoff.md").as_uri()
    able = {"textDocument": {"codeAction": LITERALS}, "workspace": {"workspaceEdit": FILES}}
    with LspClient(able) as client:
        client.open(HANDOFF, uri=uri)
        client.diagnostics(1, uri)
        (extract,) = actions(client, uri, only=["refactor.extract"])
        create, written = extract["edit"]["documentChanges"]
        new = (tmp_path / "login-developer-handoff.handoff.json").as_uri()
        assert create == {"kind": "create", "uri": new}
        assert written["textDocument"]["uri"] == new
        assert '"status": "complete"' in written["edits"][0]["newText"]
        (tmp_path / "login-developer-handoff.handoff.json").write_text("{}")
        assert actions(client, uri, only=["refactor.extract"]) == []


def test_fixes_name_what_they_mend() -> None:
    able = {"textDocument": {"codeAction": {**RESOLVES, "isPreferredSupport": True}}}
    with LspClient(able) as client:
        client.open(HANDOFF.replace("complete", "done"))
        (told,) = [item for item in client.diagnostics(1) if item["code"] == "invalid-value"]
        first = actions(client, diagnostics=[told])[0]
        assert first["isPreferred"] is True
        assert first["diagnostics"] == [told]
        assert first["edit"]["changes"][URI][0]["newText"] == "complete"


WITHOUT_COMMENTS = '{"agent_id": "a", "agent_type": "x", "last_checkpoint": null, "status": "running"}\n'
IGNORE = "Ignore `missing-field` in this file (config)"


def test_a_file_without_comments_is_spoken_of_in_a_new_config(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    uri = (tmp_path / ".agent" / "status.json").as_uri()
    able = {"textDocument": {"codeAction": LITERALS}, "workspace": {"workspaceEdit": FILES}}
    with LspClient(able) as client:
        client.open(WITHOUT_COMMENTS, uri)
        client.diagnostics(1, uri)
        created, written = titled(actions(client, uri, 0), IGNORE)["edit"]["documentChanges"]
        config = (tmp_path / ".handoff-lsp.toml").as_uri()
        assert (created["kind"], created["uri"], written["textDocument"]["uri"]) == ("create", config, config)
        assert written["edits"][0]["newText"] == (
            '[[files]]\npattern = ".agent/status.json"\nrules = { missing-field = "off" }\n'
        )


def test_a_file_without_comments_is_spoken_of_in_its_config(tmp_path: Path) -> None:
    (tmp_path / ".handoff-lsp.toml").write_text("[rules]\ncount-mismatch = 'off' # 🙂", encoding="utf-8")
    uri = (tmp_path / ".agent" / "status.json").as_uri()
    with LspClient({"textDocument": {"codeAction": LITERALS}}) as client:
        client.open(WITHOUT_COMMENTS, uri)
        client.diagnostics(1, uri)
        ((changed, edits),) = titled(actions(client, uri, 0), IGNORE)["edit"]["changes"].items()
        assert changed == (tmp_path / ".handoff-lsp.toml").as_uri()
        assert edits[0]["range"]["start"] == {"line": 1, "character": 27}
        assert edits[0]["newText"].startswith("\n\n[[files]]\n")


def test_a_client_that_cannot_write_a_config_is_not_offered_it(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    uri = (tmp_path / ".agent" / "status.json").as_uri()
    with LspClient({"textDocument": {"codeAction": LITERALS}}) as client:
        client.open(WITHOUT_COMMENTS, uri)
        client.diagnostics(1, uri)
        assert IGNORE not in [action["title"] for action in actions(client, uri, 0)]


def test_a_client_that_shows_reasons_gets_one_where_nothing_can_be_fixed() -> None:
    whole = {"only": ["source.fixAll.handoff"]}
    undecided = HANDOFF.replace("complete", "dnoe").replace("outcome: x", SOUND)
    able = {"textDocument": {"codeAction": {**RESOLVES, "disabledSupport": True}}}
    with LspClient(able) as client:
        client.open(undecided)
        (finding,) = client.diagnostics(1)
        assert finding["code"] == "invalid-value"
        (action,) = actions(client, triggerKind=1, **whole)
        assert action["disabled"] == {"reason": "Nothing to fix safely: 1 finding needs your decision"}
        assert actions(client, triggerKind=2, **whole) == []
        assert not any("disabled" in action for action in actions(client))
        client.change(2, {"text": undecided.replace("dnoe", "complete")})
        client.diagnostics(2)
        (action,) = actions(client, triggerKind=1, **whole)
        assert action["disabled"] == {"reason": "Nothing to fix"}
    with LspClient({"textDocument": {"codeAction": RESOLVES}}) as client:
        client.open(undecided)
        client.diagnostics(1)
        assert actions(client, triggerKind=1, **whole) == []
