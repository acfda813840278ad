"""A text with its line index, and the conversion of its offsets to a client's positions and back."""

from __future__ import annotations

from handoff_lsp.text.encoding import Encoding, column_to_units, units_to_column
from handoff_lsp.text.lines import LineIndex
from handoff_lsp.text.span import Span


class Source:
    """An immutable text. ``lines`` is computed on first use and carried over to the next version."""

    __slots__ = ("_lines", "text")

    def __init__(self, text: str, lines: LineIndex | None = None) -> None:
        self.text: str = text
        self._lines = lines

    @property
    def lines(self) -> LineIndex:
        """The line index of this text."""
        if self._lines is None:
            self._lines = LineIndex(self.text)
        return self._lines

    def __len__(self) -> int:
        return len(self.text)

    def slice(self, span: Span) -> str:
        """The text of a span."""
        return self.text[span.start : span.end]

    def replaced(self, span: Span, new: str) -> Source:
        """The source after one edit."""
        text = self.text[: span.start] + new + self.text[span.end :]
        return Source(text, self.lines.replaced(span, new, text))

    def encode(self, offset: int, encoding: Encoding) -> tuple[int, int]:
        """An offset as line and column in the client's encoding, both zero-based."""
        line, column = self.lines.position(offset)
        if encoding == "utf-32":
            return line, column
        return line, column_to_units(self.lines.line_text(line), column, encoding)

    def decode(self, line: int, units: int, encoding: Encoding) -> int:
        """The offset of a position with its column in the client's encoding. Out of range means the nearest place."""
        lines = self.lines
        if line < 0:
            return 0
        if line >= lines.count:
            return len(self.text)
        return lines.starts[line] + units_to_column(lines.line_text(line), units, encoding)
