"""Every case in ``tests/cases``: exact ranges and rules, nothing more, fixes and decisions, in LF and CRLF."""

from __future__ import annotations

import pytest
from case_files import Case, read_cases

from handoff_lsp.cases.verdict import failures
from handoff_lsp.rules.registry import all_rules

CASES = read_cases()


def _ids(case: Case) -> str:
    return case.name


@pytest.mark.parametrize("case", CASES, ids=_ids)
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_findings_are_those_written_beside_the_lines(case: Case, eol: str) -> None:
    assert failures(case, eol=eol) == []


def test_every_rule_has_a_case_that_finds_it() -> None:
    reported_elsewhere = {"internal-error", "invalid-contract", "too-large"}
    shown = {item.rule for case in CASES for item in case.expected}
    assert set(all_rules()) - shown - reported_elsewhere == set()


def test_every_contract_has_a_case_that_is_clean() -> None:
    clean = {handoff.spec.name for case in CASES if not case.expected for handoff in case.analyze().handoffs}
    assert clean >= {"status-block", "agent-contract"}
