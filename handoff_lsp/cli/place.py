"""Places in a document as the command tells them: lines and columns from 1, columns in code points."""

from __future__ import annotations

from handoff_lsp.text import Source


def place(source: Source, offset: int) -> tuple[int, int]:
    """Line and column of an offset, both 1-based. A byte order mark has no column, as in every editor."""
    line, column = source.lines.position(offset)
    if line == 0 and column and source.text.startswith("\ufeff"):
        column -= 1
    return line + 1, column + 1
