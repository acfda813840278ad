"""The lines of a text as texts of their own, kept from one reading of a long text to the next."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from handoff_lsp.text.edit import difference
from handoff_lsp.text.lines import LineIndex

T = TypeVar("T")

# In code points: a shorter text is cut faster than compared, and a longer one takes too much memory.
_LONG = 4_000
_TOO_LONG = 1_000_000
_BEGINNING = 60  # by which kept texts are known
_MOST_KEPT = 4
_MOST_MADE = 12  # functions of lines whose results are kept for one text


class LineTexts:
    """The lines of a text, without terminators, and their index. Nobody changes the lists."""

    __slots__ = ("_made", "index", "texts")

    def __init__(self, text: str) -> None:
        self.index: LineIndex = LineIndex(text)
        self.texts: list[str] = list(map(self.index.line_text, range(self.index.count)))
        self._made: dict[Callable[[str], Any], list[Any]] = {}

    @property
    def starts(self) -> list[int]:
        """The offsets where the lines begin, in code points."""
        return self.index.starts

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
        edit = difference(self.index.text, text)
        index = self.index.replaced(edit.span, edit.text, text)
        first, after = self.index.line_of(edit.span.start), self.index.line_of(edit.span.end) + 1
        new = list(map(index.line_text, range(first, after + index.count - self.index.count)))
        made = LineTexts.__new__(LineTexts)
        made.index = index
        made.texts = [*self.texts[:first], *new, *self.texts[after:]]
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
    if known and known[0].index.text == text:
        known[0].index.text = text  # the same object is compared sooner next time
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
