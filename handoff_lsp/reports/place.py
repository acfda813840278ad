"""Lines and columns of a report as offsets in a text, and a report's edits applied to it."""

from __future__ import annotations

from collections.abc import Iterable

from handoff_lsp.text import Edit, Source, Span, apply_edits

# A line and a column, both from 1, the column in code points.
LineColumn = tuple[int, int]


def applied(edits: Iterable[tuple[LineColumn, LineColumn, str]], text: str) -> str:
    """A text with all edits applied at once. Raises ValueError if a place is not in it: the text has changed."""
    source = Source(text)
    return apply_edits(
        text, [Edit(Span(offset_in(source, start), offset_in(source, end)), new) for start, end, new in edits]
    )


def offset_in(source: Source, place: LineColumn) -> int:
    """The offset of a line and column in a text. Raises ValueError if it has no such place."""
    lines, line, column = source.lines, place[0] - 1, place[1] - 1
    if line == 0 and source.text.startswith("\ufeff"):
        column += 1  # a byte order mark has no column
    if line >= lines.count or lines.line_start(line) + column > lines.line_end(line):
        raise ValueError(f"no line {place[0]} with a column {place[1]}: this is not the text that was checked")
    return lines.line_start(line) + column
