"""Completion, hover and code actions as clients of different abilities get them."""

from __future__ import annotations

from typing import Any

import pytest
from server.client import URI, LspClient, Message, range_
from server.documents import CONTRACT, SOUND, WITHOUT_STATUS

from handoff_lsp.text import Edit, Source, Span, apply_edits

LITERALS: Message = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source.fixAll"]}}}


def applied(text: str, edits: list[Message]) -> str:
    """A text with a client's edits applied; snippets must have been left out."""
    source = Source(text)
    made = []
    for item in edits:
        start, end = item["range"]["start"], item["range"]["end"]
        span = Span(
            source.decode(start["line"], start["character"], "utf-16"),
            source.decode(end["line"], end["character"], "utf-16"),
        )
        made.append(Edit(span, item["newText"]))
    return apply_edits(text, made)


def actions(client: LspClient, **context: Any) -> list[Message]:
    """The actions of the first line."""
    asked = {"textDocument": {"uri": URI}, "range": range_((0, 4), (0, 4)), "context": {"diagnostics": [], **context}}
    found: list[Message] = client.request("textDocument/codeAction", asked)
    return found


def completions(client: LspClient, line: int, character: int) -> list[Message]:
    """The completion items at a place."""
    asked = {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}}
    found: list[Message] = client.request("textDocument/completion", asked)["items"]
    return found


def test_completion_for_a_client_with_snippets_and_one_without() -> None:
    rich = {
        "snippetSupport": True,
        "labelDetailsSupport": True,
        "preselectSupport": True,
        "documentationFormat": ["markdown"],
    }
    text = "# Feature login — Handoff from Developer\n\n## Status reason\n\n## Abstract\noutcome: x\nverdict: n/a\n\n"
    with LspClient({"textDocument": {"completion": {"completionItem": rich}}}) as able, LspClient() as plain:
        for client in (able, plain):
            client.open(text)
            client.diagnostics(1)
        one, other = completions(able, 8, 0), completions(plain, 8, 0)
        assert [item["label"] for item in one] == [item["label"] for item in other] != []
        assert any(item["insertTextFormat"] == 2 and "${" in item["textEdit"]["newText"] for item in one)
        for item in other:
            assert item["insertTextFormat"] == 1
            assert "${" not in item["textEdit"]["newText"]
            assert "labelDetails" not in item
            assert "preselect" not in item
        assert [item["sortText"] for item in one] == sorted(item["sortText"] for item in one)
        keyed, bare = (next(item for item in items if "data" in item) for items in (one, other))
        assert able.request("completionItem/resolve", keyed)["documentation"]["kind"] == "markdown"
        assert isinstance(plain.request("completionItem/resolve", bare)["documentation"], str)


def test_enum_values_are_completed() -> None:
    with LspClient() as client:
        client.open(SOUND)
        client.diagnostics(1)
        labels = [item["label"] for item in completions(client, 3, 0)]
        assert {"complete", "blocked", "failed", "incomplete"} <= set(labels)


@pytest.mark.parametrize(
    ("formats", "kind"), [(["markdown", "plaintext"], "markdown"), (["plaintext"], "plaintext"), (None, "plaintext")]
)
def test_hover(formats: list[str] | None, kind: str) -> None:
    abilities = {"textDocument": {"hover": {"contentFormat": formats}}} if formats else {}
    with LspClient(abilities) as client:
        client.open(SOUND)
        client.diagnostics(1)
        asked = {"textDocument": {"uri": URI}, "position": {"line": 3, "character": 2}}
        found = client.request("textDocument/hover", asked)
        assert found["contents"]["kind"] == kind
        assert found["range"]["start"]["line"] == 3
        assert "orchestrator" in found["contents"]["value"].lower() or "complete" in found["contents"]["value"]


def test_the_fix_that_inserts_the_status_block() -> None:
    text = SOUND[: SOUND.index("## Status")] + SOUND[SOUND.index("## Iteration") :]
    with LspClient({"textDocument": {"codeAction": {**LITERALS, "isPreferredSupport": True}}}) as client:
        client.open("<!-- handoff: status-block -->\n" + text)
        shown = client.diagnostics(1)
        missing = next(item for item in shown if item["code"] == "missing-status")
        asked = {
            "textDocument": {"uri": URI},
            "range": missing["range"],
            "context": {"diagnostics": [missing], "only": ["quickfix"]},
        }
        found = client.request("textDocument/codeAction", asked)
        action = next(item for item in found if item["title"].startswith("Insert the Status block"))
        assert action["kind"] == "quickfix"
        assert action["diagnostics"] == [missing]
        edits = action["edit"]["changes"][URI]
        client.change(2, {"text": applied("<!-- handoff: status-block -->\n" + text, edits)})
        assert "missing-status" not in client.codes(2)


def test_edits_as_the_client_can_take_them() -> None:
    versioned = {"workspace": {"workspaceEdit": {"documentChanges": True, "snippetEditSupport": True}}}
    with LspClient({"textDocument": {"codeAction": LITERALS}, **versioned}) as client:
        client.open(WITHOUT_STATUS, version=4)
        client.diagnostics(4)
        edits = [item["edit"]["documentChanges"][0] for item in actions(client, only=["quickfix"])]
        assert all(item["textDocument"] == {"uri": URI, "version": 4} for item in edits)
        assert any(edit.get("snippet", {}).get("kind") == "snippet" for item in edits for edit in item["edits"])


def test_kinds_are_honored() -> None:
    text = CONTRACT.replace(', "pending_steps"', ',, "pending_steps"')
    with LspClient({"textDocument": {"codeAction": LITERALS}}) as client:
        assert client.capabilities["codeActionProvider"]["codeActionKinds"] == [
            "quickfix",
            "refactor.rewrite.handoff",
            "refactor.extract.handoff",
            "source.fixAll.handoff",
            "source.organize.handoff",
            "source.handoff",
        ]
        client.open(WITHOUT_STATUS)
        client.diagnostics(1)
        assert {item["kind"] for item in actions(client, only=["quickfix"])} == {"quickfix"}
        for kind in ("source.fixAll", "source.fixAll.handoff"):
            (every,) = actions(client, only=[kind])
            assert every["kind"] == "source.fixAll.handoff"
        assert {item["kind"] for item in actions(client, only=["refactor"])} == {"refactor.rewrite.handoff"}
        assert actions(client, only=["refactor.inline"]) == []
        assert actions(client, only=["source.fixAll.other"]) == []
        # The values of a status are listed beside no fix by a client that cannot ask for one.
        assert {item["kind"] for item in actions(client)} == {"quickfix", "source.fixAll.handoff"}
        moved = {item["kind"] for item in actions(client, triggerKind=2)}
        assert not any(kind.startswith("source") for kind in moved)
        client.change(2, {"text": applied(WITHOUT_STATUS, every["edit"]["changes"][URI])})
        assert "missing-status" not in client.codes(2)
        client.change(3, {"text": text})
        client.diagnostics(3)


def test_no_actions_without_literals() -> None:
    with LspClient() as client:
        assert client.capabilities["codeActionProvider"] is True
        client.open(WITHOUT_STATUS)
        client.diagnostics(1)
        assert actions(client) == []
