"""*Ignore … here* silences one rule and leaves everything else: handoffs, decisions, other findings."""

from __future__ import annotations

from collections import Counter

import pytest
from case_files import Case, read_cases

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.decide.routing import routing_of
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.features.actions.offered import each, quick_fixes
from handoff_lsp.text import Source, apply_edits

CASES = read_cases()


def handoffs(analysis: Analysis) -> list[tuple[object, ...]]:
    return [
        (handoff.spec.name, handoff.spec.profile, handoff.mode, handoff.form, handoff.root.data)
        for handoff in analysis.handoffs
    ]


def decisions(analysis: Analysis) -> list[str | None]:
    return [routing.action if (routing := routing_of(handoff)) is not None else None for handoff in analysis.handoffs]


def others(analysis: Analysis, code: str) -> Counter[tuple[str, str | None, str]]:
    return Counter((item.code, item.field, item.message) for item in analysis.findings if item.code != code)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_silencing_changes_nothing_else(case: Case) -> None:
    before = case.analyze()
    seen: set[str] = set()
    for finding in before.findings:
        if finding.code in seen:
            continue  # each rule once: trying a comment means an analysis
        seen.add(finding.code)
        for action in each(quick_fixes(before, finding.span)):
            if not action.title.startswith("Ignore") or not action.edits or action.finding is None:
                continue
            after = case.analyze(apply_edits(case.text, action.edits))
            code = action.finding.code
            assert handoffs(after) == handoffs(before), action.title
            assert decisions(after) == decisions(before), action.title
            assert others(after, code) == others(before, code), action.title
            fewer = [sum(item.code == code for item in one.findings) for one in (before, after)]
            assert fewer[1] < fewer[0], action.title


def test_a_bare_run_is_not_cut_in_two() -> None:
    text = "AGENT_RESULT: developer\nSTATUS: sucess\nNEXT: tester\n"
    analysis = analyze(Source(text), "", builtin(), Options())
    finding = next(one for one in analysis.findings if one.code == "invalid-value")
    titles = [action.title for action in each(quick_fixes(analysis, finding.span)) if action.title.startswith("Ignore")]
    assert titles == ["Ignore `invalid-value` in this handoff", "Ignore `invalid-value` in this file"]
