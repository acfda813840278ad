"""Remarks beside a status or a verdict: those that take it back, and those that only resemble one."""

from __future__ import annotations

import pytest

from handoff_lsp import check_text

ENVELOPE = """## Design Complete

**Change**: night-mode
**Status**: %s

### Summary
The design is written.

### Artifacts
- engram `sdd/night-mode/design`

### Next Recommended
Ready for tasks (sdd-tasks)

### Risks
None
"""

REPORT = """## Verification Report

**Change**: night-mode

### Verdict
%s
"""


@pytest.mark.parametrize(
    "status",
    [
        "success, do not proceed",
        "success (tests could not be run)",
        "success — build failed on CI",
        "success, pero el build falla",
        "success — faltan 2 tareas",
        "success, aber der Build ist kaputt",
        "success（ただし、ビルドが失敗）",
    ],
)
def test_a_status_that_is_taken_back(status: str) -> None:
    assert check_text(ENVELOPE % status, "out.md").handoffs[0].routing.action == "ask"


@pytest.mark.parametrize(
    "status",
    [
        "success, without failures",
        "success, without errors in the log",
        "success (build failed on CI, fixed in abc123)",
        "success (tests passed on CI)",
        "success; tests not failing",
        "success — sin fallas",
        "success — no faltan tareas",
        "success — falta solo sdd-tasks",
        "success (5 tasks pending implementation)",
        "success — do not continue the old branch",
    ],
)
def test_a_status_that_holds(status: str) -> None:
    report = check_text(ENVELOPE % status, "out.md")
    assert ([*report.findings], report.handoffs[0].routing.action) == ([], "advance")


@pytest.mark.parametrize(
    ("verdict", "action"),
    [
        ("PASS — do not archive", "ask"),
        ("PASS — build failed on CI", "ask"),
        ("PASS (tests could not be executed)", "ask"),
        ("PASS, pero el build falla", "ask"),
        ("APROBADO, pero faltan pruebas", "ask"),
        ("PASS（テストが失敗）", "ask"),
        ("PASS（テストが失敗していません）", "advance"),
        ("PASS（テスト失敗なし）", "advance"),
        ("PASS（テスト失敗: 0）", "advance"),
        ("PASS（テスト失敗時の処理も確認）", "advance"),
        ("PASS (do not merge commits; squash)", "advance"),
        ("PASS (build failed on CI, unrelated outage)", "advance"),
        ("PASS (no faltan pruebas)", "advance"),
        ("PASS — all 12 tests run on CI", "advance"),
        ("PASS (2 tests failed on main, unrelated)", "advance"),
    ],
)
def test_a_verdict(verdict: str, action: str) -> None:
    assert check_text(REPORT % verdict, "verify-report.md").handoffs[0].routing.action == action
