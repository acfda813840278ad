"""The lines of a text as texts of their own, kept from one reading of a long text to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from handoff_lsp.text.edit import difference
from handoff_lsp.text.lines import LineIndex

T = TypeVar("T")

# In code points: a shorter text is cut faster than compared; of very long ones a single one is kept, for its memory.
_LONG = 4_000
_VERY_LONG = 1_000_000
_EDGE = 60  # how much of its beginning or its end shows that a text was kept before an edit
_MOST_KEPT = 4
_MOST_MADE = 12  # functions of lines whose results are kept for one text


class LineTexts:
    """The lines of a text, without terminators, and their index. Nobody changes the list."""

    __slots__ = ("_made", "index", "texts")

    def __init__(self, text: str) -> None:
        self.index: LineIndex = LineIndex(text)
        self.texts: list[str] = list(map(self.index.line_text, range(self.index.count)))
        self._made: dict[Callable[[str], Any], list[Any]] = {}

    def each(self, make: Callable[[str], T]) -> list[T]:
        """The results of a function of a line for all lines; computed once, and again only for lines that change.

        The function must live long and read no kept lines, and its result may depend on nothing but the line. The
        caller may put a better result for a line in the place of one: it is kept instead.
        """
        results = self._made.get(make)
        if results is None:
            results = list(map(make, self.texts))
            if len(self._made) >= _MOST_MADE:
                self._made.clear()
            self._made[make] = results
        return results

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
            make: [*results[:first], *map(make, new), *results[after:]]
            for make, results in self._made.copy().items()  # another thread may ask for one more
        }
        return made


def line_texts(text: str, *, keep_short: bool = False) -> LineTexts:
    """The lines of a text. Those of a long one that was read before, perhaps with other lines in it, are kept.

    With ``keep_short`` those of a short one are kept, too: for lines that take longer to read than to cut.
    """
    return kept_lines(text, keep_short=keep_short) or LineTexts(text)


def kept_lines(text: str, *, keep_short: bool = False) -> LineTexts | None:
    """The same; None for a text whose lines are not kept."""
    if len(text) < _LONG and not keep_short:
        return None
    before = _before(text)
    if before is not None and before.index.text == text:
        made = before
        made.index.text = text  # the same object is compared sooner next time
    elif "\r" in text:
        return None
    else:
        made = before.replaced(text) if before is not None else LineTexts(text)
    others = [one for one in _kept if one is not before]
    if len(text) > _VERY_LONG:
        others = [one for one in others if len(one.index.text) <= _VERY_LONG]
    _kept[:] = [made, *others[: _MOST_KEPT - 1]]
    return made


_kept: list[LineTexts] = []  # the latest first


def _before(text: str) -> LineTexts | None:
    """The kept text that is most like a text; None if none begins or ends like it."""

    def likeness(one: LineTexts) -> int:
        other = one.index.text
        return (other == text) + (other[:_EDGE] == text[:_EDGE]) + (other[-_EDGE:] == text[-_EDGE:])

    return max(filter(likeness, _kept), key=likeness, default=None)
