"""The documents that are typed in: one of each syntax, without findings."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

from benchmarks.hook import EVIDENCE, STATUS
from benchmarks.server_process import ROOT

HEAD = """# Feature login — Handoff from Developer

## Status
complete

## Status reason

## Abstract
outcome: login built
verdict: n/a
files: 2 created, 1 modified, 0 deleted
next_phase: Tester
open_questions: 0

## Iteration
iter 1

## Files Created
- `src/login.py`
- `src/session.py`

## Files Modified
- `src/app.py`: mounts the routes

## Quality-Gate Results
ruff: All checks passed
pytest: 41 passed

## DoD coverage
- ✓ login form: `src/login.py`
- ⚠️ Tester scope: end-to-end test

## Key decisions
"""


class Document(NamedTuple):
    """A document at its path, and the line to type in, from 0."""

    path: str
    text: str
    line: int

    @property
    def column(self) -> int:
        """A place in the last word of the line, from 0."""
        return len(self.text.split("\n")[self.line]) - 4

    @property
    def language(self) -> str:
        """The name that an editor gives the language."""
        return {"md": "markdown", "json": "json", "log": "log"}[self.path.rpartition(".")[2]]


def in_markdown(lines: int) -> Document:
    """A handoff in sections."""
    text = HEAD.splitlines()
    while len(text) < lines - 6:
        n = len(text)
        text.append(f"- decision {n}: the session is kept in `src/part_{n}.py`, since cookies are read twice")
        if n % 40 == 0:
            text += ["", f"### Detail {n}", "", "A paragraph that says why, with `code` and **weight**.", ""]
    text += ["", "## For the next agent", "Start with `src/login.py`.", "", "## Open Questions", "none"]
    return Document("handoffs/feature/developer-handoff.md", "\n".join(text) + "\n", len(text) // 2)


def in_fence(lines: int) -> Document:
    """A contract in a JSON fence, with long lists."""
    half = (lines - 34) // 2
    evidence = {
        **EVIDENCE,
        "patterns_checked": [f"pattern {number}" for number in range(half)],
        "key_outputs": [f"output {number}" for number in range(half)],
    }
    contract = {
        "agent_status": STATUS,
        "evidence_report": evidence,
        "consolidation_report": None,
        "approval_request": None,
    }
    text = f"# Report\n\n```agent_contract_handoff\n{json.dumps(contract, indent=2)}\n```\n"
    return Document("turns/turn-1.md", text, text.count("\n", 0, text.index(f'"pattern {half // 2}"')))


def in_json(lines: int) -> Document:
    """A file of JSON: an agent's state, with a long list."""
    findings = [f"finding {number}: src/file_{number}.py is read twice" for number in range(lines - 20)]
    state = json.loads((ROOT / "examples" / "worktree" / ".agent" / "status.json").read_text(encoding="utf-8"))
    state |= {"status": "running", "progress": "1/3: half done", "findings": findings}
    return Document("work/.agent/status.json", json.dumps(state, indent=2) + "\n", lines // 2)


def in_pairs(lines: int) -> Document:
    """A block of `key: value` lines, with a list that one of them counts."""
    count = lines - 13
    items = "\n".join(f"  - R-{number:04}: src/part_{number}.rs - the key is logged" for number in range(1, count + 1))
    text = (
        "# Review\n\nDone.\n\n```\nAGENT_RESULT: reviewer\nSTATUS: rejected\n"
        f"CRITICAL_COUNT: {count}\nWARNING_COUNT: 0\nCRITICAL_ITEMS:\n{items}\nNEXT: developer\n```\n"
    )
    return Document("reports/review.md", text, lines // 2)


def in_log(lines: int) -> Document:
    """A log, an event a line."""
    kinds = (
        "[READ] src/part_{}.ts",
        "[EDIT] src/part_{}.ts",
        "[TEST] npm test -- part_{} PASS",
        "[COMMIT] wip: part {}",
    )
    events = [
        f"2026-02-{1 + number // 1440:02}T{number // 60 % 24:02}:{number % 60:02}:00Z "
        + kinds[number % 4].format(number)
        for number in range(lines - 2)
    ]
    text = "\n".join(("2026-01-31T10:00:00Z [START] Task: Add the export button", *events, events[-1][:20]))
    return Document("work/.agent/activity.log", f"{text} [STATUS] completed\n", lines // 2)


# The name of each row, its document, and the largest ratio to the bare server that is wanted.
ROWS: tuple[tuple[str, Callable[[int], Document], int, float | None], ...] = (
    ("Markdown, 60 lines", in_markdown, 60, 2),
    ("Markdown, 6,000 lines", in_markdown, 6000, 2.5),
    ("JSON fence, 60 lines", in_fence, 60, 2),
    ("JSON fence, 6,000 lines", in_fence, 6000, 2.5),
    ("JSON file, 60 lines", in_json, 60, 2),
    ("JSON file, 6,000 lines", in_json, 6000, 2.5),
    ("`key: value` block, 60 lines", in_pairs, 60, 2),
    ("`key: value` block, 6,000 lines", in_pairs, 6000, 2.5),
    ("Log, 10,000 lines", in_log, 10_000, None),
)
