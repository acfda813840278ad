"""A text inside a text, such as the body of a fence inside a list or a quote."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from handoff_lsp.text.span import Span


class Fragment:
    """Text taken out of a larger one in pieces, with the way back.

    ``text`` is what an inner parser reads. Offsets inside it are turned into offsets of the outer text by
    ``outer``: exact for every character, so a place between two pieces is the beginning of the latter.
    """

    __slots__ = ("_inner", "_outer", "text")

    def __init__(self, outer_text: str, spans: Iterable[Span]) -> None:
        parts: list[str] = []
        self._inner: list[int] = []
        self._outer: list[int] = []
        length = 0
        for span in spans:
            self._inner.append(length)
            self._outer.append(span.start)
            parts.append(outer_text[span.start : span.end])
            length += span.end - span.start
        if not self._inner:
            self._inner, self._outer = [0], [0]
        self.text: str = parts[0] if len(parts) == 1 else "".join(parts)

    def outer(self, offset: int) -> int:
        """The offset in the outer text of an offset in this fragment."""
        piece = bisect_right(self._inner, offset, 1) - 1
        return self._outer[piece] + offset - self._inner[piece]

    def outer_span(self, start: int, end: int) -> Span:
        """A span of this fragment in the outer text, including any text between its pieces."""
        inner, outer = self._inner, self._outer
        if len(inner) == 1:
            by = outer[0] - inner[0]
            return Span(start + by, end + by if end > start else start + by)
        piece = bisect_right(inner, start, 1) - 1
        first = outer[piece] + start - inner[piece]
        if end <= start:
            return Span(first, first)
        piece = bisect_right(inner, end - 1, piece + 1) - 1
        return Span(first, outer[piece] + end - inner[piece])

    def pieces(self, start: int, end: int) -> list[Span]:
        """The spans of the outer text that make up a span of this fragment, without any text between them."""
        spans: list[Span] = []
        for inner, outer, after in zip(self._inner, self._outer, [*self._inner[1:], len(self.text)], strict=True):
            low, high = max(start, inner), min(end, after)
            if low < high:
                spans.append(Span(outer + low - inner, outer + high - inner))
        return spans

    def inner(self, offset: int) -> int:
        """The offset in this fragment of an offset in the outer text, clamped to the nearest piece."""
        piece = max(bisect_right(self._outer, offset) - 1, 0)
        limit = self._inner[piece + 1] if piece + 1 < len(self._inner) else len(self.text)
        return min(max(self._inner[piece] + offset - self._outer[piece], 0), limit)
