"""The cases of ``tests/cases``. ``handoff_lsp/cases/reader.py`` describes how to write one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from handoff_lsp.cases.case import Beside, Case
from handoff_lsp.cases.reader import read_case_file
from handoff_lsp.contracts.registry import builtin

__all__ = ["CASES", "Beside", "Case", "read_cases"]

CASES = Path(__file__).parent / "cases"


def read_cases() -> list[Case]:
    """All cases of all files, in order."""
    return list(_read_cases())


@cache
def _read_cases() -> tuple[Case, ...]:
    return tuple(case for path in sorted(CASES.glob("*.md")) for case in _cases_of(path))


def _cases_of(path: Path) -> list[Case]:
    contract = path.stem if path.stem in builtin() else "agent-contract"
    cases, problems = read_case_file(path.read_text(encoding="utf-8"), path.stem, contract)
    assert problems == [], f"{path.name}: {problems}"
    return cases
