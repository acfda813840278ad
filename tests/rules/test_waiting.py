"""Next steps, task counts and archives that withhold a change, and harmless phrases that resemble them."""

from __future__ import annotations

import pytest
from rules.sdd_documents import ENVELOPE, action_of


@pytest.mark.parametrize(
    "following",
    [
        "Blocked: the palette is open",
        "_Blocked_: the palette is open",
        "Bloqueado: falta la paleta",
        "STOP: ask the user",
        "Waiting for the user",
        "sdd-tasks, not yet: blocked on legal",
        "Do not start sdd-tasks",
        "Not ready for tasks",
        "resolve-blockers",
    ],
)
def test_a_next_phase_that_waits(following: str) -> None:
    assert action_of(ENVELOPE % ("success", following, "None"), "out.md") == "ask"


@pytest.mark.parametrize(
    "following",
    [
        "sdd-tasks",
        "sdd-tasks. Nothing is blocked by the open question.",
        "sdd-tasks (not blocked by anything)",
        "sdd-tasks, no longer blocked by legal",
        "sdd-tasks; sdd-spec is blocked by it",
        "sdd-tasks — not yet run for the palette",
        "Waiting list feature: sdd-tasks",
        "Stop-words design done: sdd-tasks",
    ],
)
def test_a_next_phase_that_may_start(following: str) -> None:
    assert action_of(ENVELOPE % ("success", following, "None"), "out.md") == "advance"


SUMMARY = """## Tasks Created

**Change**: night-mode
**Location**: engram

### Next Step
%s
"""


@pytest.mark.parametrize(
    ("following", "action"),
    [
        ("Ready for implementation (sdd-apply).", "advance"),
        ("Ready for sdd-apply; ask for a review later.", "advance"),
        ("Ready for implementation (sdd-apply). Once complete, run sdd-verify.", "advance"),
        ("Ready for sdd-apply (the pilot runs until Friday)", "advance"),
        ("Run `sdd-apply` once per phase.", "advance"),
        ("Hold-out tests are defined; ready for sdd-apply", "advance"),
        ("Ready for implementation (sdd-apply) unless legal objects", "ask"),
        ("Ready for sdd-apply once the user answers.", "ask"),
        ("Not ready for sdd-apply: the palette is open.", "ask"),
        ("None", "ask"),
        ("pending", "ask"),
        ("?", "ask"),
        ("Ask the user", "ask"),
        ("_Blocked_: the palette is open", "ask"),
    ],
)
def test_the_next_step_of_a_summary(following: str, action: str) -> None:
    assert action_of(SUMMARY % following, "out.md") == action


PROGRESS = """## Implementation Progress

**Change**: night-mode

### Completed Tasks
- [%s] 1.1 Add the switch

### Status
%s
"""


@pytest.mark.parametrize(
    ("box", "status", "action"),
    [
        ("x", "1/1 tasks complete. Ready for verify", "advance"),
        ("x", "1/1 tasks complete. Nothing is blocked.", "advance"),
        ("x", "1/1 tasks complete. 12 tests pass, 0 failed.", "advance"),
        ("x", "1/1 tasks complete. No tests failed. Ready for verify.", "advance"),
        ("x", "1/1 tasks complete. 0 tasks pending.", "advance"),
        ("x", "1/1 tasks complete. Build failed initially; fixed in abc123.", "advance"),
        ("x", "1/1 tasks complete. TDD: tests fail first (RED), then pass (GREEN).", "advance"),
        ("x", "1/1 tasks complete, but the build takes 3 minutes. Ready for verify.", "advance"),
        ("x", "1/1 tasks complete. No tasks blocked. Blocked by: none", "advance"),
        ("x", "1/1 tasks complete, but the build fails.", "ask"),
        ("x", "1/1 tasks complete; tests failing", "ask"),
        ("x", "1/1 tasks not complete", "ask"),
        ("x", "1/1 tasks failed", "ask"),
        ("x", "0/0 tasks complete", "ask"),
        ("x", "1/1 tasks complete. Blocked by legal", "ask"),
        (" ", "1/1 tasks complete. Ready for verify", "ask"),
    ],
)
def test_a_task_count(box: str, status: str, action: str) -> None:
    assert action_of(PROGRESS % (box, status), "apply-progress.md") == action


ARCHIVE = """## Change Archived

**Change**: night-mode
**Archived to**: %s

### Archive Contents
- proposal.md %s

### SDD Cycle Complete
%s
"""
PLACE = "engram `sdd/night-mode/archive-report`"


@pytest.mark.parametrize(
    ("place", "mark", "end", "action"),
    [
        (PLACE, "✅", "The change was planned, verified and archived.", "advance"),
        (PLACE, "✅", "Not yet: the tests fail.", "ask"),
        (PLACE, "✅", "No further action required.", "advance"),
        (PLACE, "✅", "No quedan tareas pendientes.", "advance"),
        ("N/A (engram mode: no folder is moved)", "✅", "Yes.", "advance"),
        (PLACE, "❌", "The change was planned, verified and archived.", "ask"),
        ("Not archived: the verification failed", "✅", "Yes.", "ask"),
        ("pending", "✅", "Yes.", "ask"),
        ("N/A", "✅", "Yes.", "ask"),
    ],
)
def test_a_change_that_is_not_archived(place: str, mark: str, end: str, action: str) -> None:
    assert action_of(ARCHIVE % (place, mark, end), "archive-report.md") == action
