"""What counts as a CRITICAL issue or risk, and what only says that there is none."""

from __future__ import annotations

import pytest

from handoff_lsp import check_text

REPORT = """## Verification Report

**Change**: night-mode

### Issues Found

%s

### Verdict
PASS
"""

ENVELOPE = """## Design Complete

**Change**: night-mode
**Status**: success

### Summary
The design is written.

### Artifacts
- engram `sdd/night-mode/design`

### Next Recommended
%s

### Risks
%s
"""

JSON = """```json
{"status": "success", "executive_summary": "Done.", "artifacts": [], "next_recommended": "sdd-tasks", "risks": %s,
 "skill_resolution": "none"}
```
"""

FOLDER = "openspec/changes/night-mode/"


def action_of(text: str, name: str) -> str:
    """The decision about the only handoff of a file of the change."""
    return check_text(text, FOLDER + name).handoffs[0].routing.action


@pytest.mark.parametrize(
    "issues",
    [
        "**CRITICAL**:\n- The token leaks",
        "__CRITICAL__:\n- The token leaks",
        "_CRITICAL:_\n- The token leaks",
        "**CRÍTICO** (debe corregirse):\n- Se filtra el token",
        "**CRITICAL**:\n- None of the tests cover the token",
        "**CRITICAL**:\n- Nothing encrypts the token",
        "**CRITICAL**: No issues in the styles, but the token leaks",
        "- CRITICAL: The token leaks\n- ~~WARNING: The name is long~~ fixed in abc123",
        "**CRITICAL**: closed connections leak",
        "**CRITICAL**: fixed width buffers overflow",
        "**CRITICAL**: warnings are swallowed by the logger",
        "| # | Issue | Severity |\n| --- | --- | --- |\n| 1 | The token leaks | CRITICAL |",
    ],
)
def test_a_critical_issue_under_pass(issues: str) -> None:
    assert action_of(REPORT % issues, "verify-report.md") == "ask"


@pytest.mark.parametrize(
    "issues",
    [
        "**CRITICAL**: None. All three of the first round are closed.",
        "**CRITICAL**: None blocking the spec. (See WARNING: no defect, but a task.)",
        "**CRITICAL**: None related to this change",
        "**CRITICAL**: None to report",
        "**CRITICAL** issues: None",
        "**CRITICAL**: no outstanding issues",
        "**CRÍTICO**: No hay problemas críticos",
        "**CRÍTICO**: Ningún hallazgo",
        "**CRÍTICO**: Todos resueltos",
        "**CRÍTICO**\n\n**ADVERTENCIA**: nombre largo",
        "**CRITICAL**: なし",
        "| Issue | Severity |\n| --- | --- |\n| None | CRITICAL |",
        "| Issue | Status | Severity |\n| --- | --- | --- |\n| The token leaked | ✅ Resolved | CRITICAL |",
        "| Meaning | Level |\n| --- | --- |\n| Must be fixed | CRITICAL |",
        "**CRITICAL**: 0 issues",
        "**CRITICAL**: 0 found",
        "**CRITICAL**: No blocking issues",
        "**CRITICAL**: Not applicable",
        "**CRITICAL**: all resolved",
        "**CRITICAL**: resolved in abc123",
        "**CRITICAL**: Sin hallazgos",
        "**CRITICAL**: No se encontraron problemas",
        "**CRITICAL**: ~~The token leaks~~ fixed in abc123",
        "- CRITICAL:\n    1. None",
        "**CRITICAL**\n\n**WARNING**: The name is long",
        "__CRITICAL__: None",
        "| Severity | Count |\n| --- | --- |\n| CRITICAL | 0 |",
        "| Issue | CRITICAL |\n| --- | --- |\n| The name is long | no |",
    ],
)
def test_nothing_critical_under_pass(issues: str) -> None:
    assert action_of(REPORT % issues, "verify-report.md") == "advance"


@pytest.mark.parametrize(
    "risks",
    [
        "- CRITICAL: The token leaks",
        "- CRITICAL: トークンが漏れる",
        "- CRITICAL: None of the tests cover the token",
        "- R1 [CRITICAL]: the token leaks",
        "- CRITICAL\n  - The token leaks",
        "- CRITICAL:\n  the token leaks",
        "#### CRITICAL\n- The token leaks",
        "**CRITICAL**\n\n- The token leaks\n\n**WARNING**\n\n- The name is long",
        "| Severity | Risk |\n| --- | --- |\n| CRITICAL | The token leaks |",
        "| Severity | Risk |\n| --- | --- |\n| **CRITICAL** | The token leaks |",
        "| Risk | Severity |\n| --- | --- |\n| The token leaks | CRITICAL |",
    ],
)
def test_a_critical_risk(risks: str) -> None:
    assert action_of(ENVELOPE % ("Ready for tasks (sdd-tasks)", risks), "out.md") == "ask"


@pytest.mark.parametrize(
    "risks",
    [
        "- CRITICAL: None",
        "_CRITICAL: None_",
        "- CRITICAL issues: none",
        "- **CRITICAL (0)**: none",
        "- CRITICAL: nothing found",
        "- CRITICAL: —",
        "- CRITICAL: 0; WARNING: 2",
        "- No CRITICAL risks",
        "- CRITICAL: なし",
        "- CRITICAL: none introduced",
        "- CRITICAL: all resolved",
        "#### CRITICAL\n- なし",
        "#### CRITICAL\n- ~~The token leaks~~ fixed in abc1234",
        "**CRITICAL**: —\n\n- WARNING: The name is long",
        "| CRITICAL | WARNING | SUGGESTION |\n| --- | --- | --- |\n| 0 | 1 | 0 |",
        "| # | Severity | Risk |\n| --- | --- | --- |\n| 1 | CRITICAL | None |",
        "| Severity | Risk | Was |\n| --- | --- | --- |\n| WARNING | The name is long | CRITICAL |",
        "- CRITICAL\n  - None",
        "**CRITICAL**\n\n- None\n\n**WARNING**\n\n- The name is long",
    ],
)
def test_no_critical_risk(risks: str) -> None:
    assert action_of(ENVELOPE % ("Ready for tasks (sdd-tasks)", risks), "out.md") == "advance"


@pytest.mark.parametrize(
    ("risks", "action"),
    [
        ('["CRITICAL: the token leaks"]', "ask"),
        ('["CRITICAL: トークンが漏れる"]', "ask"),
        ('["The token leaks (CRITICAL)"]', "ask"),
        ('["CRITICAL: no issues"]', "advance"),
        ('["CRITICAL: なし"]', "advance"),
        ('["CRITICAL: no issues in the styles, but the token leaks"]', "ask"),
        ('["CRITICAL: nothing"]', "advance"),
        ('["Critical path is slow"]', "advance"),
        ('"CRITICAL: 0, WARNING: 1"', "advance"),
    ],
)
def test_risks_in_json(risks: str, action: str) -> None:
    assert action_of(JSON % risks, "out.md") == action


def test_risks_in_yaml() -> None:
    text = """```yaml
status: success
executive_summary: The design is written.
artifacts: [engram]
next_recommended: sdd-tasks
risks:
  - severity: CRITICAL
    message: The token leaks
skill_resolution: none
```
"""
    assert action_of(text, "out.md") == "ask"
    assert action_of(text.replace("CRITICAL", "WARNING"), "out.md") == "advance"


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
    assert action_of(ENVELOPE % (following, "None"), "out.md") == "ask"


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
    assert action_of(ENVELOPE % (following, "None"), "out.md") == "advance"


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
def test_a_count_that_is_taken_back(box: str, status: str, action: str) -> None:
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
