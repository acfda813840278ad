"""Every case in ``tests/own/cases``: contracts of a user's own, beside the built-in ones.

The file begins with its contract in a fence ``contract``; the cases below are written as in ``tests/cases``.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from case_files import Case, _cases_of, found

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.decide.routing import decision
from handoff_lsp.engine import Analysis, analyze
from handoff_lsp.text import Source, apply_edits

_CONTRACT = re.compile(r"^~~~~contract\n(.*?)^~~~~$", re.MULTILINE | re.DOTALL)
FILES = sorted((Path(__file__).parent / "cases").glob("*.md"))
CASES = [(path, case) for path in FILES for case in _cases_of(path)]
EOLS = pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["LF", "CRLF"])


@cache
def registry_of(path: Path) -> Registry:
    """The built-in contracts and those of a case file."""
    entries = []
    for text in _CONTRACT.findall(path.read_text(encoding="utf-8")):
        entry, problems = read_contract(text, path)
        assert entry is not None, problems
        entries.append(entry)
    return builtin().with_entries(entries)


def _ids(value: object) -> str | None:
    return value.name if isinstance(value, Case) else value.stem if isinstance(value, Path) else None


def _analysis(path: Path, case: Case, eol: str = "\n") -> Analysis:
    return analyze(Source(case.text.replace("\n", eol)), case.path, registry_of(path), case.options)


@pytest.mark.parametrize(("path", "case"), CASES, ids=_ids)
@EOLS
def test_findings_are_those_written_beside_the_lines(path: Path, case: Case, eol: str) -> None:
    analysis = _analysis(path, case, eol)
    expected = sorted((item.line, item.start, item.end, item.rule) for item in case.expected)
    assert sorted(found(analysis)) == expected, [(one.code, one.message) for one in analysis.findings]
    for item in case.expected:
        matching = [
            finding
            for finding, place in zip(analysis.findings, found(analysis), strict=True)
            if place == (item.line, item.start, item.end, item.rule)
        ]
        assert item.severity is None or item.severity in {finding.severity for finding in matching}
        assert any(item.words in finding.message for finding in matching), [finding.message for finding in matching]
    assert bool(analysis.handoffs) != case.name.partition(": ")[2].startswith("Silence"), "recognised or not"


@pytest.mark.parametrize(("path", "case"), [(path, case) for path, case in CASES if case.fixed], ids=_ids)
@EOLS
def test_the_first_fix_makes_the_document_that_is_written_below(path: Path, case: Case, eol: str) -> None:
    analysis = _analysis(path, case, eol)
    for rule, wanted in case.fixed:
        finding = next(finding for finding in analysis.findings if finding.code == rule)
        assert apply_edits(analysis.source.text, finding.fixes[0].edits) == wanted.replace("\n", eol)


@pytest.mark.parametrize(("path", "case"), [(path, case) for path, case in CASES if case.routes], ids=_ids)
def test_the_decisions_are_those_that_the_case_states(path: Path, case: Case) -> None:
    decided = [route for handoff in _analysis(path, case).handoffs if (route := decision(handoff)) is not None]
    assert [route.action for route in decided] == [action for action, _ in case.routes if action != "none"]
    for route, (_, words) in zip(decided, case.routes, strict=False):
        assert words in route.reason
