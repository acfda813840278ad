"""A text with its line index, and the conversion of its offsets to a client's positions and back."""

from __future__ import annotations

from handoff_lsp.text.encoding import Encoding, column_to_units, units_to_column
from handoff_lsp.text.lines import LineIndex
from handoff_lsp.text.span import Span


class Source:
    """An immutable text. Its lines, counts and found parts are computed on first use; an edit carries them over."""

    __slots__ = ("_commas", "_lines", "_places", "text")

    def __init__(self, text: str, lines: LineIndex | None = None) -> None:
        self.text: str = text
        self._lines = lines
        self._commas: int | None = None
        self._places: dict[str, int] = {}  # an offset of each text that was looked for, or -1

    @property
    def lines(self) -> LineIndex:
        """The line index of this text."""
        if self._lines is None:
            self._lines = LineIndex(self.text)
        return self._lines

    @property
    def commas(self) -> int:
        """The number of commas and opening brackets, at least that of the values in data."""
        if self._commas is None:
            self._commas = _commas_in(self.text)
        return self._commas

    def holds(self, part: str) -> bool:
        """Whether a text is in this one. It must not be empty."""
        at = self._places.get(part)
        if at is None:
            at = self._places[part] = self.text.find(part)
        return at >= 0

    def __len__(self) -> int:
        return len(self.text)

    def slice(self, span: Span) -> str:
        """The text of a span."""
        return self.text[span.start : span.end]

    def replaced(self, span: Span, new: str) -> Source:
        """The source after one edit. Only the text around it is read."""
        text = "".join((self.text[: span.start], new, self.text[span.end :]))
        made = Source(text, self.lines.replaced(span, new, text))
        if self._commas is not None:
            made._commas = self._commas - _commas_in(self.slice(span)) + _commas_in(new)
        end = span.start + len(new)
        for part, at in self._places.items():
            if at < 0:
                made._places[part] = text.find(part, max(span.start - len(part) + 1, 0), end + len(part) - 1)
            elif at + len(part) <= span.start:
                made._places[part] = at
            elif at >= span.end:
                made._places[part] = at + end - span.end
        return made

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
        return lines.line_start(line) + units_to_column(lines.line_text(line), units, encoding)


def _commas_in(text: str) -> int:
    return sum(map(text.count, ",[{"))
