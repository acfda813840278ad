"""A workspace with a contract of its own, and the questions about it, over a real connection."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from server.client import LspClient, Message
from server.test_code_actions import LITERALS

CONFIG = 'contract-files = ["formats/*.yaml"]\n'
CONTRACT = """\
# yaml-language-server: $schema=contract.schema.json
contract: ticket
title: Ticket
about: What is left to do.
status: state
unread: nobody reads it
default_profile: v1
profiles:
  v1: {about: The only one}
section: {title: '(?i)^ticket', holds: [state, owner], labels: true}
fields:
  state:
    type: enum
    title: State
    required: true
    carriers: [list-label]
    values: [{value: open}, {value: done, then: it is closed}]
  owner: {type: line, title: Owner, carriers: [list-label]}
  left: {type: integer, title: Left, carriers: [list-label], required: "state == 'open'", because: it is not done}
checks:
  nothing_left:
    rule: contradiction
    check: "state != 'done' || left == 0"
    at: left
    message: "{left} is left"
routing:
  - {when: "state == 'done'", action: advance, reason: it is done, reads: [owner]}
  - {action: stop, reason: nobody knows}
"""
DOCUMENT = "# Day\n\n## Ticket\n\n- State: opn\n- Owner: ann\n"
ABLE: Message = {
    "textDocument": {"codeAction": {**LITERALS, "isPreferredSupport": True}},
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}


class Files:
    """The files of a workspace whose config names a contract file."""

    def __init__(self, folder: Path, text: str = CONTRACT, config: str = CONFIG) -> None:
        (folder / "formats").mkdir()
        self.folder = folder
        self.contract = folder / "formats" / "ticket.yaml"
        self.contract.write_text(text)
        (folder / ".handoff-lsp.toml").write_text(config)
        self.uri = self.contract.as_uri()
        self.document = (folder / "day.md").as_uri()


def place(text: str, token: str, *, by: int = 0, nth: int = 0) -> Message:
    """The position of a token in a text."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(token, at + 1)
    at += by
    return {"line": text.count("\n", 0, at), "character": at - (text.rfind("\n", 0, at) + 1)}


def marked(text: str, range_: Message) -> str:
    """The text of a range."""
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines))]
    start, end = (starts[range_[side]["line"]] + range_[side]["character"] for side in ("start", "end"))
    return text[start:end]


def fixes(client: LspClient, uri: str, range_: Message, shown: list[Message]) -> list[Message]:
    """The code actions for a range."""
    asked = {"textDocument": {"uri": uri}, "range": range_, "context": {"diagnostics": shown}}
    found: list[Message] = client.request("textDocument/codeAction", asked)
    return found


def applied(text: str, action: Message) -> str:
    """A text with the edit of an action."""
    (change,) = action["edit"]["documentChanges"]
    (edit,) = change["edits"]
    lines = text.split("\n")
    start, end = edit["range"]["start"], edit["range"]["end"]
    assert start["line"] == end["line"]
    line = lines[start["line"]]
    lines[start["line"]] = line[: start["character"]] + edit["newText"] + line[end["character"] :]
    return "\n".join(lines)


def asked(client: LspClient, method: str, uri: str, at: Message, **more: Any) -> Any:
    """The answer to a request about a position."""
    return client.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": at, **more})
