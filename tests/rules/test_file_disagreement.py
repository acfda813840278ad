"""Disagreements between a status file and its log, reported in the outdated one, with a view of the other."""

from __future__ import annotations

import pytest
from case_files import Beside

from handoff_lsp.cases.verdict import decisions
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Source

STATUS = """{
  "agent_id": "a", "agent_type": "worker", "task": "t", "progress": "p", "last_checkpoint": null,
  "status": "%s", "notes": "n", "blockers": ["b"],
  "started_at": "2026-03-02T08:00:00Z", "updated_at": "2026-03-02T%sZ"
}
"""
LOG = "2026-03-02T08:10:00Z [STATUS] running\n2026-03-02T08:20:00Z [TEST] make test -- FAIL\n"
PATHS = (".agent/status.json", ".agent/activity.log")


def told(status: str, log: str, *, at: int) -> list[Finding]:
    """The findings in the status file (``at`` 0) or in the log (1)."""
    around = Beside(PATHS[at], dict(zip(PATHS, (status, log), strict=True)))
    text = (status, log)[at]
    return list(analyze(Source(text), PATHS[at], builtin(), Options(), around=around).findings)


@pytest.mark.parametrize("status", ["running", "blocked", "failed", "completed"])
@pytest.mark.parametrize("logged", ["running", "blocked", "failed", "completed", "asleep", ""])
@pytest.mark.parametrize("time", ["08:25:00", "08:30:00", "08:35:00"])
def test_one_status_that_is_behind_the_other_is_reported_once(status: str, logged: str, time: str) -> None:
    log = LOG.replace("FAIL", "PASS") + f"2026-03-02T08:30:00Z [STATUS] {logged}\n"
    found = [told(STATUS % (status, time), log, at=at) for at in (0, 1)]
    places = [[finding.code for finding in part if finding.code == "file-disagreement"] for part in found]
    unknown = logged not in {"running", "blocked", "failed", "completed"}
    if unknown or logged == status:
        assert places == [[], []]
    elif time == "08:35:00":
        assert places == [[], ["file-disagreement"]]
    else:
        assert places == [["file-disagreement"], []]
    assert [finding.code for finding in found[1] if finding.code == "invalid-value"] == ["invalid-value"] * unknown


def test_the_line_of_the_log_is_shown() -> None:
    log = LOG + "2026-03-02T08:30:00Z [STATUS] blocked\n"
    (finding,) = told(STATUS % ("running", "08:25:00"), log, at=0)
    (related,) = finding.related
    assert related.source is not None
    assert related.span.of(related.source.text) == "2026-03-02T08:30:00Z [STATUS] blocked"
    assert related.name == "activity.log"
    assert finding.span.of(STATUS % ("running", "08:25:00")) == '"running"'


def test_the_status_is_shown_in_the_log() -> None:
    log = LOG + "2026-03-02T08:30:00Z [STATUS] blocked\n"
    (finding,) = told(STATUS % ("running", "08:35:00"), log, at=1)
    (related,) = finding.related
    assert related.source is not None
    assert related.span.of(related.source.text) == '"running"'
    assert finding.span.of(log) == "blocked"


@pytest.mark.parametrize(
    ("line", "failed"),
    [
        ("make test -- FAIL", True),
        ("make test -- FAILED (3 of 40)", True),
        ("make test: 3 failed", True),
        ("make test → FAIL tests/a.py:12", True),
        ("FAIL", True),
        ("make test -- PASS", False),
        ("make test ARGS='it fails' -- PASS", False),
        ("3 failed, 37 passed", True),
        ("40 passed, 0 failed", False),
        ("make test-failover", False),
        ("", False),
        ("pytest -- 3 failed, 9 passed", True),
        ("pytest, exit code 1", True),
        ("make test -- ERROR", True),
        ("make test -- timed out", True),
        ("make test timed out", True),
        ("make test 9/12", True),
        ("❌ pytest", True),
        ("make test -- NOT PASSED", True),
        ("FAILED tests/x.py::t - assert 1 == 2", True),
        ("make test -- Failed: 3", True),
        ("Failed: 3", True),
        ("npm test -- 失敗", True),
        ("PHPUnit: FAILURES! Tests: 3, Failures: 1", True),
        ("make test -- fixed 2 failing tests -- FAIL", True),
        ("make test -- FAILED (failures=3, expected failures=1)", True),
        ("make test -- PASS (2 failed)", True),
        ("make test -- PASS (9/12)", True),
        ("make test -- PASS (2 failed, 3 fixed)", True),
        ("make test -- 3 of 42 failed", True),
        ("make test -- 2 failed: a.py and b.py", True),
        ("ruff: OK; pytest: 3 failed", True),
        ("npm test -- 40 pasadas, 2 fallidas", True),
        ("npm test -- テストが失敗しました", True),
        ("make test -- 1 failed (expected 2, got 3)", True),
        ("make test -- GREEN → RED", True),
        ("make test -- FAIL: expected 3 errors, got 2", True),
        ("make test -- 3 tests failed before timeout", True),
        ("make test -- fixed the imports, still broken", True),
        ("make test -- 2 errors fixed, 1 error left", True),
        ("make test -- PASS after fixing 2 failures", False),
        ("make test -- all tests pass now (2 previously failing)", False),
        ("make test -- エラーなし", False),
        ("make test -- 0件失敗", False),
        ("python -m unittest -- Ran 42 tests in 0.1s, OK (expected failures=1)", False),
        ("npx vitest run -- Tests 42 passed | 1 expected fail (43)", False),
        ("make test -- PASSED: 42 FAILED: 0", False),
        ("make test -- 42 passed, 0/42 failed", False),
        ("make test -- 0 of 42 failed", False),
        ("make test -- PASS (fixed 2 failing tests)", False),
        ("make test -- all pass, 2 failures fixed", False),
        ("make test -- PASS (2 tests failed before the fix)", False),
        ("PASS (2 tests failed before the fix)", False),
        ("make test -- PASS (12 tests, 3 error cases)", False),
        ("handles 500 errors: PASS (3 tests)", False),
        ("expects exit code 1 on bad input -- PASS (4 cases)", False),
        ("make test -- PASS (coverage 350/400)", False),
        ("make test -- RED → GREEN (5 passed)", False),
        ("make test -- RED → GREEN, 5 passed", False),
        ("make test -- failed at first, then PASS", False),
        ("make test -- Failures: none", False),
        ("make test -- errors: none", False),
        ("npm test -- 失敗なし", False),
        ("失敗したテストを修正し、全テスト成功", False),
        ("mvn test -- Tests run: 42, Failures: 0, Errors: 0, Skipped: 0", False),
        ("make test, rc=0", False),
        ("make test exited with status 0", False),
        ("make lint -- without errors", False),
        ("eslint -- 0 problems", False),
        ("ruff -- no issues found", False),
        ("npm audit -- found 0 vulnerabilities", False),
        ("npm test -- todas las pruebas pasan", False),
        ("npm test -- 42 pasadas, 0 fallidas", False),
        ("npm test -- 全42件パス", False),
        ("npm test -- 全テスト通過", False),
        ("npm test -- 失敗: 0", False),
        ("pytest -k '404 errors' -- PASS", False),
    ],
)
def test_which_tests_have_failed(line: str, failed: bool) -> None:
    log = LOG + f"2026-03-02T08:30:00Z [TEST] {line}\n"
    found = told(STATUS % ("completed", "08:35:00"), log, at=0)
    assert sum("[TEST]" in finding.message for finding in found if finding.severity == "warning") == failed
    log += "2026-03-02T08:30:00Z [STATUS] completed\n"
    found = told(STATUS % ("completed", "08:35:00"), log, at=1)
    assert sum("[TEST]" in finding.message for finding in found if finding.severity == "warning") == failed


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("python -m unittest -- Ran 42 tests in 0.1s, OK (expected failures=1)", "advance"),
        ("npx vitest run -- Tests 42 passed | 1 expected fail (43)", "advance"),
        ("make test -- PASSED: 42 FAILED: 0", "advance"),
        ("make test -- 42 passed, 0/42 failed", "advance"),
        ("make test -- 0 of 42 failed", "advance"),
        ("make test -- PASS (fixed 2 failing tests)", "advance"),
        ("make test -- all pass, 2 failures fixed", "advance"),
        ("make test -- PASS (2 tests failed before the fix)", "advance"),
        ("PASS (2 tests failed before the fix)", "advance"),
        ("make test -- PASS (12 tests, 3 error cases)", "advance"),
        ("handles 500 errors: PASS (3 tests)", "advance"),
        ("expects exit code 1 on bad input -- PASS (4 cases)", "advance"),
        ("make test -- PASS (coverage 350/400)", "advance"),
        ("make test -- RED → GREEN (5 passed)", "advance"),
        ("make test -- RED → GREEN, 5 passed", "advance"),
        ("make test -- failed at first, then PASS", "advance"),
        ("make test -- Failures: none", "advance"),
        ("make test -- errors: none", "advance"),
        ("npm test -- 失敗なし", "advance"),
        ("失敗したテストを修正し、全テスト成功", "advance"),
        ("mvn test -- Tests run: 42, Failures: 0, Errors: 0, Skipped: 0", "advance"),
        ("make test, rc=0", "advance"),
        ("make test exited with status 0", "advance"),
        ("make lint -- without errors", "advance"),
        ("eslint -- 0 problems", "advance"),
        ("ruff -- no issues found", "advance"),
        ("npm audit -- found 0 vulnerabilities", "advance"),
        ("npm test -- todas las pruebas pasan", "advance"),
        ("npm test -- 42 pasadas, 0 fallidas", "advance"),
        ("npm test -- 全42件パス", "advance"),
        ("npm test -- 全テスト通過", "advance"),
        ("npm test -- 失敗: 0", "advance"),
        ("pytest -k '404 errors' -- PASS", "advance"),
        ("make test -- PASS", "advance"),
        ("make test -- PASS after fixing 2 failures", "advance"),
        ("make test -- all tests pass now (2 previously failing)", "advance"),
        ("make test -- エラーなし", "advance"),
        ("make test -- 0件失敗", "advance"),
        ("go test ./clock", "ask"),
        ("make test: 0 passed, 12 skipped", "ask"),
        ("make test -- skipped", "ask"),
        ("make test -- not run", "ask"),
        ("python -m unittest -- Ran 0 tests in 0.0s, OK", "ask"),
    ],
)
def test_which_tests_let_a_completed_log_advance(line: str, action: str) -> None:
    log = f"2026-03-02T08:30:00Z [TEST] {line}\n2026-03-02T08:31:00Z [STATUS] completed\n"
    (route,) = decisions(analyze(Source(log), PATHS[1], builtin(), Options()))
    assert route.action == action


@pytest.mark.parametrize("log", ["", "\n", "# notes\n", "2026-03-02T09:00:00Z | bot | STATUS | done\n"])
def test_a_log_without_entries_agrees_with_everything(log: str) -> None:
    assert told(STATUS % ("running", "08:25:00"), log, at=0) == []


@pytest.mark.parametrize(
    "status", ["", "[]", "{", '{"agent_id": "a", "agent_type": "w", "status": "zz"}', '{"turn": 1}']
)
def test_a_status_file_that_cannot_be_read_agrees_with_everything(status: str) -> None:
    assert told(status, LOG, at=1) == []
