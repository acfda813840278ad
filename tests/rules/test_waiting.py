"""Next steps, task counts and archives that withhold a change, and harmless phrases that resemble them."""

from __future__ import annotations

import pytest
from rules.sdd_documents import ENVELOPE, action_of

from handoff_lsp import check_text


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
        "Pending user approval",
        "Awaiting approval",
        "Requires approval by the user",
        "Needs human sign-off; then sdd-tasks",
        "sdd-tasks (blocked)",
        "sdd-tasks (bloqueado por legal)",
        "Esperar la aprobación del usuario",
        "Pendiente de aprobación",
        "No continuar",
        "Preguntar al usuario",
        "ユーザーの承認待ち",
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
        "sdd-tasks (blocked tests are skipped)",
        "sdd-tasks (ready), sdd-spec (blocked)",
        "sdd-tasks (blocked: none)",
        "sdd-tasks (pending)",
        "Pending approval: none. sdd-tasks",
        "Requires approval workflow tasks: sdd-tasks",
        "Needs user avatars: sdd-tasks",
        "Needs sdd-tasks",
        "No bloqueado: sdd-tasks",
        "Pendiente: sdd-tasks",
        "承認待ち画面: sdd-tasks",
        "sdd-tasks (bloqueado: ninguno)",
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
        ("Awaiting approval", "ask"),
        ("Requires approval", "ask"),
        ("sdd-apply (blocked)", "ask"),
        ("Ninguno.", "ask"),
        ("なし", "ask"),
        ("Ninguna pregunta abierta: sdd-apply", "advance"),
        ("Nada pendiente; sdd-apply", "advance"),
        ("実装（sdd-apply）へ", "advance"),
        ("sdd-apply (blocked: none)", "advance"),
        ("sdd-apply (blocked: no palette)", "ask"),
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
        ("x", "1/1 tasks complete. 1 test fails.", "ask"),
        ("x", "1/1 tasks complete (build failing)", "ask"),
        ("x", "1/1 tasks complete — the e2e suite is red", "ask"),
        ("x", "1/1 tasks complete. Tests still fail.", "ask"),
        ("x", "1/1 tasks complete (pending approval)", "ask"),
        ("x", "1/1 tasks complete.\nBlocked by CI", "ask"),
        ("x", "1/1 tasks complete.\n\nHowever, tests fail.", "ask"),
        ("x", "1/1 tasks complete. Bloqueado por CI", "ask"),
        ("x", "1/1 tasks complete, pero fallan las pruebas", "ask"),
        ("x", "1/1 tasks complete. Not ready for verify.", "ask"),
        ("x", "1/1 tasks pending", "ask"),
        ("x", "1 of 1 tasks remaining.", "ask"),
        ("x", "1/1 tasks complete. 0/1 tasks remaining.", "advance"),
        ("x", "1/1 tasks complete. Build was red, now green.", "advance"),
        ("x", "1/1 tasks complete. Tests fail, as specified (RED phase).", "advance"),
        ("x", "1/1 tasks complete. Build fails (pre-existing)", "advance"),
        ("x", "1/1 tasks complete. Pending: sdd-verify", "advance"),
        ("x", "1/1 tasks complete (pending review)", "advance"),
        ("x", "1/1 tasks complete. Not ready for archive until it is verified", "advance"),
        ("x", "1/1 tasks complete. Nada bloqueado por CI.", "advance"),
        ("x", "1/1 tasks complete.\nBlocked by: none", "advance"),
        ("x", "1/1 tasks complete. E2E tests not run. Ready for verify.", "advance"),
        ("x", "1/1 tasks complete. E2E tests not run. The build fails.", "ask"),
        ("x", "1/1 tasks complete. Could not run the tests.", "ask"),
        ("x", "1/1 tasks complete (unverified). Ready for verify", "advance"),
        ("x", "1/1 tasks complete. Migration not run on production. Ready for verify", "advance"),
        ("x", "1/1 tasks complete. Needs human review of the copy. Ready for verify", "advance"),
        ("x", "1/1 tasks complete. Needs user testing. Ready for verify", "advance"),
        ("x", "1/1 tasks complete. Requires input validation elsewhere. Ready for verify.", "advance"),
        ("x", "1/1 tasks complete. Nothing tested yet. Ready for verify.", "advance"),
        ("x", "1/1 tasks complete. Pendiente de revisión. Listo para verificar.", "advance"),
        ("x", "1/1 tasks complete. Needs a decision by the user.", "ask"),
        ("x", "1/1 tasks complete. 検証は未実施。", "advance"),
        ("x", "1/1 tasks complete. 3 failures, same as on the base branch. Ready for verify.", "advance"),
        ("x", "1/1 tasks complete. El botón queda bloqueado hasta que carga.", "advance"),
        ("x", "1/1 tasks complete. Sin tareas bloqueadas por dependencias.", "advance"),
        ("x", "1/1 tasks complete, pero bloqueado por CI", "ask"),
        ("x", "1/1 tasks complete.\n\n- Build: passes\n- Tests: 12 pass", "advance"),
    ],
)
def test_a_task_count(box: str, status: str, action: str) -> None:
    assert action_of(PROGRESS % (box, status), "apply-progress.md") == action


def test_a_count_with_a_remark_is_named() -> None:
    text = PROGRESS % ("x", "1/1 tasks complete. 1 test fails.")
    report = check_text(text, "openspec/changes/night-mode/apply-progress.md")
    said = [one.message for one in report.findings if one.rule == "contradiction"]
    assert said == ['`Status` says more than `1/1 tasks complete`: "1 test fails"']


def test_open_tasks_that_are_not_ready() -> None:
    text = PROGRESS % ("x", "1/2 tasks complete. Not ready for verify.")
    report = check_text(text, "openspec/changes/night-mode/apply-progress.md")
    assert not [one for one in report.findings if one.rule == "contradiction"]
    assert report.handoffs[0].routing.action == "continue"


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
