"""Every case in ``tests/own/cases``: contracts of a user's own, beside the built-in ones.

The file begins with its contract in a fence ``contract``; the cases below are written as in ``tests/cases``.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from case_files import Case

from handoff_lsp.cases.reader import read_case_file
from handoff_lsp.cases.verdict import failures
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.engine import Analysis
from handoff_lsp.prompts.documents import is_prompt

_CONTRACT = re.compile(r"^~~~~contract\n(.*?)^~~~~$", re.MULTILINE | re.DOTALL)
FILES = sorted((Path(__file__).parent / "cases").glob("*.md"))


@cache
def registry_of(path: Path) -> Registry:
    """The built-in contracts and those of a case file."""
    entries = []
    for text in _CONTRACT.findall(path.read_text(encoding="utf-8")):
        entry, problems = read_contract(text, path)
        assert entry is not None, problems
        entries.append(entry)
    return builtin().with_entries(entries)


def _cases_of(path: Path) -> list[Case]:
    text = path.read_text(encoding="utf-8")
    own = next(entry.name for entry in registry_of(path) if entry.origin == path)
    without = _CONTRACT.sub(lambda match: "\n" * match[0].count("\n"), text)  # lines keep their numbers
    cases, problems = read_case_file(without, path.stem, own)
    assert problems == [], f"{path.name}: {problems}"
    return cases


CASES = [(path, case) for path in FILES for case in _cases_of(path)]


def _ids(value: object) -> str | None:
    return value.name if isinstance(value, Case) else value.stem if isinstance(value, Path) else None


def _analysis(path: Path, case: Case, eol: str = "\n") -> Analysis:
    return case.analyze(case.text.replace("\n", eol), registry_of(path))


@pytest.mark.parametrize(("path", "case"), CASES, ids=_ids)
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_findings_are_those_written_beside_the_lines(path: Path, case: Case, eol: str) -> None:
    """Exact ranges and rules, nothing more; fixes and decisions, too."""
    assert failures(case, registry_of(path), eol) == []
    analysis = _analysis(path, case, eol)
    if not is_prompt(case.path):
        assert bool(analysis.handoffs) != case.name.partition(": ")[2].startswith("Silence"), "recognised or not"
