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
    """

    __slots__ = ("starts", "text")

    def __init__(self, text: str, starts: list[int] | None = None) -> None:
        self.text: str = text
        self.starts: list[int] = [0, *line_starts(text)] if starts is None else starts

    @property
    def count(self) -> int:
        """The number of lines, at least 1."""
        return len(self.starts)

    def line_of(self, offset: int) -> int:
        """The zero-based line an offset is on."""
        return bisect_right(self.starts, min(max(offset, 0), len(self.text))) - 1

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both zero-based, the column in code points.

        An offset between ``\\r`` and ``\\n`` counts as the end of its line.
        """
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self.starts, offset) - 1
        return line, min(offset, self.line_end(line)) - self.starts[line]

    def offset(self, line: int, column: int) -> int:
        """The offset of a position; a column past the end of its line means the end of that line."""
        if line < 0:
            return 0
        if line >= len(self.starts):
            return len(self.text)
        return min(self.starts[line] + max(column, 0), self.line_end(line))

    def line_end(self, line: int) -> int:
        """The offset where a line's content ends, before its terminator."""
        if line + 1 >= len(self.starts):
            return len(self.text)
        end = self.starts[line + 1] - 1
        if self.text[end] == "\n" and end > self.starts[line] and self.text[end - 1] == "\r":
            end -= 1
        return end

    def first_line_of(self, span: Span) -> Span:
        """The part of a span that is on its first line."""
        return Span(span.start, max(span.start, min(span.end, self.line_end(self.line_of(span.start)))))

    def line_span(self, line: int) -> Span:
        """A line's content, without its terminator."""
        return Span(self.starts[line], self.line_end(line))

    def line_text(self, line: int) -> str:
        """A line's content as a string, without its terminator."""
        return self.text[self.starts[line] : self.line_end(line)]

    def replaced(self, span: Span, new: str, text: str) -> LineIndex:
        """The index of ``text``: this text with ``span`` replaced by ``new``. Only the lines touched are scanned."""
        starts = self.starts
        delta = len(new) - (span.end - span.start)
        # One character back: the inserted text may complete a \r\n that began before it.
        first = bisect_right(starts, max(span.start - 1, 0)) - 1
        # The first line after the change keeps its beginning.
        after = bisect_right(starts, span.end)
        low = starts[first]
        high = starts[after] + delta if after < len(starts) else len(text)
        scanned = line_starts(text[low:high], low)
        tail = starts[after + 1 :]
        if delta:
            tail = [start + delta for start in tail]
        return LineIndex(text, starts[: first + 1] + scanned + tail)
