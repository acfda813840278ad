"""Markdown as a tree of blocks with exact places in the original text, read again cheaply after an edit.

The tree is red and green: green nodes (see ``markdown_green``) know their shape and are shared between versions of a
document; the nodes in ``markdown_tree`` are made when asked for and add the place. Only blocks are read, never inline
marks.

What to expect where CommonMark leaves a choice:

- A byte order mark at the start of the text belongs to no block.
- Each link reference definition is a paragraph.
- Containers deeper than 20 lists or 40 quotes are read as plain text.
- An unclosed fence reaches to the end of its body, the last terminator included, as that is where one types on;
  the blocks around it reach as far. All other spans end before the terminator of their last line.
"""

from __future__ import annotations

from bisect import bisect_right

from handoff_lsp.syntax.markdown_build import Sync, line_count, read_blocks, read_front_matter
from handoff_lsp.syntax.markdown_green import BlockKind, FenceData, Green, ItemData
from handoff_lsp.syntax.markdown_tree import MarkdownTree, Node, Section, dump, same_tree, start_of
from handoff_lsp.text import Source, Span

__all__ = [
    "BlockKind",
    "MarkdownTree",
    "Node",
    "Section",
    "dump",
    "parse_markdown",
    "reparse_markdown",
    "same_tree",
]

# How many lines beyond the first old block after the edit are there to be read before the old blocks are joined; each
# further attempt has a multiple of them, so that all attempts together cost little more than the last.
_FIRST_REACH = 16
_GROWTH = 4
# From so many lines on, a list is moved in part rather than read again when a word in it changes.
_LONG = 24


def parse_markdown(source: Source) -> MarkdownTree:
    """Read a whole text. Never raises; nearly linear, whatever the text."""
    front = read_front_matter(source)
    lines, greens, _ = read_blocks(source, front.last + 1 if front else 0, line_count(source))
    if front:
        lines.insert(0, 0)
        greens.insert(0, front)
    return MarkdownTree(source, lines, greens)


def reparse_markdown(old: MarkdownTree, new: Source, edit: Span, inserted: int) -> MarkdownTree:
    """The tree of ``new``, which is the old text with the span ``edit`` replaced by ``inserted`` characters.

    The same as ``parse_markdown(new)`` in every respect, but green nodes of untouched blocks are the old ones, and
    only the blocks around the edit are read. ``old`` stays as it is.
    """
    front = read_front_matter(new)
    before = old.greens[0] if old.greens and old.greens[0].kind == "front-matter" else None
    floor = 0
    if front is not None or before is not None:
        edge = before.end + old.line_start(0) if before else -1
        if front is None or before is None or edit.start <= edge or front.end != before.end:
            return parse_markdown(new)
        floor = 1
    old_text = old.source.text
    old_lines = old.source.lines
    delta = new.lines.count - old_lines.count
    after = old_lines.line_of(edit.end)
    first = old_lines.line_of(edit.start)
    if edit.start and old_text[edit.start - 1] == "\r":
        # What follows a lone \r may now be its \n.
        first = old_lines.line_of(edit.start - 1)
    lines, greens = old.lines, old.greens
    touched = bisect_right(lines, first) - 1
    if touched >= 0:
        kept = _edited_fence(old, new, touched, edit, inserted, first, after)
        if kept is None and first == after and not delta:
            kept = _edited_line(old, new, touched, edit, inserted)
        if kept is not None:
            tail = lines[touched + 1 :]
            moved = lines[: touched + 1] + ([line + delta for line in tail] if delta else tail)
            return MarkdownTree(new, moved, [*greens[:touched], kept, *greens[touched + 1 :]])
    # The last block but one before the edit may look at the line after the first line of the one it is in.
    start = max(touched - 2, floor)
    back = start
    while back > floor and lines[back - 1] + greens[back - 1].last + 1 == lines[back]:
        back -= 1
        if greens[back].far:
            start = back
    line = lines[start] if start > floor else (front.last + 1 if front else 0)
    count = line_count(new)
    beyond = bisect_right(lines, after)
    reach = _FIRST_REACH
    while True:
        stop = lines[beyond] + delta + reach if beyond < len(lines) else count
        read = read_blocks(new, line, min(stop, count), Sync(lines, after, delta))
        if read.joined is not None or stop >= count:
            break
        reach *= _GROWTH
    joined = len(lines) if read.joined is None else read.joined
    tail = lines[joined:]
    if delta:
        tail = [line + delta for line in tail]
    return MarkdownTree(new, lines[:start] + read.lines + tail, greens[:start] + read.greens + greens[joined:])


def _edited_fence(
    old: MarkdownTree, new: Source, index: int, edit: Span, inserted: int, first: int, after: int
) -> Green | None:
    """The green node of a top-level fence after an edit that changes nothing but its body; None if it may not be so.

    ``first`` and ``after`` are the first and the last old line touched.
    """
    green = old.greens[index]
    data = green.data
    if not isinstance(data, FenceData) or data.pieces is not None:
        return None
    begin = old.lines[index]
    if first <= begin or (data.closing is not None and after >= begin + green.last):
        return None
    base = old.line_start(begin)
    text = new.text
    if first == begin + 1 and "|" in text[base : base + data.opening_end]:
        return None  # with a delimiter row in its first body line it would be a table
    if first >= new.lines.count:
        return None
    delta = inserted - (edit.end - edit.start)
    lines = new.lines.count - old.source.lines.count
    marker = text[base : base + data.marker_end]
    low, high = new.lines.starts[first], new.lines.line_end(after + lines)
    at = text.find(marker, low, high)
    while at >= 0:
        line = new.lines.line_of(at)
        if not text[new.lines.starts[line] : at].strip(" \t"):
            return None  # it may close the fence
        at = text.find(marker, new.lines.line_end(line), high)
    if data.closing is None:
        end = len(text) - base
        last = line_count(new) - 1 - begin
        high, closing = end, None
    else:
        end = green.end + delta
        last = green.last + lines
        high, closing = green.high + delta, (data.closing[0] + delta, data.closing[1] + delta)
    return Green("fence", green.start, end, green.low, high, 0, last, data=data._replace(closing=closing))


def _edited_line(old: MarkdownTree, new: Source, index: int, edit: Span, inserted: int) -> Green | None:
    """The green node of a long list or quote after an edit inside a line of plain text; None if it may not be so.

    The line must be the first of a paragraph, and begin with a letter (which may follow a checkbox) before and after:
    then it can be nothing else, unless it has a pipe and the next line makes it the head of a table.
    """
    green = old.greens[index]
    if green.kind not in ("list", "quote") or green.last < _LONG or green.far:
        return None
    base = old.line_start(old.lines[index])
    at = edit.start - base
    leaf, low = green, -1
    while leaf.children:
        found = bisect_right(leaf.children, at, key=start_of) - 1
        if found < 0:
            return None
        leaf, parent = leaf.children[found], leaf
        low = parent.low if isinstance(parent.data, ItemData) and parent.data.box >= 0 and not found else leaf.low
    text = old.source.text
    start = base + low
    line = old.lines[index] + leaf.line
    end = old.source.lines.line_end(line)
    if leaf.kind != "paragraph" or not (start < edit.start and edit.end <= end) or not text[start].isalpha():
        return None
    put_in = new.text[edit.start : edit.start + inserted]
    if "|" in put_in or "\n" in put_in or "\r" in put_in or text.find("|", start, end) >= 0:
        return None
    by = inserted - (edit.end - edit.start)
    was = start + len(text[start:end].rstrip())
    trimmed = start + len(new.text[start : end + by].rstrip())
    return green.grown(at, by, was - base, trimmed - base)
