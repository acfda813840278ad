"""The handoff that agents write in these tests, and the messages about it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

INPUTS = Path(__file__).parent / "inputs"
PATH = "handoffs/board/backend-dev-handoff.md"

NOT_CHECKED = "handoff-lsp: what the agent wrote was not checked; `handoff-lsp check` gives the reason."

GOOD = """\
# Board title — Handoff from Backend Developer

## Status

complete

## Status reason

## Abstract

```yaml
outcome: Board titles can be set
verdict: n/a
files: 1 created, 0 modified, 0 deleted
next_phase: dod-checker
open_questions: 0
```

## Iteration

iter 1

## Files Created

- `src/SetBoardTitle.php`

## Files Modified

## Quality-Gate Results

PHPStan: [OK] No errors

## DoD coverage

- ✓ the title is stored

## Key Decisions

- Titles are value objects.

## For the Next Agent

- Look at the event.

## Open Questions
"""
BROKEN = GOOD.replace("## Status\n\ncomplete\n\n", "")

_REST = """\
As it is, the orchestrator's next step is stop: missing or unknown status: treated as `failed`.

1. handoffs/board/backend-dev-handoff.md:1:3 [missing-status] Missing status `Status`
Note: The orchestrator treats the handoff as `failed` and stops the pipeline
Fix: Insert section `Status`
Insert before line 3 (`## Status reason`):
```
## Status

<complete | blocked | failed | incomplete>

```
Replace everything in `<…>`."""

_HEAD = f"handoff-lsp: the handoff in `{PATH}` has 1 error."
AFTER_EDIT = f"{_HEAD} The file is written; edit it to correct this now.\n{_REST}"
AT_END = f"{_HEAD} Correct the file before you finish.\n{_REST}"
LET_GO = (
    f"handoff-lsp: the agent did not correct 1 finding in `{PATH}`. It is not notified again. "
    f"See `handoff-lsp check {PATH}`."
)


def recorded(agent: str, event: str, root: Path, **changed: Any) -> dict[str, Any]:
    """The input of a hook, as from the folder ``root``, with some fields changed."""
    text = (INPUTS / agent / f"{event}.json").read_text(encoding="utf-8")
    for name, path in {"{root}": root, "{home}": root / "home"}.items():
        text = text.replace(name, json.dumps(str(path))[1:-1])
    return {**json.loads(text), **changed}


_PLACEHOLDER = re.compile(r"<([^<>!\n][^<>\n]*)>")


def emitted(complaint: str) -> str:
    """The block that a complaint asks for, filled in as a script does it: the first of several words."""
    lines = complaint.split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith("```"))
    end = lines.index(lines[start].rstrip("abcdefghijklmnopqrstuvwxyz"), start + 1)

    def fill(match: re.Match[str]) -> str:
        words = match[1].split(" | ")
        return words[0] if len(words) > 1 else "as planned"

    return _PLACEHOLDER.sub(fill, "\n".join(lines[start + 1 : end])) + "\n"
