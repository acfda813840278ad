"""Phrases in the fields of status blocks that hold back a handoff, and harmless ones that resemble them."""

from __future__ import annotations

import pytest

from handoff_lsp import check_text

REVIEW = """# Board title — Handoff from Backend Reviewer

## Status

complete

## Status reason

## Abstract

```yaml
outcome: %s
verdict: %s
files: 0 created, 0 modified, 0 deleted
next_phase: %s
open_questions: 0
```

## Findings

No violations.
"""
CHANGES = REVIEW % ("No findings", "APPROVED", "tester") + "\n## Change requests\n\n%s\n"
GATES = """# Board title — Handoff from Backend Developer

## Status

complete

## Status reason

## Abstract

```yaml
outcome: Board titles can be set
verdict: n/a
files: 0 created, 0 modified, 0 deleted
next_phase: dod-checker
open_questions: 0
```

## Iteration

iter 1

## Quality-Gate Results

%s

## DoD coverage

%s
"""
GAPS = """# Board title — DoD Checker Handoff

## Status

complete

## Status reason

## Abstract

outcome: all rows verified
verdict: APPROVED
files: 0 created, 0 modified, 0 deleted
next_phase: reviewer
open_questions: 0

## Verdict

APPROVED

## Verified rows

- ✓ the route — routes.yaml:12

## Gaps

%s

## Reading scope used

- config/routes.yaml
"""


def assert_advances(text: str, name: str) -> None:
    report = check_text(text, f"handoffs/board/{name}-handoff.md")
    assert ([*report.findings], report.handoffs[0].routing.action) == ([], "advance")


def assert_asks(text: str, name: str) -> None:
    report = check_text(text, f"handoffs/board/{name}-handoff.md")
    assert report.handoffs[0].routing.action == "ask"


@pytest.mark.parametrize(
    "outcome",
    [
        "Send a mail when the build is broken",
        "Notify the owner when CI is red",
        "Shows which tests are failing",
        "could not reproduce the bug; added a test",
        "Gave up locking in favour of CAS",
        "Stopped early returns from the parser",
        "Fixed it; tests failed at first, but the suite is green now",
        "Added the check, but tests fail without the new key, as they should",
        "Skips the cache, but the build is reproducible on Windows",
        "lint warnings are printed, but CI fails on errors only",
        "a missing key warns, but tests fail on it as specified",
        "fixed the case in which lint passes, but the build fails on Windows",
        'reproduced and fixed "passes locally but tests fail in CI"',
        "failing tests written: they compile, but tests fail because nothing is implemented yet (RED phase)",
        "alert mails sent when the deploy is green but CI is red on main",
        "handles runs that compile but tests fail because of timeouts",
    ],
)
def test_a_harmless_outcome(outcome: str) -> None:
    assert_advances(REVIEW % (outcome, "APPROVED", "tester"), "backend-reviewer")


@pytest.mark.parametrize(
    "outcome",
    [
        "Stopped midway",
        "Added the route, but CI is red",
        "The build is broken",
        "Route added. Tests still failing",
        "Did it, but the build is broken on Windows",
        "Did it, but tests fail on main",
        "Did it, but some tests are still failing because of a missing import",
    ],
)
def test_an_outcome_of_failed_work(outcome: str) -> None:
    assert_asks(REVIEW % (outcome, "APPROVED", "tester"), "backend-reviewer")


@pytest.mark.parametrize(
    "verdict",
    [
        "APPROVED (no further changes needed)",
        "APPROVED (no code changes required)",
        "APPROVED (no additional changes requested)",
        "APPROVED — 0 changes requested",
        "APPROVED (changes requested: none)",
        "APPROVED (all changes requested in iter 1 were made)",
        "APPROVED (one missing test added)",
        "APPROVED (two errors fixed)",
        "APPROVED (12/14 findings were nits)",
        "APPROVED, nits optional",
        "APPROVED (no conditions)",
        "APPROVED (all conditions met)",
        "APPROVED (unconditionally)",
        "APPROVED (no fixes required)",
        "APPROVED (fixes required: none)",
        "APPROVED (REQUEST_CHANGES in iter 1, all fixed)",
        "APPROVED (was REQUEST_CHANGES)",
        "APPROVED (after REQUEST_CHANGES)",
        "APPROVED (0 criticals)",
        "APPROVED (2 criticals from iter 1 fixed)",
        "APPROVED (fixed BE-014 first)",
        "APPROVED — BE-014 was fixed",
        "APPROVED, BE-014 fixed",
        "APPROVED (once more)",
        "APPROVED (iter 2)",
        "APPROVED (2 blockers of iter 1 closed)",
        "APPROVED（条件なし）",
        "APPROVED（修正済み）",
        "APPROVED（要修正箇所なし）",
        "APPROVED（指摘なし）",
        "APPROVED (sin condiciones)",
        "APPROVED (with nits)",
        "APPROVED (3 nits)",
        "APPROVED (✅ 12 ❌ 0)",
        "APPROVED (✔ 12, ✖ 0)",
        "APPROVED (0 ✖)",
        "APPROVED ✔",
        "APPROVED (BE-014 verified)",
        "APPROVED (all fixes required by BE-014 done)",
        "APPROVED (fixes requested in iter 1 are done)",
        "APPROVED (requested fixes done)",
        "APPROVED (fix for BE-014 is fine)",
        "APPROVED, BE-014 addressed",
        "APPROVED (REQUEST_CHANGES for BE-014 addressed)",
        "APPROVED (REQUEST_CHANGES for BE-014 in iter 1)",
        "APPROVED (tests must pass before merge)",
        "APPROVED — merge once CI is green",
        "APPROVED, no blocker",
        "APPROVED, zero criticals",
        "APPROVED — follow-up: BE-020",
        "APPROVED (BE-020 can be fixed later)",
        "APPROVED — naming could be fixed later",
        "APPROVED (low: 2)",
        "APPROVED (critical: 0, high: 0, low: 2)",
        "APPROVED（修正不要）",
        "APPROVED（修正が必要な箇所なし）",
        "APPROVED（条件付き型の使用は適切）",
        "APPROVED（前回の要修正は対応済）",
        "APPROVED（軽微な指摘のみ）",
        "APPROVED（失敗0件）",
    ],
)
def test_a_harmless_remark_beside_a_verdict(verdict: str) -> None:
    assert_advances(REVIEW % ("No findings", verdict, "tester"), "backend-reviewer")


@pytest.mark.parametrize(
    "verdict",
    [
        "APPROVED (minor changes requested)",
        "APPROVED (2 rows unverified)",
        "APPROVED (two errors to be fixed)",
        "APPROVED (3 errors, 1 fixed)",
        "APPROVED (3 errors 1 fixed)",
        "APPROVED (all of the changes requested remain open)",
        "APPROVED (12/14 findings fixed)",
        "APPROVED (changes requested were not made)",
        "APPROVED — looks fine, some code changes are still needed",
        "APPROVED (conditional on the fix of BE-014)",
        "APPROVED (REQUEST_CHANGES for BE-014)",
        "APPROVED (2 criticals open)",
        "APPROVED, fix BE-014 first",
        "APPROVED (minor fixes required)",
        "APPROVED (1 blocker)",
        "APPROVED（条件付き）",
        "APPROVED（要修正）",
        "APPROVED: false",
        "APPROVED (conditionally)",
        "APPROVED (BE-014 must be fixed before merge)",
        "APPROVED (two blocking issues remain)",
        "APPROVED (pending BE-014)",
        "APPROVED, provided that BE-014 is fixed",
        "APPROVED (BLOCKED on BE-014)",
        "APPROVED (fixes needed)",
        "APPROVED (condicionado a BE-014)",
        "APPROVED, please fix the null check before merging",
        "APPROVED (BE-014 still open)",
        "APPROVED (must fix BE-014)",
        "APPROVED, BE-014 needs to be fixed",
        "APPROVED (subject to the fix of BE-014)",
        "APPROVED — REQUEST_CHANGES: BE-014",
        "APPROVED (with 2 must-fix items)",
        "APPROVED (2 must-fix)",
        "APPROVED（条件あり）",
        "APPROVED（BE-014要修正）",
    ],
)
def test_a_remark_that_takes_a_verdict_back(verdict: str) -> None:
    assert_asks(REVIEW % ("No findings", verdict, "tester"), "backend-reviewer")


@pytest.mark.parametrize(
    "phase",
    [
        "user-docs-writer",
        "user-story-writer",
        "human-interface-developer",
        "surface-developer",
        "user acceptance tests",
        "stop-loss-developer",
    ],
)
def test_a_next_phase_that_is_an_agent(phase: str) -> None:
    report = check_text(REVIEW % ("No findings", "APPROVED", phase), "handoffs/board/backend-reviewer-handoff.md")
    assert report.handoffs[0].routing.action == "advance"


@pytest.mark.parametrize(
    "phase",
    [
        '"stop, surface to human"',
        "stop",
        "surface findings to the user",
        "human review",
        "human-review",
        "human",
        "user",
        "the user (Paulo)",
        "user decides",
    ],
)
def test_a_next_phase_that_is_a_human(phase: str) -> None:
    assert_asks(REVIEW % ("No findings", "APPROVED", phase), "backend-reviewer")


@pytest.mark.parametrize(
    "gates",
    [
        "pytest: 0/42 failed",
        "pytest: 0 of 42 failed",
        "PASSED: 42 FAILED: 0",
        "RED: 3 failed; GREEN: 3 passed",
        "vitest: 42 passed (first run: 2 failed, fixed)",
        "pytest: 42 passed, 1 failed (retried, passed)",
        "OK (42 tests) — covers 5 failed login attempts",
    ],
)
def test_gates_without_failures(gates: str) -> None:
    assert_advances(GATES % (gates, "- ✓ the route"), "backend-dev")


@pytest.mark.parametrize(
    "gates",
    [
        "pytest: 3/42 failed",
        "pytest: 3 of 42 failed",
        "PASSED: 42 FAILED: 2",
        "pytest: 30 passed, 2 failed in 3.1s",
        "- 2 failed: test_a, test_b",
        "- 2 failed:\n  - test_a",
        "Tests: 1 failed, 3 passed",
        "pytest: 1 failed (retried, failed again)",
        "pytest: 2 failed, not fixed",
        "2 tests failed",
    ],
)
def test_gates_with_failures(gates: str) -> None:
    assert_asks(GATES % (gates, "- ✓ the route"), "backend-dev")


@pytest.mark.parametrize("note", ["✗ in iter 1, fixed", "✗ icon on error", "✗ → ✓ b"])
def test_a_note_below_a_marked_row(note: str) -> None:
    assert_advances(GATES % ("PHPStan: [OK] No errors", f"- ✓ a\n  - {note}"), "backend-dev")


@pytest.mark.parametrize(
    "requests",
    [
        "All requested changes were made.",
        "- [x] Rename done",
        "- BE-001: fixed in iter 2",
        "Sin cambios",
        "0",
        "該当なし",
        "- Nit: rename x (optional)",
        "- [x] Rename done\n- BE-001: fixed in iter 2",
    ],
)
def test_change_requests_that_ask_for_nothing(requests: str) -> None:
    assert_advances(CHANGES % requests, "backend-reviewer")


@pytest.mark.parametrize(
    "requests",
    ["- [ ] Rename", "- [x] Rename done\n- Delete the flag", "- BE-001: not fixed", "Must be fixed", "0.5 s"],
)
def test_change_requests_that_remain(requests: str) -> None:
    assert_asks(CHANGES % requests, "backend-reviewer")


@pytest.mark.parametrize("gaps", ["- [x] row b", "- ~~row b~~ closed"])
def test_closed_gaps(gaps: str) -> None:
    assert_advances(GAPS % gaps, "backend-dod-checker")


@pytest.mark.parametrize("gaps", ["- row b", "- [x] row b\n- row c", "- ~~row b~~ row c", "- ~~row b~~ 未対応"])
def test_open_gaps(gaps: str) -> None:
    assert_asks(GAPS % gaps, "backend-dod-checker")
