"""The lines of a text as texts of their own, kept from one reading of a long text to the next."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate
from typing import Any, TypeVar

from handoff_lsp.text.edit import unchanged
from handoff_lsp.text.lazy import lazy_pattern

T = TypeVar("T")

# In code points: a shorter text is cut faster than compared, and a longer one takes too much memory.
_LONG = 4_000
_TOO_LONG = 1_000_000
_BEGINNING = 60  # by which kept texts are known
_MOST_KEPT = 4
_MOST_MADE = 12  # functions of lines whose results are kept for one text

_LINE = lazy_pattern(r"([^\r\n]*+)(?:\r\n|\r|\n|\Z)")


class LineTexts:
    """The lines of a text, without terminators, and their offsets. Nobody changes the lists."""

    __slots__ = ("_made", "starts", "text", "texts")

    def __init__(self, text: str) -> None:
        self.text: str = text
        self.texts: list[str]
        self.starts: list[int]
        if "\r" in text:
            spans = [match.span(1) for match in _LINE.finditer(text)]
            self.texts, self.starts = [text[low:high] for low, high in spans], [low for low, _ in spans]
        else:
            self.texts = text.split("\n")
            self.starts = _starts(self.texts, 0)
        self._made: dict[Callable[[str], Any], list[Any]] = {}

    def each(self, make: Callable[[str], T]) -> list[T]:
        """The results of a function of a line for all lines; computed once, and again only for lines that change.

        The function must live long and read no kept lines, and its result may depend on nothing but the line.
        """
        if make not in self._made:
            if len(self._made) >= _MOST_MADE:
                self._made.clear()
            self._made[make] = list(map(make, self.texts))
        return self._made[make]

    def replaced(self, text: str) -> LineTexts:
        """The lines of a text that differs from this one in a few lines that follow each other."""
        same, rest = unchanged(self.text, text)
        first = bisect_right(self.starts, same) - 1
        after = bisect_right(self.starts, len(self.text) - rest)  # the first line whose text and beginning are the same
        delta = len(text) - len(self.text)
        low = self.starts[first]
        high = self.starts[after] + delta - 1 if after < len(self.starts) else len(text)
        new = text[low:high].split("\n")
        made = LineTexts.__new__(LineTexts)
        made.text = text
        made.texts = [*self.texts[:first], *new, *self.texts[after:]]
        made.starts = [*self.starts[:first], *_starts(new, low), *[start + delta for start in self.starts[after:]]]
        made._made = {
            make: [*results[:first], *map(make, new), *results[after:]] for make, results in self._made.items()
        }
        return made


def line_texts(text: str) -> LineTexts:
    """The lines of a text. Those of a long one that was read before, perhaps with other lines in it, are kept."""
    return kept_lines(text) or LineTexts(text)


def kept_lines(text: str) -> LineTexts | None:
    """The same; None for a text whose lines are not kept."""
    if not _LONG <= len(text) <= _TOO_LONG:
        return None
    known = _known(text[:_BEGINNING])
    if known and known[0].text == text:
        known[0].text = text  # the same object is compared sooner next time
        return known[0]
    if "\r" in text:
        return None
    made = known[0].replaced(text) if known else LineTexts(text)
    known[:] = [made]
    return made


@lru_cache(maxsize=_MOST_KEPT)
def _known(_beginning: str) -> list[LineTexts]:
    """The last text with a beginning, if there was one."""
    return []


def _starts(texts: list[str], first: int) -> list[int]:
    return list(accumulate((len(line) + 1 for line in texts[:-1]), initial=first))
