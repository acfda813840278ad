"""What the text between two blank lines says by itself: read once for each text, wherever and how often it is.

A keystroke changes one of these texts, and the prompts of a pack share many.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import TypeVar

from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

T = TypeVar("T")
About = TypeVar("About", bound=Hashable)

# A code span ends in its paragraph.
_CODE = lazy_pattern(r"(?<!`)(`{1,3})(?!`)((?:[^`\n]|\n(?![ \t>]*\r?\n)|(?<!`)`(?!\1)(?!`))+?)(?<!`)\1(?!`)")
# The beginning of a block: an item, a row, a heading, a line after a blank one.
_BLOCK = lazy_pattern(r"(?m)^[ \t>]*(?:[-*+][ \t]|\d+[.)][ \t]|\||#{1,6}[ \t]|(?=\r?$))")
# The name at the start of a line or code span.
_NAMED = lazy_pattern(r"(?m)^[ \t>|{,\"'*#-]*(?P<name>[^\W\d_][\w -]{0,40}?)[\"'*]*[ \t]*(?:[:：]|$)")
# The end of a line before a blank one.
_BLANK = lazy_pattern(r"\n(?=[ \t>]*\r?\n)")
# Longer texts are read each time (characters), and so many others are kept.
_LONGEST = 2_000
_KEPT = 4_096


class Code(NamedTuple):
    """A code span of the prose. ``span`` has its backticks, ``inner`` its text without blanks around it."""

    span: Span
    inner: Span
    text: str

    def moved(self, by: int) -> Code:
        """The same at a later place."""
        return Code(self.span.shift(by), self.inner.shift(by), self.text)


class Chunk:
    """A text, with what it says by itself. All offsets are code points from its start."""

    def __init__(self, text: str) -> None:
        self.text: str = text
        self._made: dict[tuple[object, object], object] = {}

    def once(self, make: Callable[[Chunk, About], T], about: About) -> T:
        """The result of a function of this text and something else, computed once. Both must live long."""
        key = (make, about)
        if key not in self._made:
            self._made[key] = make(self, about)
        return self._made[key]  # type: ignore[return-value]

    @cached_property
    def codes(self) -> Sequence[Code]:
        """Its code spans, in order."""
        return tuple(self._codes())

    def _codes(self) -> Iterator[Code]:
        text, at = self.text, self.text.find("`")
        while at >= 0:
            # Nearly all are like this; the pattern is slow.
            close = text.find("`", at + 1)
            within, end = text[at + 1 : close], close + 1
            if close <= at + 1 or "\n" in within or text[end : end + 1] == "`":
                match = _CODE.match(text, at)
                within, end = (match[2], match.end()) if match is not None else ("", at + 1)
            inner = within.strip()
            if inner:
                start = text.index(inner, at)
                yield Code(Span(at, end), Span(start, start + len(inner)), inner)
            at = text.find("`", end)

    @cached_property
    def _code_starts(self) -> list[int]:
        return [code.span.start for code in self.codes]

    def codes_in(self, start: int, end: int) -> Sequence[Code]:
        """The code spans that begin from one offset and before another."""
        low = bisect_right(self._code_starts, start - 1)
        return self.codes[low : bisect_right(self._code_starts, end - 1)]

    def code_around(self, offset: int) -> Code | None:
        """The code span that an offset is in."""
        index = bisect_right(self._code_starts, offset) - 1
        return self.codes[index] if index >= 0 and offset < self.codes[index].span.end else None

    @cached_property
    def block_starts(self) -> list[int]:
        """Where its items, rows, headings and paragraphs begin; the first of them at its start."""
        found = [match.start() for match in _BLOCK.finditer(self.text)]
        return found if found[:1] == [0] else [0, *found]

    @cached_property
    def names(self) -> frozenset[str]:
        """What its code spans may name as a field."""
        named = (_NAMED.match(code.text) for code in self.codes)
        return frozenset(match["name"] for match in named if match is not None)

    @cached_property
    def names_of_lines(self) -> frozenset[str]:
        """What its lines may name as a field."""
        return frozenset(match["name"] for match in _NAMED.finditer(self.text))


def chunks_of(prose: str) -> Iterator[tuple[int, Chunk]]:
    """The texts between the blank lines of a prose, blank lines above included, each with its offset."""
    start = read = 0
    for blank in _BLANK.finditer(prose):
        if not prose[read : blank.end()].isspace():  # all before that is blank
            yield start, chunk_of(prose[start : blank.end()])
            start = blank.end()
        read = blank.end()
    yield start, chunk_of(prose[start:])


def chunk_of(text: str) -> Chunk:
    """What a text says by itself."""
    return _kept(text) if len(text) <= _LONGEST else Chunk(text)


@lru_cache(maxsize=_KEPT)
def _kept(text: str) -> Chunk:
    return Chunk(text)
