"""The beginning of a line, found in the text alone, without an index of its lines."""

from __future__ import annotations


def line_start(text: str, offset: int) -> int:
    """The offset where the line of an offset begins."""
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def line_indent(text: str, offset: int) -> str:
    """The blanks at the beginning of an offset's line."""
    start = line_start(text, offset)
    line = text[start:offset]
    return line[: len(line) - len(line.lstrip(" \t"))]


def own_indent(text: str, offset: int) -> str | None:
    """The blanks before an offset if its line holds nothing else before it, else None."""
    before = text[line_start(text, offset) : offset]
    return None if before.strip(" \t") else before
