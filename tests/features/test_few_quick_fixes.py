"""At every finding of ``tests/cases`` a person has few quick fixes to read, and none that picks among equal values."""

from __future__ import annotations

import pytest
from case_files import Case, read_cases

from handoff_lsp.features.actions.offered import quick_fixes, spread

# The most entries, in a client that asks for a choice and in one that lists some of them.
MOST = 6
# Findings of a case to look at: trying every way to ignore one takes a while.
LOOKED_AT = 3


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.name)
def test_few(case: Case) -> None:
    analysis = case.analyze()
    for finding in analysis.findings[:LOOKED_AT]:
        offered = quick_fixes(analysis, finding.span)
        titles = [action.title for action in offered]
        assert len(titles) <= MOST, titles
        assert len(set(titles)) == len(titles), titles
        assert len(list(spread(offered))) <= MOST, [action.title for action in spread(offered)]
        ignoring = [number for number, title in enumerate(titles) if title.startswith("Ignore")]
        assert ignoring in ([], [len(titles) - 1]), titles
        for action in offered:
            assert bool(action.choices) == action.title.endswith("…")
            assert not (action.choices and action.preferred)
            assert not any(choice.action.preferred for choice in action.choices)
