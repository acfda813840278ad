"""Ten situations that every author of handoffs meets, with the code actions that an editor lists there.

``‸`` is the cursor. The titles are those of a client that can show the values behind an action.
"""

from __future__ import annotations

from typing import NamedTuple

PATH = "handoffs/login-developer-handoff.md"
HANDOFF = """# Login — Handoff from Developer

## Status

complete

## Status reason

## Abstract

```yaml
outcome: Login works
verdict: n/a
files: 1 created, 0 modified, 0 deleted
next_phase: tester
open_questions: 0
```

## Files Created

- app/login.py

## Quality-Gate Results

pytest: 12 passed

## DoD coverage

- Login works: ✓
"""
TURN = """```agent_contract_handoff
{
  "agent_status": {
    "plan_status": "IN_PROGRESS",
    "agent_id": "ab7e4d2",
    "pending_steps": ["wire it"],
    "next_action": "wire it"
  }
}
```
"""
STATUS_FILE = """{
  "agent_id": "a", "agent_type": "worker", "task": "t", "progress": "1/3: Reading", "last_checkpoint": null,
  "status": "running",
  "started_at": "2026-03-02T08:00:00Z", "updated_at": "2026-03-02T08:40:00Z"
}
"""
LOG = """2026-03-02T08:00:00Z [STATUS] running
2026-03-02T08:45:00Z [STATUS] blocked
"""


class Situation(NamedTuple):
    """A document with a cursor, other files beside it, and the expected titles in order."""

    name: str
    text: str
    titles: tuple[str, ...]
    path: str = PATH
    beside: tuple[tuple[str, str], ...] = ()


def changed(old: str, new: str, text: str = HANDOFF) -> str:
    """A text with one part replaced."""
    assert text.count(old) == 1, old
    return text.replace(old, new)


EXTRACT = "Extract to `login-developer-handoff.handoff.json`"

SITUATIONS = (
    Situation(
        "missing status",
        changed("## Status\n\ncomplete\n\n## Status reason\n\n", "").replace("# Login", "# Lo‸gin", 1),
        ("Insert the Status block", "Set `Status` to …", EXTRACT, "Ignore …"),
    ),
    Situation(
        "misspelt status",
        changed("complete", "compl‸eet"),
        ('Change "compleet" to `complete`', "Set `Status` to …", EXTRACT, "Ignore `invalid-value` …"),
    ),
    Situation(
        "a word that is no status",
        changed("complete", "dn‸oe"),
        ("Set `Status` to …", EXTRACT, "Ignore `invalid-value` …"),
    ),
    Situation(
        "empty status",
        changed("## Status\n\ncomplete", "## St‸atus"),
        ("Set `Status` to …", EXTRACT, "Ignore `empty-value` …"),
    ),
    Situation(
        "left placeholder",
        changed("complete", "<complete | blo‸cked | failed | incomplete>"),
        ("Set `Status` to …", EXTRACT, "Ignore `placeholder-left` …"),
    ),
    Situation(
        "missing conditional field",
        changed("complete\n\n## Status reason\n", "blocked\n\n## Status reason\n\nNo database\n").replace(
            "# L", "# ‸L", 1
        ),
        (
            "Insert section `Open Questions`",
            "Set `Status` to …",
            EXTRACT,
            "Ignore `missing-conditional-field` …",
        ),
    ),
    Situation(
        "trailing comma",
        changed('"wire it"\n', '"wire it",‸\n', TURN),
        ("Remove the trailing comma", "Ignore `invalid-json` …"),
        "handoffs/turn-01.md",
    ),
    Situation(
        "wrong count",
        changed("1 created", "7 cr‸eated"),
        ("Change `created` to 1", "Unwrap `Abstract` from its fence", "Ignore `count-mismatch` …"),
    ),
    Situation(
        "unknown heading",
        changed("## DoD coverage", "## DoD cov‸erag"),
        ("Rename `DoD coverag` to `DoD coverage`", "Ignore `missing-section` …"),
    ),
    Situation(
        "missing section",
        changed("\n## DoD coverage\n\n- Login works: ✓\n", "").replace("# L", "# ‸L", 1),
        ("Insert section `DoD coverage`", "Set `Status` to …", EXTRACT, "Ignore `missing-section` …"),
    ),
    Situation(
        "contradiction with another file",
        changed('"running"', '"run‸ning"', STATUS_FILE),
        ("Set `status` to …", "Ignore `file-disagreement` in this file (config)"),
        ".agent/status.json",
        ((".agent/activity.log", LOG),),
    ),
    Situation(
        "a turn with a bare status",
        '```agent_contract_handoff\n{"agent_sta‸tus": {"plan_status": "COMPLETE"}}\n```\n',
        ("Insert all 3 missing fields", "Insert a missing field …", "Ignore `missing-field` …"),
        "handoffs/turn-01.md",
    ),
)
