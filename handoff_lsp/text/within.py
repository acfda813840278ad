"""Whether a place is in one of many spans."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate

from handoff_lsp.text.span import Span


def within(spans: Iterable[Span]) -> Callable[[int, int], bool]:
    """A function that takes a start and an end, and returns whether one of some spans contains both."""
    ordered = sorted(spans)
    ends = list(accumulate((span.end for span in ordered), max))

    def is_within(start: int, end: int) -> bool:
        before = bisect_right(ordered, start, key=lambda span: span.start) - 1
        return before >= 0 and end <= ends[before]

    return is_within
