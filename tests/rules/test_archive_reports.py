"""Archive reports that take the archive back, or name an artifact that is missing in it."""

from __future__ import annotations

import pytest
from rules.sdd_documents import FOLDER

from handoff_lsp import check_text

REPORT = """## Change Archived

**Change**: night-mode
**Archived to**: `openspec/changes/archive/2026-08-01-night-mode/`

### Archive Contents
%s

### SDD Cycle Complete
%s
"""


def decision(contents: str, complete: str) -> tuple[list[str], str]:
    """The checks that find something, and the decision's action."""
    report = check_text(REPORT % (contents, complete), FOLDER + "archive-report.md")
    return [finding.check or finding.rule for finding in report.findings], report.handoffs[0].routing.action


@pytest.mark.parametrize(
    "complete",
    [
        "No",
        "No.",
        "**No**",
        "No, the verification failed.",
        "No: two tasks are open",
        "No — the tests fail",
        "Not yet.",
    ],
)
def test_a_cycle_that_is_not_complete(complete: str) -> None:
    assert decision("- proposal.md ✅", complete) == ([], "ask")


@pytest.mark.parametrize(
    "complete",
    [
        "Ready for the next change.",
        "No open questions.",
        "No next SDD phase is recommended.",
        "No, nothing remains.",
        "No — nothing is left to do.",
        "No, there are no pending tasks.",
        "None remaining.",
        "No issues.",
        "**Phase 1**: ✅ Intent\n**Phase 2**: ✅ Specs",
        "- planned ✅\n- verified ✅",
        "",
        "The change has been planned, implemented, verified, and archived.\n\nReady for the next change.",
        "El cambio quedó archivado. Listo para el siguiente.",
    ],
)
def test_a_complete_cycle(complete: str) -> None:
    assert decision("- proposal.md ✅", complete) == ([], "advance")


@pytest.mark.parametrize(
    "row",
    [
        "- design.md ❌ missing",
        "- design.md: ❌ missing",
        "- `design.md` ❌ (missing)",
        "- specs/ — ❌ not found",
        "- design.md ❌ missing from the archive",
        "- design.md ❌ falta",
    ],
)
def test_a_missing_artifact(row: str) -> None:
    assert decision(f"- proposal.md ✅\n{row}", "Ready.") == (["phase-summary/archive-has-no-gap"], "ask")


@pytest.mark.parametrize(
    "row",
    [
        "- design.md ❌ (not needed)",
        "- exploration.md ❌ (optional)",
        "- tasks.md ✅ (3/3 tasks complete; 0 ❌)",
        "- specs/ ✅ (❌ removed two scenarios)",
        "- design.md — skipped",
        "- verify-report.md ✅ (nothing missing)",
        "- exploration.md ❌ not found",
        "- apply-progress.md ❌ missing",
        "- design.md ❌ missing by design: the change has none",
    ],
)
def test_an_artifact_that_is_not_missing(row: str) -> None:
    assert decision(f"- proposal.md ✅\n{row}", "Ready.") == ([], "advance")
