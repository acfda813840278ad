"""Remarks that retract a status or a verdict, and harmless phrases that resemble them."""

from __future__ import annotations

import pytest
from rules.sdd_documents import ENVELOPE, REPORT, action_of

from handoff_lsp import check_text

NEXT = "Ready for tasks (sdd-tasks)"


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
        "success (two errors not fixed)",
        "success (12/14 findings fixed)",
        "success — 2 changes still needed",
    ],
)
def test_a_retracted_status(status: str) -> None:
    assert action_of(ENVELOPE % (status, NEXT, "None"), "out.md") == "ask"


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
        "success — no further changes needed",
        "success (two errors fixed)",
        "success — 12/14 findings were nits",
    ],
)
def test_a_status_with_a_harmless_remark(status: str) -> None:
    report = check_text(ENVELOPE % (status, NEXT, "None"), "out.md")
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
    assert action_of(REPORT % ("None", verdict), "verify-report.md") == action
