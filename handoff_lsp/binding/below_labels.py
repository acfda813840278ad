"""The text below a label of Markdown and its value: paragraphs, lists, tables and fences."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence

from handoff_lsp.syntax.lines.outline import OutlineEntry
from handoff_lsp.syntax.markdown.node import cells_in
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.text.within import within

# Words in the name of a label.
_LONGEST_NAME = 4
_COMMENT = lazy_pattern(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HEADING = lazy_pattern(r"^[ \t]*#{1,6}[ \t]", re.MULTILINE)
_LINE = lazy_pattern(r"[^\s](?:[^\r\n]*[^\s])?")
_ITEM = lazy_pattern(r"(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_FENCE = lazy_pattern(r"`{3,}|~{3,}")
_DELIMITER = lazy_pattern(r"(?=[^\r\n]*\|)\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")


class Piece(NamedTuple):
    """A part of the text that may be an item of a list; places as in the outline.

    ``lines``: its lines, without the bullet of an item. ``cells``: those of a row of a table, else empty.
    ``is_item``: False for a line of a paragraph.
    """

    lines: Sequence[Span]
    is_item: bool
    cells: Sequence[Span] = ()

    @property
    def span(self) -> Span:
        """Its place, from its first to its last character."""
        return Span(self.lines[0].start, self.lines[-1].end)

    def text(self, outline: str) -> str:
        """Its lines, or its cells joined by a bar."""
        sign, parts = (" | ", self.cells) if self.cells else ("\n", self.lines)
        return sign.join(part.of(outline) for part in parts)


def without_sentences(
    text: str, entries: Sequence[OutlineEntry], stray: Sequence[Span], is_known: Callable[[str], bool]
) -> tuple[tuple[OutlineEntry, ...], tuple[Span, ...]]:
    """The entries and the stray lines. Sentences of a paragraph, such as `The tests ran:`, count as lines.

    An unknown key is a sentence if it is long, or not bold below a bold label without a value.
    """
    kept: list[OutlineEntry] = []
    lines = list(stray)
    for entry in entries:
        above = kept[-1] if kept else None
        waits = above is not None and above.value.kind == "empty" and _is_bold(text, above)
        is_long = len(entry.key_text.split()) > _LONGEST_NAME
        if above is None or is_known(entry.key_text) or _is_bold(text, entry) or not (waits or is_long):
            kept.append(entry)
        else:
            lines += lines_of(text, entry.span)
    return tuple(kept), tuple(sorted(lines))


def _is_bold(text: str, entry: OutlineEntry) -> bool:
    return entry.key.start > 0 and text[entry.key.start - 1] == "*"


def headings_in(text: str) -> list[int]:
    """The offsets at which headings begin."""
    return [found.start() for found in _HEADING.finditer(text)]


def lines_below(
    text: str, entries: Sequence[OutlineEntry], stray: Sequence[Span], headings: Sequence[int]
) -> Mapping[int, list[Span]]:
    """The lines between each entry and the next one, by the start of the entry; entries without any are left out.

    Comments of Markdown are no text. A heading ends the value above it.
    """
    found: dict[int, list[Span]] = {}
    if not stray:
        return found
    starts = [entry.span.start for entry in entries]
    in_comment = within(Span(*one.span()) for one in _COMMENT.finditer(text))
    for line in stray:
        above = bisect_right(starts, line.start) - 1
        ended = above >= 0 and bisect_right(headings, line.start) > bisect_right(headings, starts[above])
        if above >= 0 and not ended and not in_comment(line.start, line.start + 1):
            found.setdefault(starts[above], []).append(line)
    return found


def lines_of(text: str, span: Span) -> list[Span]:
    """The lines in a span that are not blank, without the blanks around them."""
    return [Span(*found.span()) for found in _LINE.finditer(text, *span)]


def pieces_of(text: str, lines: Sequence[Span]) -> Iterator[Piece]:
    """The items, rows, and lines of fences and paragraphs, in order. A deeper line belongs to the item above it."""
    fence, item, column = "", list[Span](), 0
    is_table = False
    for number, line in enumerate(lines):
        mark = _FENCE.match(text, *line)
        bullet = _ITEM.match(text, *line) if not fence else None
        own = line.start - text.rfind("\n", 0, line.start) - 1
        if item and not (bullet is None and not mark and not fence and own > column):
            yield Piece(item, True)
            item = []
        if mark and (not fence or mark[0].startswith(fence)):
            fence = "" if fence else mark[0]
        elif fence:
            yield Piece([line], True)
        elif item:
            item.append(line)
        elif bullet:
            item, column = [Span(bullet.end(), line.end)], own
        elif is_table and "|" in line.of(text):
            if not _is_delimiter(text, line):
                yield Piece([line], True, _cells(text, line))
        else:
            after = lines[number + 1] if number + 1 < len(lines) else None
            is_table = after is not None and "|" in line.of(text) and _is_delimiter(text, after)
            if not is_table:
                yield Piece([line], False)
    if item:
        yield Piece(item, True)


def _is_delimiter(text: str, line: Span) -> bool:
    return _DELIMITER.fullmatch(text, *line) is not None


def _cells(text: str, row: Span) -> list[Span]:
    """The cells of a row that are not empty."""
    return [cell.shift(row.start) for cell in cells_in(row.of(text)) if cell.start < cell.end]
