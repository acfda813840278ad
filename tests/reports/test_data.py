"""A report is the same after its way through JSON, whatever its fields hold."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from case_files import read_cases
from hypothesis import given
from hypothesis import strategies as st

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.reports.data import data_of, from_data
from handoff_lsp.reports.make import report_of
from handoff_lsp.reports.report import Finding, Handoff, Position, Range, Report
from handoff_lsp.text import Source

# Lone surrogates, and pairs of them that are no character, too.
_TEXTS = st.text(st.characters(), max_size=6) | st.sampled_from(["\ud83d", "\ud83d\ude00", "\u2028", "\0", "é"])
_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=8,
)
_HERE = Range(Position(1, 1), Position(2, 3))


def again(report: Report) -> Report:
    """A report after its way through the cache's JSON."""
    line = json.dumps(data_of(report), ensure_ascii=False).encode("utf-8", "surrogatepass")
    return from_data(Report, json.loads(line.decode("utf-8", "surrogatepass")))


@given(st.dictionaries(_TEXTS, _VALUES, max_size=3), _VALUES, _TEXTS, st.lists(_TEXTS, max_size=2))
def test_any_values(fields: dict[str, Any], status: Any, text: str, upstream: list[str]) -> None:
    finding = Finding(
        text, "r", None, "hint", text, text, text, None, None, None, text, tuple(upstream), _HERE, fixable="safe"
    )
    handoff = Handoff(text, "c", "p", "template", _HERE, status, True, fields, text, None, (finding,))
    report = Report(text, (handoff,), (finding,), 2)
    # NaN is no equal of itself, so what they look like is compared: types and the order of keys included.
    assert repr(again(report)) == repr(report)


def test_deep_values_and_numbers_beyond_json() -> None:
    deep: Any = "end"
    for _ in range(100):
        deep = [deep]
    fields = {"deep": deep, "numbers": [math.nan, math.inf, -math.inf, -0.0, 10**400, 1e308]}
    report = Report("a.md", (Handoff("a.md", "c", "", "template", _HERE, None, True, fields, "", None, ()),), ())
    assert repr(again(report)) == repr(report)


@pytest.mark.parametrize("fixes", [True, False])
def test_reports_of_the_contracts_cases(fixes: bool) -> None:
    found = 0
    for case in read_cases()[::10]:
        report = report_of(analyze(Source(case.text), case.path, builtin(), Options()), case.path, fixes=fixes)
        assert again(report) == report
        found += len(report.findings)
    assert found > 30


@pytest.mark.parametrize(
    "data",
    [None, [], {}, {"path": "a.md"}, {"path": "a", "handoffs": [None], "findings": [], "examples": 0}],
)
def test_other_data_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match="not the data of a Report"):
        from_data(Report, data)
