"""Markdown as a tree of blocks with exact places in the original text, read again cheaply after an edit.

The tree is red and green: green nodes (``green``) know their shape and are shared between versions of a document;
the nodes of ``node`` are built on demand and add the place. Only blocks are read, never inline marks.

Where CommonMark leaves a choice:

- A byte order mark at the start of the text belongs to no block.
- Each link reference definition is a paragraph.
- Containers deeper than 20 lists or 40 quotes are read as plain text.
- An unclosed fence reaches to the end of its body, with the last terminator, as typing continues there;
  the blocks around it reach as far. All other spans end before the terminator of their last line.
"""

from __future__ import annotations

from bisect import bisect_right

from handoff_lsp.syntax.markdown.build import ReadBlocks, Sync, line_count, list_of, read_blocks, read_front_matter
from handoff_lsp.syntax.markdown.green import BlockKind, FenceData, Green, ItemData, ListData
from handoff_lsp.syntax.markdown.node import Node
from handoff_lsp.syntax.markdown.tree import MarkdownTree, Section, dump, line_start, same_tree, start_of
from handoff_lsp.text import Source, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

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

# How many lines beyond the first old unit after the edit are there to be read before the old blocks are joined; each
# further attempt has a multiple of them, so that all attempts together cost little more than the last.
_FIRST_REACH = 16
_GROWTH = 4
# An item or quote with this many lines is moved in part, not read again, when a word in it changes.
_LONG = 24
# The beginning of a line that can only be running text: a letter, an opening sign, code, strong emphasis.
_PLAIN = lazy_pattern(r"""[^\W\d_]|[("'/.{]|`(?!``)|\*\*[^\s*]""")


def parse_markdown(source: Source) -> MarkdownTree:
    """Read a whole text. Never raises; nearly linear for any text."""
    front = read_front_matter(source)
    lines, greens, _ = read_blocks(source, front.last + 1 if front else 0, line_count(source))
    if front:
        lines.insert(0, 0)
        greens.insert(0, front)
    return MarkdownTree(source, lines, greens)


def reparse_markdown(old: MarkdownTree, new: Source, edit: Span, inserted: int) -> MarkdownTree:
    """The tree of ``new``, which is the old text with the span ``edit`` replaced by ``inserted`` characters.

    Equal to ``parse_markdown(new)`` in every respect, but untouched blocks and items keep their old green nodes,
    and only the surroundings of the edit are read. Where two neighbors keep theirs, the text between them is the same,
    too. ``old`` does not change.
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
        # The character after a lone \r may now be its \n.
        first = old_lines.line_of(edit.start - 1)
    lines, greens = old.lines, old.greens
    touched = _unit_at(old, first)
    if touched.block >= 0:
        kept = _edited_fence(old, new, touched.block, edit, inserted, first, after)
        if kept is None and first == after and not delta:
            kept = _edited_line(old, new, touched, edit, inserted)
        if kept is not None:
            tail = lines[touched.block + 1 :]
            moved = lines[: touched.block + 1] + ([line + delta for line in tail] if delta else tail)
            tree = MarkdownTree(new, moved, [*greens[: touched.block], kept, *greens[touched.block + 1 :]])
            return tree.after(old, touched.block, touched.block + 1)
    start = _first_unit(old, touched, floor)
    line = front.last + 1 if front else 0
    if start.block > floor or start.item:
        line = _line_of(old, start)
    count = line_count(new)
    beyond = _line_after(old, after)
    sync = Sync(lines, greens, after, delta)
    reach = _FIRST_REACH
    while True:
        stop = count if beyond is None else min(beyond + delta + reach, count)
        read = read_blocks(new, line, stop, sync, in_list=start.item > 0)
        if read.joined is not None or stop == count:
            break
        reach *= _GROWTH
    return _put_together(old, new, start, read, delta, inserted - (edit.end - edit.start))


class _Unit(NamedTuple):
    """A top-level block, or an item of a top-level list, by number; ``block`` is -1 before the first block."""

    block: int
    item: int


def _unit_at(tree: MarkdownTree, line: int) -> _Unit:
    """The last unit that begins on a line or before."""
    block = bisect_right(tree.lines, line) - 1
    if block >= 0:
        data = tree.greens[block].data
        if isinstance(data, ListData):
            return _Unit(block, bisect_right(data.lines, line - tree.lines[block]) - 1)
    return _Unit(block, 0)


def _unit_before(tree: MarkdownTree, unit: _Unit, floor: int) -> _Unit | None:
    """The unit before another; None where that would be in a block before ``floor``."""
    block, item = unit
    if item > 0:
        return _Unit(block, item - 1)
    if block <= floor:
        return None
    green = tree.greens[block - 1]
    return _Unit(block - 1, len(green.children) - 1 if isinstance(green.data, ListData) else 0)


def _green_of(tree: MarkdownTree, unit: _Unit) -> Green:
    green = tree.greens[unit.block]
    return green.children[unit.item] if isinstance(green.data, ListData) else green


def _line_of(tree: MarkdownTree, unit: _Unit) -> int:
    data = tree.greens[unit.block].data
    return tree.lines[unit.block] + (data.lines[unit.item] if isinstance(data, ListData) else 0)


def _line_after(tree: MarkdownTree, line: int) -> int | None:
    """The line of the first unit that begins after a line."""
    block, item = _unit_at(tree, line)
    if block >= 0:
        data = tree.greens[block].data
        if isinstance(data, ListData) and item + 1 < len(data.lines):
            return tree.lines[block] + data.lines[item + 1]
    return tree.lines[block + 1] if block + 1 < len(tree.lines) else None


def _first_unit(tree: MarkdownTree, touched: _Unit, floor: int) -> _Unit:
    """The unit where reading must begin again after an edit with its first line in the unit ``touched``."""
    if touched.block < floor:
        return _Unit(floor, 0)
    # The last unit but one before the edit may look at the line after the first line of the one it is in.
    start = touched
    for _ in range(2):
        start = _unit_before(tree, start, floor) or start
    back = start
    while True:
        if back.item and not tree.greens[back.block].far:
            back = _Unit(back.block, 0)
        before = _unit_before(tree, back, floor)
        if before is None:
            return start
        green = _green_of(tree, before)
        if _line_of(tree, before) + green.last + 1 != _line_of(tree, back):
            return start
        back = before
        if green.far:
            start = back


class _Run(NamedTuple):
    """Some items of a top-level list. Their first line is ``line`` of the new text, and begins at ``base``."""

    green: Green
    line: int
    base: int
    low: int
    high: int | None


def _put_together(old: MarkdownTree, new: Source, start: _Unit, read: ReadBlocks, delta: int, by: int) -> MarkdownTree:
    """The tree of the old blocks before ``start``, the blocks just read, and the old blocks after them.

    The latter moved by ``delta`` lines and ``by`` characters.
    """
    lines, greens = read.lines, read.greens
    last = len(greens) - 1
    runs: dict[int, list[_Run]] = {}
    for index in {0, last} if last >= 0 else ():
        if isinstance(greens[index].data, ListData):
            runs[index] = [_Run(greens[index], lines[index], line_start(new, lines[index]), 0, None)]
    if start.item:
        line = old.lines[start.block]
        runs[0].insert(0, _Run(old.greens[start.block], line, old.line_start(line), 0, start.item))
        lines[0] = line
    tail = len(old.lines)
    if read.joined is not None:
        tail, item, inside = read.joined
        if item or inside:
            line = old.lines[tail]
            run = _Run(old.greens[tail], line + delta, old.line_start(line) + by, item, None)
            if inside:
                runs[last].append(run)
            else:
                lines.append(_line_of(old, _Unit(tail, item)) + delta)
                greens.append(_list_of_runs([run]))
            tail += 1
    for index, pieces in runs.items():
        if len(pieces) > 1:
            greens[index] = _list_of_runs(pieces)
    rest = old.lines[tail:]
    lines = old.lines[: start.block] + lines + ([line + delta for line in rest] if delta else rest)
    return MarkdownTree(new, lines, old.greens[: start.block] + greens + old.greens[tail:]).after(
        old, start.block, tail
    )


def _list_of_runs(runs: list[_Run]) -> Green:
    """One list of the items of several."""
    items: list[Green] = []
    offsets: list[int] = []
    lines: list[int] = []
    sign, line, base = "", 0, 0
    for run in runs:
        data = run.green.data
        assert isinstance(data, ListData)
        if not items:
            sign, line, base = data.sign, run.line + data.lines[run.low], run.base + data.offsets[run.low]
        items += run.green.children[run.low : run.high]
        by = run.base - base
        offsets += [offset + by for offset in data.offsets[run.low : run.high]]
        by = run.line - line
        lines += [line + by for line in data.lines[run.low : run.high]]
    return list_of(ListData(sign, offsets, lines), items)


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
    low, high = new.lines.line_start(first), new.lines.line_end(after + lines)
    at = text.find(marker, low, high)
    while at >= 0:
        line = new.lines.line_of(at)
        if not text[new.lines.line_start(line) : at].strip(" \t"):
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


def _edited_line(old: MarkdownTree, new: Source, unit: _Unit, edit: Span, inserted: int) -> Green | None:
    """The top-level green node after an edit inside a line of plain text in a long item or quote; None if it may not
    be so.

    The line must be the first of a paragraph, and begin (perhaps after a checkbox) as no other block does, before and
    after: then it can be nothing else, unless it has a pipe and the next line makes it the head of a table.
    """
    green = _green_of(old, unit)
    if green.kind not in ("item", "quote") or green.last < _LONG or green.far:
        return None
    block = old.greens[unit.block]
    base = old.line_start(_line_of(old, unit))
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
    line = _line_of(old, unit) + leaf.line
    end = old.source.lines.line_end(line)
    if leaf.kind != "paragraph" or not (start < edit.start and edit.end <= end) or not _PLAIN.match(text, start):
        return None
    put_in = new.text[edit.start : edit.start + inserted]
    if not _PLAIN.match(new.text, start) or "|" in put_in or "\n" in put_in or "\r" in put_in:
        return None
    if text.find("|", start, end) >= 0:
        return None
    by = inserted - (edit.end - edit.start)
    was = start + len(text[start:end].rstrip())
    trimmed = start + len(new.text[start : end + by].rstrip())
    grown = green.grown(at, by, was - base, trimmed - base)
    if not isinstance(block.data, ListData):
        return grown
    after = unit.item + 1
    data = block.data
    offsets = data.offsets[:after] + [offset + by for offset in data.offsets[after:]]
    return list_of(data._replace(offsets=offsets), [*block.children[: unit.item], grown, *block.children[after:]])
