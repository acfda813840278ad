"""`PASS` above a line about a failed run: what such a line looks like, and what only resembles one."""

from __future__ import annotations

import pytest

from handoff_lsp import check_text

REPORT = """# Verification Report: night-mode

**Change**: night-mode

### Completeness
%s

### Build & Tests Execution
%s

### Verdict
PASS
"""
PATH = "openspec/changes/night-mode/verify-report.md"
ROWS = "| Metric | Value |\n| --- | --- |\n"


def decision(completeness: str, runs: str) -> tuple[list[str], str]:
    """The checks that find something, and the decision's action."""
    report = check_text(REPORT % (completeness, runs), PATH)
    return [finding.check or finding.rule for finding in report.findings], report.handoffs[0].routing.action


@pytest.mark.parametrize(
    "line",
    [
        "**Build**: ❌ Failed",
        "**Build:** FAILED",
        "- Build: failed",
        "1. Build: broken",
        "**Build**: exit code 1",
        "**Build** (`npm run build`): ❌ Failed",
        "**Build result**: ❌",
        "**Type-check**: ❌ failed",
        "**Tests**: FAIL",
        "**Tests**: ❌ 3 failed",
        "**Tests**: 3 failed, 40 passed",
        "**Tests**: ✅ 41 passed / ❌ 3 failed / ⚠️ 0 skipped",
        "**Tests**: 1,000 failures",
        "**Tests**: 12 passed, 3 tests failed in 4.2s",
        "**Tests**: run: 20, Failures: 3, Errors: 0",
        "**Unit tests**: 3 failed",
        "**E2E tests**: **2 failed**, 9 passed",
        "| Tests | 12 passed, 3 failed |",
        "| Build | ❌ Failed |",
        "**Pruebas**: ❌ 3 fallidas",
        "**Tests**: ✅ 41 pasaron / ❌ 3 fallaron",
        "**Compilación**: ❌ Falló",
        "**Build**: PASS (exit code 1)",
        "**Tests**: 12 passed, 2 errors",
        "**Type check**: 3 type errors",
        "**Build**: timed out",
        "**E2E**: Pass: 0 / Fail: 2",
        "- `npm test` → exit code 2",
        "- `pytest -q` exited with 1",
        "- `npm run build` — failed",
        "- `npm test` -> 2 failed",
        "**Build**: ❌ Failed\n**Tests**: ✅ 12 passed, as expected",
        "- `npm run build`: FAILED",
        "| Command | Result |\n| --- | --- |\n| `npm test` | ❌ 2 failed |",
        "| Command | Exit | Result |\n| --- | --- | --- |\n| `npm test` | 1 | 2 failed, 22 passed |",
        "**Tests**: FAILED (1 failure)",
        "**Build**: ❌ Failed (exit code 2)",
        "❌ 1 test failed",
        "**Tests**: 1 of 12 failed",
        "**Tests**: 2 of 12 tests failed",
        "`npm test` (exit code 1)",
        "| Check | Result | Notes |\n| --- | --- | --- |\n| Tests | ❌ FAIL | theme.spec.ts |",
        "| Check | Result | Notes |\n| --- | --- | --- |\n| Build | ❌ | see the log |",
    ],
)
def test_a_failure(line: str) -> None:
    assert decision("All tasks.", line) == (["phase-summary/pass-without-failure"], "ask")


@pytest.mark.parametrize(
    "line",
    [
        "**Tests**: 12 passed, 0 failed",
        "| Command | Exit | Result |\n| --- | --- | --- |\n| `npm test` | 0 | 0 failed, 22 passed |",
        "| Command | Exit | Result |\n| --- | --- | --- |\n| `npm test` (before the fix) | 1 | 2 failed, 22 passed |",
        "- `npm test -- broken-links`: 12 passed",
        "- `npm test -- cli` → exit 1 for a bad flag",
        "- `npm test` exited with 0",
        "- `pytest -q` - 12 passed",
        "**Build**: PASS (exit code 0)",
        "**Tests** exits 2 ways",
        "**Tests**: 12",
        "**Tests**: run: 20, Fail: 0, Errors: 0",
        "Test - failing input is refused",
        "- `python -m mytool build missing.yaml` → exit code 2",
        "- `uv run mytool build --bad-flag` → exit 2",
        "- `cargo run -- build nope` — exit 1",
        "- `npx mytool build bad.json` exits 1",
        "**E2E** - 404 errors",
        "**Tests** — 500 errors",
        "- Test → error: 404",
        "- Tests: 4 errors, 4 expected",
        "- Build: 2 errors, 2 fixed",
        "| Tests | Errors: 4, Fixed: 4 |",
        "| E2E | Failed |\n| --- | --- |\n| login | 0 |",
        "| Tests | Timed out |\n| --- | --- |\n| unit | 0 |",
        "| File | Over 80% |\n| --- | --- |\n| `src/checkout.ts` | ❌ |",
        "- `test.only`: ❌",
        "**RED**\n- `npm test -- toggle`: 2 failed\n\n**GREEN**\n- `npm test -- toggle`: 2 passed",
        "Initial run:\n- `npm test`: ❌ 2 failed\n\nFinal run:\n- `npm test`: ✅ 24 passed",
        "- `npm test`: 2 failed\n- after the fix, `npm test`: 24 passed",
        "**Tests**: Failed: 0",
        "**Tests**: run: 20, Failures: 0, Errors: 0",
        "**Tests**: ❌ Failed: 0 · ✅ Passed: 12",
        "**Tests**: failing tests: none",
        "**Build**: Failed attempts: none",
        "**Tests**: Failed login scenarios covered, 12 passed",
        "**Tests**: ❌ Failed initially, ✅ passed on second run",
        "**Build**: failed once (timeout), passed on retry",
        "**Build**: ✅ Passed / ❌ Failed",
        "**Tests**: 5 errors handled gracefully",
        "**Tests**: all 5 failure scenarios pass",
        "**Tests**: 12 passed, incl. 3 error cases",
        "**Tests**: 8 passed (covers 3 failed logins, 2 timeouts)",
        "**Tests**: ✅ HTTP 4xx/5xx, 503 failures retried",
        "**Tests**: ✅ 14 passed; circuit breaker opens after 5 failures, closes after 30s",
        "**Tests**: none of the 12 tests failed",
        "**Tests**: 10 passed, 0 of 10 failed",
        "**Tests**: 3 failed → 0 failed",
        "**Tests**: first run 3 failed, second run 12 passed",
        "**Lint**: ✅ 0 errors, down from 5 errors",
        "**Tests**: 1 xfailed, 9 passed",
        "**Tests**: 10 passed, 3 failed (all pre-existing)",
        "**Tests**: 3 failed, quarantined",
        "**Tests**: ✅ 213 passed / ❌ 7 failed\nAll 7 failures are pre-existing on main.",
        "**Tests**: 3 fallidas\nLos 3 fallos son preexistentes.",
        "**Tests**: FAILED (0 failures)",
        "**Tests**: failed (1 retry), then passed",
        "**Tests**: 0 of 12 failed",
        "**Tests**: 1 of 12 failed on the first run, passed on retry",
        "`npm test` (exit code 0)",
        "`npm test -- cli` (exit code 1 for a bad flag)",
        "| Check | Before | After |\n| --- | --- | --- |\n| Tests | ❌ FAIL | ✅ PASS |",
        "| Check | Result | Notes |\n| --- | --- | --- |\n| Tests | ❌ FAIL | pre-existing failure on main |",
        "| Check | Result | Notes |\n| --- | --- | --- |\n| Tests | ❌ 1 failed | fixed in abc123 |",
        "| Check | Result | Notes |\n| --- | --- | --- |\n| Build | ❌ | No build step in this project |",
        "| Check | Result | Notes |\n| --- | --- | --- |\n| E2E | ❌ | not configured |",
        "| Check | Result | Notes |\n| --- | --- | --- |\n| E2E | ❌ | — |",
        "| Check | Result | Notes |\n| --- | --- | --- |\n| Tests | ❌ 2 failed | same two as on develop |",
        "| Capability | Detected | Tool |\n| --- | --- | --- |\n| E2E | ❌ | missing |",
        "| Check | main | this branch |\n| --- | --- | --- |\n| Build | ❌ | ok |",
        "Mutation check, the fix reverted:\n❌ 1 test failed\n\nRestored: 12 passed.",
        "❌ 1 test failed\n✅ fixed, 12 passed",
        "`npm test` (exit code 1)\n\nThe bad flag is refused, as expected.",
        "`pytest` (exit code 5)\n\nno tests collected in a change of documents",
        "**Tests**: 2 of 41 failed\n\nPre-existing.",
    ],
)
def test_what_only_resembles_a_failure(line: str) -> None:
    assert decision("All tasks.", line) == ([], "advance")


FAILED = "**Tests**: 11 passed / 1 failed"
ISSUES = "\n\n### Issues Found\n**CRITICAL**: None\n\n**WARNING**: %s"


@pytest.mark.parametrize(
    "line",
    [
        "1 failing test must be fixed before archive",
        "1 failing test must be fixed before the change is archived",
        "Fix the failing test before release",
        "The failing test should be repaired before merging",
        "1 prueba fallida: corregir antes de archivar",
        "1 prueba fallida, debe corregirse antes del cambio de fase",
        "The failing test is not related to docs but to this change",
        "Login fails on main screen",
        "error in baseline color",
        "Login fails for a known user",
    ],
)
def test_what_explains_no_failure(line: str) -> None:
    expected = (["phase-summary/pass-without-failure"], "ask")
    assert decision("All tasks.", FAILED + ISSUES % line) == expected
    assert decision("All tasks.", f"{FAILED}\n\n{line}") == expected


@pytest.mark.parametrize(
    "output",
    ['"before each" hook failed', "Before all hook failed", "Error: environment variable THEME missing"],
)
def test_the_output_of_the_failed_run_explains_nothing(output: str) -> None:
    assert decision("All tasks.", f"{FAILED}\n\n```\n{output}\n```") == (
        ["phase-summary/pass-without-failure"],
        "ask",
    )


@pytest.mark.parametrize(
    "line",
    [
        "the test fails on main, too",
        "1 failure on `main` as well",
        "The failure was there before",
        "The test failed before this change",
        "Test fails before and after the change",
        "the same failure as before",
        "already failing before",
        "Pre-existing failure, should be fixed before release",
        "La prueba ya fallaba antes",
        "La prueba falla igual que antes del cambio",
        "known failure in the clock",
        "1 failure is known",
        "Failure is a known timing issue",
        "1 failed, same as baseline",
        "1 failed on the baseline commit, too",
        "The baseline has the same failure",
        "failure not caused by this change but by the runner",
        "The test fails without the environment variable THEME",
        "Pre-existing failures of the known accounts bug #33",
        "2 pre-existing failures in the legacy view tests",
        "The failures come from the legacy accounts module and are unrelated to this change",
        "AssertionError: pre-existing failure in the clock",
        "The failures existed before the change and should be fixed in a follow-up before release",
        "1 failed: environment issue",
    ],
)
def test_what_explains_a_failure(line: str) -> None:
    assert decision("All tasks.", FAILED + ISSUES % line) == ([], "advance")
    assert decision("All tasks.", f"{FAILED}\n\n{line}") == ([], "advance")


@pytest.mark.parametrize(
    "row",
    ["| Tasks incomplete | 5 |", "| **Tasks incomplete** | **5** |", "| Open tasks | 1 |", "| Tareas pendientes | 2 |"],
)
def test_open_tasks(row: str) -> None:
    assert decision(ROWS + row, "**Tests**: ✅ 12 passed") == (["phase-summary/pass-without-open-tasks"], "ask")


@pytest.mark.parametrize(
    "rows",
    [
        "| Tasks incomplete | 0 |",
        "| Tasks incomplete | 1* |\n\n\\* 4.3 is a manual check, deferred with the user's approval.",
        "| Tasks incomplete | 1 (archive move, by design) |",
        "| Tasks incomplete | ~~3~~ |",
        "| Tasks incomplete | 1 |\n\n- 4.3 archive move: done by sdd-archive itself",
        "| Tasks total | 12 |",
    ],
)
def test_tasks_that_are_done_or_explained(rows: str) -> None:
    assert decision(ROWS + rows, "**Tests**: ✅ 12 passed") == ([], "advance")


@pytest.mark.parametrize(
    "counts",
    [
        "2/3 tasks complete",
        "- **2/3** tasks done.",
        "- Tasks incomplete: 1",
        "- Tasks total: 3\n- Tasks incomplete: 1",
        f"{ROWS}| Tasks total | 3 |\n| Tasks complete | 2 |",
        f"{ROWS}| Tasks **total** | 3 |\n| Tasks complete | 2 |",
    ],
)
def test_open_tasks_in_other_counts(counts: str) -> None:
    assert decision(counts, "**Tests**: ✅ 12 passed") == (["phase-summary/pass-without-open-tasks"], "ask")


@pytest.mark.parametrize(
    "counts",
    [
        "3/3 tasks complete",
        "2/3 tasks complete; 3.1 is deferred with the user's approval",
        "2/3 tasks complete\n\n3.1 is done by sdd-archive itself.",
        "- Tasks incomplete: 0",
        "- Tasks total: 3\n- Tasks complete: 3",
        f"{ROWS}| Tasks total | 3 |\n| Tasks complete | 3 |",
        f"{ROWS}| Tasks total | 3 |\n| Tasks complete | 2 |\n| Tasks deferred | 1 |",
        f"{ROWS}| Tasks total | 3 |\n| Tasks complete | 2 (3.1 is optional) |",
        f"{ROWS}| Tasks total | 3 |\n| Tasks complete | 2 |\n\n3.1 was dropped.",
        f"{ROWS}| Tasks total | 3 |\n| Tasks complete | 2* |",
    ],
)
def test_counts_that_are_complete_or_explained(counts: str) -> None:
    assert decision(counts, "**Tests**: ✅ 12 passed") == ([], "advance")


MATRIX = """**Tests**: ✅ 12 passed

### Spec Compliance Matrix
| Requirement | Scenario | Test | %s |
| --- | --- | --- | --- |
%s"""


@pytest.mark.parametrize(
    "result", ["❌ FAIL", "FAILED", "❌ Untested", "❌ NOT COVERED", "❌ MISSING", "**FAIL**", "❌ Failed"]
)
def test_a_scenario_without_a_passing_test(result: str) -> None:
    runs = MATRIX % ("Result", f"| Theme | Toggle | (none) | {result} |")
    assert decision("All tasks.", runs) == (["phase-summary/pass-without-untested"], "ask")


@pytest.mark.parametrize(
    ("column", "result"),
    [
        ("Result", "✅ COMPLIANT"),
        ("Result", "PASS"),
        ("Result", "❌ MISSING → added in abc123"),
        ("Result", "FAIL (expected)"),
        ("Result", "✅ rejects MISSING"),
        ("Expected", "FAIL"),
        ("Result", "⚠️ PARTIAL"),
    ],
)
def test_a_scenario_that_holds(column: str, result: str) -> None:
    runs = MATRIX % (column, f"| Theme | Toggle | `test_toggle` | {result} |")
    assert decision("All tasks.", runs) == ([], "advance")


@pytest.mark.parametrize(
    "matrix",
    [
        "| Input | Test | Expected | Result |\n| --- | --- | --- | --- |\n| bad | `test_bad` | FAIL | FAIL |",
        "| Removed symbol | Hits | Status |\n| --- | --- | --- |\n| `oldTheme` | 0 | ❌ missing |",
        "| Requirement | Scenario | Test | Result |\n| --- | --- | --- | --- |\n"
        "| Theme | Old toggle | removed by the change | ❌ Missing |",
    ],
)
def test_a_table_about_something_else(matrix: str) -> None:
    runs = "**Tests**: ✅ 12 passed\n\n### Spec Compliance Matrix\n" + matrix
    assert decision("All tasks.", runs) == ([], "advance")


def test_a_long_list_of_tasks_is_no_count() -> None:
    rows = "".join(f"| 1.{k} Add the theme to the settings page | ✅ done | src/theme.ts |\n" for k in range(400))
    assert decision(rows, "**Tests**: ✅ 12 passed") == ([], "advance")
