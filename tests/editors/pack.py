"""A pack of prompts for an editor to open: a contract of its own, a prompt with a drift, a template and a handoff."""

from __future__ import annotations

from pathlib import Path

PROMPT, CONTRACT = "agents/reviewer.md", "contracts/ticket.yaml"
TEMPLATE, HANDOFF = "templates/ticket-template.md", "work/monday.md"

FILES = {
    ".handoff-lsp.toml": 'contract-files = ["contracts/*.yaml"]\n\n[editor]\nwait-while-typing = false\n',
    CONTRACT: """\
contract: ticket
title: Ticket
called: 'ticket handoffs?'
about: What is left to do.
status: state
unread: nobody reads the ticket
section: {title: '(?i)^ticket', holds: [state, owner], labels: true}
fields:
  state:
    type: enum
    title: State
    required: true
    carriers: [list-label]
    values:
      - {value: open, then: the next agent takes it}
      - {value: completed, then: it is closed}
  owner: {type: line, title: Owner, carriers: [list-label]}
routing:
  - {when: {state: completed}, action: advance, reason: nothing is left, reads: [owner]}
  - {action: stop, reason: nobody knows}
""",
    PROMPT: """\
# Reviewer 🚀

You review the work of 看板. End with a ticket handoff:

- `State`: `open` or `completed`
- `Owner`: your name

When all tests pass, 🚀 write `State: complted`.
""",
    TEMPLATE: """\
# Ticket handoff

## Ticket

- State: <open | completed>
- Owner: <name>
""",
    HANDOFF: """\
# Monday 🚀

## Ticket

- State: completed
- Owner: reviewer
""",
}
# The four files that say `completed`, and the lines with it after the drift is fixed.
SAID = {PROMPT: 2, CONTRACT: 2, TEMPLATE: 1, HANDOFF: 1}
DRIFT, DRIFT_LINE = "complted", 8


def write(folder: Path) -> Path:
    """The files in a folder, which is returned."""
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def lines_with(folder: Path, word: str) -> dict[str, int]:
    """How many lines of each file on disk say a word."""
    return {path: sum(word in line for line in (folder / path).read_text("utf-8").splitlines()) for path in SAID}
