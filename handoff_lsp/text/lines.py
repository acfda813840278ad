"""The index of a text's lines."""

from __future__ import annotations

from bisect import bisect_right

from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.span import Span

_TERMINATOR = lazy_pattern(r"\r\n|\n|\r")


def line_starts(text: str, base: int = 0) -> list[int]:
    """The offsets just after each line terminator of ``text``, counted from ``base``. Linear time."""
    if "\r" in text:
        return [base + match.end() for match in _TERMINATOR.finditer(text)]
    starts: list[int] = []
    find = text.find
    at = find("\n")
    while at >= 0:
        starts.append(base + at + 1)
        at = find("\n", at + 1)
    return starts


class LineIndex:
    """Offsets to lines and back, in code points.

    A text always has at least one line; a text that ends with a terminator has an empty last line. Asking for a
    place outside the text gives the nearest one inside it, as LSP wants, and never raises.

    While a line is being typed, the beginnings of the lines after it are those of an earlier text, moved by a number.
    """

    __slots__ = ("_by", "_starts", "_typed", "text")

    def __init__(self, text: str, starts: list[int] | None = None, typed: int = 0, by: int = 0) -> None:
        self.text: str = text
        self._starts: list[int] = [0, *line_starts(text)] if starts is None else starts
        self._typed = typed  # the last line whose beginning is in the list as it is
        self._by = by

    @property
    def count(self) -> int:
        """The number of lines, at least 1."""
        return len(self._starts)

    def line_start(self, line: int) -> int:
        """The offset where a line begins. Raises IndexError for a line that does not exist."""
        start = self._starts[line]
        return start + self._by if line > self._typed else start

    def starts_in(self, first: int, stop: int) -> list[int]:
        """The offsets where the lines from one up to another begin, without the latter."""
        starts, moved = self._starts[first:stop], max(self._typed + 1 - first, 0)
        if self._by and moved < len(starts):
            starts[moved:] = [start + self._by for start in starts[moved:]]
        return starts

    def line_of(self, offset: int) -> int:
        """The zero-based line an offset is on."""
        offset, starts, after = min(max(offset, 0), len(self.text)), self._starts, self._typed + 1
        if not self._by or after == len(starts):
            return bisect_right(starts, offset) - 1
        if offset < starts[after] + self._by:
            return bisect_right(starts, offset, 0, after) - 1
        return bisect_right(starts, offset - self._by, after) - 1

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both zero-based, the column in code points.

        An offset between ``\\r`` and ``\\n`` counts as the end of its line.
        """
        offset = min(max(offset, 0), len(self.text))
        line = self.line_of(offset)
        return line, min(offset, self.line_end(line)) - self.line_start(line)

    def offset(self, line: int, column: int) -> int:
        """The offset of a position; a column past the end of its line means the end of that line."""
        if line < 0:
            return 0
        if line >= self.count:
            return len(self.text)
        return min(self.line_start(line) + max(column, 0), self.line_end(line))

    def line_end(self, line: int) -> int:
        """The offset where a line's content ends, before its terminator."""
        if line + 1 >= self.count:
            return len(self.text)
        end = self.line_start(line + 1) - 1
        if self.text[end] == "\n" and end > self.line_start(line) and self.text[end - 1] == "\r":
            end -= 1
        return end

    def first_line_of(self, span: Span) -> Span:
        """The part of a span that is on its first line."""
        return Span(span.start, max(span.start, min(span.end, self.line_end(self.line_of(span.start)))))

    def line_span(self, line: int) -> Span:
        """A line's content, without its terminator."""
        return Span(self.line_start(line), self.line_end(line))

    def line_text(self, line: int) -> str:
        """A line's content as a string, without its terminator."""
        return self.text[self.line_start(line) : self.line_end(line)]

    def replaced(self, span: Span, new: str, text: str) -> LineIndex:
        """The index of ``text``: this text with ``span`` replaced by ``new``. Only the lines touched are scanned."""
        delta = len(new) - (span.end - span.start)
        # One character back: the inserted text may complete a \r\n that began before it.
        first = self.line_of(max(span.start - 1, 0))
        # The first line after the change keeps its beginning.
        after = self.line_of(span.end) + 1
        low = self.line_start(first)
        high = self.line_start(after) + delta if after < self.count else len(text)
        scanned = line_starts(text[low:high], low)
        typed = self.line_of(span.start)
        inside = after < self.count and typed + 1 == after
        if inside and [*map(self.line_start, range(first + 1, after)), high] == scanned:
            if not self._by or typed == self._typed:
                return LineIndex(text, self._starts, typed, self._by + delta)
            return LineIndex(text, self.starts_in(0, self.count), typed, delta)
        tail = self.starts_in(after + 1, self.count)
        if delta:
            tail = [start + delta for start in tail]
        return LineIndex(text, self.starts_in(0, first + 1) + scanned + tail)
