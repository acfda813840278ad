"""Outlines: YAML-like runs of ``key: value`` lines with lists, maps and blocks in them, as agents write them.

They may be bare, quoted, bulleted, with bold keys, half-typed or broken. Every offset here is an index of code
points into the whole text. A *column* counts the blanks before a line's first character (a tab reaches to the next
multiple of four), after the quote marks and one blank. A line in a deeper column than a key belongs to that key.
"""

from __future__ import annotations

from functools import lru_cache

from handoff_lsp.syntax.lines.outline_reader import OutlineReader
from handoff_lsp.syntax.lines.outline_tree import Outline, OutlineEntry, OutlineItem, OutlineValue

__all__ = ["Outline", "OutlineEntry", "OutlineItem", "OutlineValue", "read_outline"]


# Most of an edited text stays: the outlines of texts up to this length are memoized.
_SHORT = 4_000


def read_outline(
    text: str,
    start: int = 0,
    end: int | None = None,
    *,
    comments: bool = False,
    numbers: bool = False,
    markdown: bool = False,
) -> Outline:
    """The outline in a part of a text. Its first pair shows whether the entries are bulleted or quoted.

    With ``comments``, lines that begin with ``#`` and `` #`` tails outside quotes are no part of any value; with
    ``numbers`` only those with a blank after the ``#``, so that ``#12`` can be a value. With
    ``markdown``, the lists, tables and fences of Markdown below a text are no part of it but stray, and so are all
    lines of a fence. Never raises; takes time linear in the length of the part.
    """
    end = len(text) if end is None else min(max(end, 0), len(text))
    start = min(max(start, 0), end)
    read = _read_again if len(text) <= _SHORT else _read
    return read(text, start, end, comments, numbers, markdown)


def _read(text: str, start: int, end: int, comments: bool, numbers: bool, markdown: bool) -> Outline:
    return OutlineReader(text, start, end, comments, numbers, markdown).read()


_read_again = lru_cache(maxsize=256)(_read)
