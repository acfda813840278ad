"""Every case in ``tests/cases``: exact ranges and rules, nothing more, in LF and CRLF; and the results of fixes."""

from __future__ import annotations

import pytest
from case_files import Case, found, read_cases

from handoff_lsp.decide.routing import decision
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.text import apply_edits

CASES = read_cases()


def _ids(case: Case) -> str:
    return case.name


@pytest.mark.parametrize("case", CASES, ids=_ids)
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_findings_are_those_written_beside_the_lines(case: Case, eol: str) -> None:
    analysis = case.analyze(case.text.replace("\n", eol))
    expected = sorted((item.line, item.start, item.end, item.rule) for item in case.expected)
    assert sorted(found(analysis)) == expected, [repr(finding) for finding in analysis.findings]
    for item in case.expected:
        matching = [
            finding
            for finding, place in zip(analysis.findings, found(analysis), strict=True)
            if place == (item.line, item.start, item.end, item.rule)
        ]
        assert item.severity is None or item.severity in {finding.severity for finding in matching}
        assert any(item.words in finding.message for finding in matching), [finding.message for finding in matching]


@pytest.mark.parametrize("case", [case for case in CASES if case.fixed], ids=_ids)
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_the_first_fix_makes_the_document_that_is_written_below(case: Case, eol: str) -> None:
    text = case.text.replace("\n", eol)
    for rule, wanted in case.fixed:
        finding = next(finding for finding in case.analyze(text).findings if finding.code == rule)
        assert apply_edits(text, finding.fixes[0].edits) == wanted.replace("\n", eol)


@pytest.mark.parametrize("case", [case for case in CASES if case.routes], ids=_ids)
def test_the_decisions_are_those_that_the_case_states(case: Case) -> None:
    decided = [route for handoff in case.analyze().handoffs if (route := decision(handoff)) is not None]
    assert [route.action for route in decided] == [action for action, _ in case.routes if action != "none"]
    for route, (_, words) in zip(decided, case.routes, strict=False):
        assert words in route.reason


def test_every_rule_has_a_case_that_finds_it() -> None:
    reported_elsewhere = {"internal-error", "invalid-contract", "too-large"}
    shown = {item.rule for case in CASES for item in case.expected}
    assert set(all_rules()) - shown - reported_elsewhere == set()


def test_every_contract_has_a_case_that_is_clean() -> None:
    clean = {handoff.spec.name for case in CASES if not case.expected for handoff in case.analyze().handoffs}
    assert clean >= {"status-block", "agent-contract"}
