"""The tests of a delivery result in words: successes, and words that take one back."""

from __future__ import annotations

import pytest

from handoff_lsp import check_text

RESULT = """# Delivery Result: Tool lending

> PRODUCT_TYPE: service

## Artifacts

- SPEC.md: present
- ARCHITECTURE.md: present

## Tech Stack

Go

## Test Results

%s

## Security Audit Results

- CRITICAL: 0
- WARNING: 0
"""
COUNTS = "- Total: 12 / Pass: 12 / Fail: 0\n\n"


def action_of(results: str) -> str:
    report = check_text(RESULT % results, path="docs/DELIVERY_RESULT.md")
    (handoff,) = report.handoffs
    assert handoff.routing is not None
    return handoff.routing.action


@pytest.mark.parametrize(
    "results",
    [
        "10/12 passed",
        "10 of 12 tests passed",
        "10 / 12 tests pass.",
        "**10/12** tests passed",
        "pytest: 10/12 passed",
        "10/12 tests have passed",
        "Tests: 10/12 passed (83%)",
        "✅ 10/12 passed",
        "Passed 10 of 12 tests.",
        "Tests passed: 10/12",
        "- Unit: 120 / 120\n- E2E: 3 / 4",
        "- Unit: 120/120 passed\n- E2E: 3/4 passed",
        "All tests pass except two e2e tests.",
        "All tests pass, except for the login flow.",
        "All unit tests passed, apart from the two of the exporter.",
        "Tests pass locally; CI is red.",
        "Tests pass locally. CI is red.",
        "All 12 tests pass, but the build is broken on main.",
        "Tests pass. The pipeline is still failing.",
        "- ✅ 10\n- ❌ 2",
        "✅ 10 / ❌ 2",
        "10 ✅, 2 ❌",
        "- Total: 12\n- Pass: 0\n- Fail: 0\n- Skipped: 12",
        "- ❌ login with SSO\n- ✅ everything else",
        "10/12件成功",
        "10/12 件のテストが成功",
        "全テスト成功。ただし E2E は2件を除く",
        "12件中、2件を除いて合格",
        "Most tests pass.",
        "Almost all tests passed.",
        "Nearly all of the tests pass.",
        "83% of the tests passed.",
        "Pass rate: 83%",
        "テストは成功。CI は失敗している。",
        "Tests should pass.",
        "9 of 10 tests pass",
        "9 out of 10 tests pass",
        "E2E 以外は全て成功",
        "✗ 2",
        "✘ 3 scenarios",
        "CI is red; unit tests pass.",
        "The e2e suite is still failing; unit tests pass.",
        "Unit tests: 12/12 pass. E2E: 3/5 pass.",
        "10/12 ✅",
        "| Suite | Result |\n|---|---|\n| Unit | 10/12 passed |",
        "All tests pass except for two: 2 of 12 fail.",
        "First run: 10/12 passed.",
        "Round 1: 12/12 passed\nRound 2: 10/12 passed",
        "CI is red but the unit tests pass.",
        "The tests on main are failing, and the others pass.",
    ],
)
def test_not_all_tests_have_passed(results: str) -> None:
    assert action_of(results) == "ask"


@pytest.mark.parametrize(
    "results",
    [
        "12/12 passed",
        "12 of 12 tests passed",
        "All 12 tests pass.",
        "12 passed, 0 failed, 2 skipped",
        "10/12 passed, 0 failed, 2 skipped",
        "10/12 passed, 2 skipped",
        "10 of 12 passed (2 skipped on Windows)",
        "Phase 2/3: 12/12 passed",
        "Round 1 of 2: all tests passed.",
        "As of 5/12, 12/12 tests passed",
        "Unit: 12/12 passed, E2E: 4/4 passed",
        "All tests pass. Coverage is 81/100.",
        "All tests pass. Coverage 83%.",
        "All tests pass; coverage is 90% except for generated files.",
        "All tests pass, including the handling of exceptions.",
        "All tests pass (100%).",
        "100% of tests passed",
        "Pass rate: 100%",
        "Pass rate: 100.0%",
        "- ✅ 12\n- ❌ 0",
        "✅ 12 / ❌ 0",
        "12 ✅, 0 ❌",
        "✅ All green",
        "- ✅ unit\n- ✅ e2e",
        "- Total: 12\n- Pass: 12\n- Fail: 0\n- Skipped: 0",
        "- Total: 12\n- Pass: 10\n- Fail: 0\n- Skipped: 2",
        COUNTS + "CI is green.",
        COUNTS + "No job is failing.",
        COUNTS + "CI was red in the first run; it is green now.",
        COUNTS + "The build was broken and is fixed.",
        COUNTS + "The job fails if coverage drops below 80%.",
        COUNTS + "Legend: ✅ = passed, ❌ = failed",
        COUNTS + "❌ = failed, ✅ = passed",
        COUNTS + "❌ none",
        "- Failed: 0/12\n- Passed: 12/12",
        "全12件成功",
        "12/12 件成功",
        "全テスト成功（12件）",
        "- 合計: 12 / 成功: 12 / 失敗: 0\n\n失敗系のテストも含む。",
        "All tests passed on Linux and macOS.",
        "All 120 tests pass, and nothing is broken.",
        "Some flaky tests were rewritten; all 12 tests pass.",
        "Half of the suite is new. All tests pass.",
        "All tests passed (retry 1/3).",
        "Tests pass at 3/4 of the previous duration.",
        COUNTS + "No test is red.",
        "vitest: 4/4 files, 30/30 tests passed",
        "Test Files  4 passed (4)\nTests  30 passed (30)",
        "30 passed in 1.2s",
        "- Unit: 30 / 30\n- Coverage: 81 / 100",
        "Acceptance criteria: 10/12 covered by tests; all tests pass.",
        "- ✅ a valid token should pass",
        "- ✅ 12/12 passed\n- ✅ CI is green",
        COUNTS + "Tests are red first, then green.",
        COUNTS + "テストが失敗した場合は自動でロールバックする。",
        COUNTS + "生成コードを除くカバレッジは 90%。",
        "Mostly unit tests; all pass.",
        "12/12 テスト成功、E2E 4/4 成功",
        COUNTS + "If the build is broken, the release job stops.",
        COUNTS + "Test files: 10/12 were changed.",
        "All tests passed. See run 3/7 in the log.",
        "Passed 12 of 12 tests in 1.5 s.",
        "全テスト合格（12/12）",
        "✅ 12/12",
        COUNTS + "Tests: 12/12 passed. Migrations: 1/3 reviewed by hand.",
        COUNTS + "✗ none",
        COUNTS + "❌ なし",
        COUNTS + "No build is broken.",
        "Todos los tests pasan: 12 passed, 0 failed",
        "- Total: 0\n- Pass: 0\n- Fail: 0",
        COUNTS + "Test coverage: 412/500",
        COUNTS + "Tested use cases: 10/12 (2 out of scope)",
        COUNTS + "Test date: 10/12",
        "All tests pass. Integration coverage: 30/40",
        "All tests pass. Total score: 45/50",
        "All tests passed except those skipped by design.",
        "All tests pass (excluding manual tests)",
        "All tests pass, excluding 2 known failures of the runner",
        "全テスト合格（手動テストを除く）",
        "カバレッジ92%（テストコードを除く）、全テスト成功",
        "First run: 38/40 passed. After the fix: 40/40 passed.",
        "Initially 38/40 tests passed; after the fix all 40 pass.",
        "Round 1: 38/40 passed\nRound 2: 40/40 passed",
        "95% passed on the first run; all pass now",
        COUNTS + "A test checks that the link is broken.",
        COUNTS + "The suite is broken down by module.",
        COUNTS + 'Test "button is red" passes.',
        COUNTS + "The nightly build is still failing (not part of this delivery).",
    ],
)
def test_the_tests_have_passed(results: str) -> None:
    assert action_of(results) == "advance"
