"""The cases of the built-in contracts show nearly all of their checks, conditions and routes."""

from __future__ import annotations

import pytest
from case_files import read_cases

from handoff_lsp.cases.coverage import Coverage
from handoff_lsp.cases.reader import unknown_names
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Analysis

# The most gaps of a contract; none where it is not listed. A new one wants a case, or its number here.
GAPS = {
    "activity-log": 1,
    "agent-contract": 2,
    "agent-result": 27,
    "agent-status": 3,
    "analyst-handoff": 1,
    "discovery-result": 1,
    "phase-summary": 1,
    "remediation-evidence": 1,
    "remediation-result": 1,
    "result-envelope": 3,
}


@pytest.fixture(scope="module")
def analyses() -> list[Analysis]:
    return [case.analyze() for case in read_cases()]


@pytest.mark.parametrize("name", builtin().names)
def test_cases_show_what_a_contract_states(name: str, analyses: list[Analysis]) -> None:
    coverage = Coverage(builtin()[name])
    for case, analysis in zip(read_cases(), analyses, strict=True):
        coverage.add(case, analysis)
    assert len(coverage.gaps()) <= GAPS.get(name, 0), coverage.gaps()
    assert coverage.total > len(coverage.gaps())


def test_the_options_of_cases_are_known() -> None:
    assert [problem for case in read_cases() for problem in unknown_names(case, builtin())] == []
