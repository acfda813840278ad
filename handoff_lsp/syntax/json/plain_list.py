"""Lists of several proper strings, which are read at once: in long handoffs, most lines are their items."""

from __future__ import annotations

from handoff_lsp.syntax.json import scan
from handoff_lsp.text.line_texts import kept_lines
from handoff_lsp.text.named_tuple import NamedTuple


class PlainList(NamedTuple):
    """The places of the last comma and of the end of a list (code points), and its strings if they are known."""

    comma: int
    end: int
    texts: list[str] | None


def plain_list(text: str, at: int, end: int) -> PlainList | None:
    """The list whose first bracket is before ``at``; None unless it is of several strings, all of them proper."""
    if text[at : at + 1] == "\n" and (found := _by_lines(text, at, end)) is not None:
        return found
    items = scan.PLAIN_ITEMS.match(text, at, end)
    last = scan.LAST_PLAIN_ITEM.match(text, items.end(), end) if items is not None else None
    return PlainList(items.end() - 1, last.end(), None) if items is not None and last is not None else None


def _by_lines(text: str, at: int, end: int) -> PlainList | None:
    """The same for a list with one string on each line. At a keystroke, only one of them is read."""
    lines = kept_lines(text)
    if lines is None:
        return None
    texts, index = lines.each(_text_in), lines.index
    first = after = index.line_of(at) + 1  # the line ends there
    try:
        after = texts.index(None, first)
    except ValueError:  # the text ends in the list
        return None
    last = scan.LAST_PLAIN_ITEM.match(text, index.line_start(after), end)
    if last is None or after == first:
        return None
    comma = text.rindex(",", at, index.line_start(after))
    return PlainList(comma, last.end(), [*texts[first:after], scan.decode(last[1])])  # type: ignore[list-item]


def _text_in(line: str) -> str | None:
    """The string on a line that is an item and its comma."""
    match = scan.ITEM_LINE.fullmatch(line)
    return scan.decode(match[1]) if match is not None else None
