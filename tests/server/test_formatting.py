"""Formatting and inlay hints over the line: Windows' line endings, and clients that declare nothing."""

from __future__ import annotations

from server.client import URI, LspClient, Message, range_

HANDOFF = """# Login — Handoff from Developer
## Status
blocked
## Status reason

No 🙂

## Abstract

open_questions: 1

## Open Questions

- 掲示板?
- why?
"""
SIZES = {"tabSize": 2, "insertSpaces": True}


def edited(text: str, edits: list[Message]) -> str:
    """A text after edits, in a client that counts UTF-16."""
    lines = text.split("\r\n")
    for edit in reversed(edits):
        start, end = edit["range"]["start"], edit["range"]["end"]
        offsets = [sum(len(line) + 2 for line in lines[: at["line"]]) + at["character"] for at in (start, end)]
        text = text[: offsets[0]] + edit["newText"] + text[offsets[1] :]
    return text


def test_windows_line_endings_stay() -> None:
    json = '{"agent_status": {"plan_status": "COMPLETE"},\r\n\r\n"evidence_report": null}'
    body = f"a\r\n```agent_contract_handoff\r\n{json}\r\n```\r\n"
    with LspClient() as client:
        client.open(body)
        client.published()
        edits = client.request("textDocument/formatting", {"textDocument": {"uri": URI}, "options": SIZES})
    lines = ["{", '  "agent_status": {', '    "plan_status": "COMPLETE"', "  },", '  "evidence_report": null', "}"]
    assert edited(body, edits) == "\r\n".join(["a", "", "```agent_contract_handoff", *lines, "```", ""])


def test_edits_leave_alone_what_is_right() -> None:
    """A cursor stays where it is: no edit goes over a character that is not a blank."""
    with LspClient() as client:
        client.open(HANDOFF)
        client.published()
        edits = client.request("textDocument/formatting", {"textDocument": {"uri": URI}, "options": SIZES})
    assert [(edit["range"], edit["newText"]) for edit in edits] == [
        (range_((line, 0), (line, 0)), "\n") for line in (1, 2, 3)
    ]


def test_a_client_that_declares_nothing_has_all_of_a_hint_at_once() -> None:
    with LspClient() as client:
        client.open(HANDOFF)
        client.published()
        asked = {"textDocument": {"uri": URI}, "range": range_((0, 0), (20, 0))}
        status, count = client.request("textDocument/inlayHint", asked)
        assert "data" not in status
        assert status["tooltip"]["value"].startswith("`blocked`")
        assert count["textEdits"] == [{"range": range_((9, 16), (9, 17)), "newText": "2"}]
        assert client.capabilities["inlayHintProvider"] == {"resolveProvider": True}


def test_a_hint_is_explained_when_it_is_asked_for() -> None:
    able = {"textDocument": {"inlayHint": {"resolveSupport": {"properties": ["tooltip"]}}}}
    with LspClient(able) as client:
        client.open(HANDOFF)
        client.published()
        asked = {"textDocument": {"uri": URI}, "range": range_((9, 0), (10, 0))}
        (hint,) = client.request("textDocument/inlayHint", asked)
        assert "tooltip" not in hint
        assert "Open Questions" in client.request("inlayHint/resolve", hint)["tooltip"]["value"]
        client.close()
        client.published()
        assert client.request("inlayHint/resolve", hint) == hint


def test_a_document_that_is_not_open_is_left_to_others() -> None:
    with LspClient() as client:
        asked = {"textDocument": {"uri": URI}, "options": SIZES}
        assert client.request("textDocument/formatting", asked) is None
        assert client.request("textDocument/rangeFormatting", {**asked, "range": range_((0, 0), (9, 0))}) is None
        typed = {**asked, "position": {"line": 0, "character": 0}, "ch": "\n"}
        assert client.request("textDocument/onTypeFormatting", typed) is None
