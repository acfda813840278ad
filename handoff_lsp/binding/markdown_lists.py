"""Binding the lists of a section: plain items, rows with marks, checklists, tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Protocol

from handoff_lsp.binding.put import put, with_empties
from handoff_lsp.binding.slot import UNNAMED, Problem, Slot, Unknown
from handoff_lsp.binding.values import is_nothing, is_placeholder, read_text, tables, trim
from handoff_lsp.contracts.model import Field, Value
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.contracts.spec import children_of
from handoff_lsp.syntax.markdown.incremental import BlockKind, MarkdownTree, Node, Section
from handoff_lsp.syntax.markdown.node import contents_of
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

CONTENT: frozenset[BlockKind] = frozenset({"paragraph", "fence", "code", "quote", "table", "html"})


def content(blocks: Iterable[Node], tree: MarkdownTree) -> Iterable[Node]:
    """The blocks with content, which comments are not."""
    for node in blocks:
        if node.kind == "html" and tree.source.slice(node.span).lstrip().startswith("<!--"):
            continue
        yield node


class Blocks(Protocol):
    """The blocks that a list may be in: a section, or a part of one."""

    @property
    def first_subsection(self) -> Section | None:
        """The first section that is in this one."""

    def whole(self, kinds: Container[BlockKind]) -> list[Node]:
        """The top-level blocks of some kinds."""


# Boxes that Markdown does not know: `[~]`, `[-]`, `[]`; and ticked ones: `[✓]`, `[x ]`, `[x]CI`.
_ODD_BOX = lazy_pattern(r"\[[^\[\]\w\n]{0,3}\](?=[ \t]|$)")
_TICKED_BOX = lazy_pattern(r"\[(?:[✓✔✅☑]\ufe0f?| ?[xX] ?)\](?![(\[])")
# In items without a box: a sign for done; and remarks or points that do not apply.
_TICK = lazy_pattern(r"[✓✔✅☑]")
_ASIDE = lazy_pattern(
    r"(?:\[n/?a\]|n/a\b|~~[^~\n]+~~|(?:notes?|remarks?|nota|備考|注)[ \t]*[:：])"
    r"|.*(?:\b(?:n/?a|not applicable)\b|該当なし|対象外)[^\w\n]*$",
    re.IGNORECASE,
)


def has_boxes(node: Node) -> bool:
    """Whether one of the items of a list has a box."""
    return any(box is not None for box in node.of_items(_box_of))


def _points(node: Node) -> list[bool | None]:
    """For each item of a list: whether it is done, with all points below it; None without any box."""
    boxes = node.of_items(_box_of)
    deep = [any(below.kind == "list" for below in green.children) for green in node.green.children]
    return [_is_done(box, node.child(at) if deep[at] else None) for at, box in enumerate(boxes)]


def _is_done(box: str | None, item: Node | None) -> bool | None:
    lists = [node for node in item.children if node.kind == "list"] if item is not None else []
    below = [done for node in lists for done in node.once(_points) if done is not None]
    return all((box in {None, "x", "X", "+"}, *below)) if box is not None or below else None


def _counted(slot: Slot, node: Node) -> list[tuple[bool | None, bool]]:
    """For each item of a list in a checklist: whether it is done, and whether its box can be read.

    A point without a readable box or a sign for done is open. None for other items: remarks, items of a list without
    boxes, and items without a box in a list that may contain labels.
    """
    boxes, items = node.of_items(_box_of), slot.field.items
    if items is not None and any(field.kind.has_boxes for field in _lists_in(items).values()):
        points = [_is_done(box, None) for box in boxes]  # the contract has its own conditions for the points below
    else:
        points = node.once(_points)
    every = slot.carrier != "body" and any(done is not None for done in points)
    counted: list[tuple[bool | None, bool]] = []
    for done, box, ticked in zip(points, boxes, node.of_items(_tick_of), strict=True):
        if ticked is None and (done is None or box == "?"):
            counted.append((None, True))
        elif done is None and every:
            counted.append((bool(ticked), False))
        else:
            counted.append((done, box not in {"?", "+"}))
    return counted


def bind_list(slot: Slot, section: Blocks, tree: MarkdownTree, empty_words: frozenset[str]) -> None:
    """Give a slot the list, the rows, the checklist or the table in a section."""
    if slot.field.kind.holds == "table rows":
        _bind_table(slot, section, tree, empty_words)
        return
    lists = section.whole({"list"})
    slot.value = None
    if not lists:
        rest = list(content(section.whole(CONTENT), tree))
        _bind_prose(slot, rest, tree, empty_words)
        return
    countable = len(lists) == 1 and section.first_subsection is None
    bind_items(slot, lists, tree, empty_words, countable=countable)


def _bind_prose(slot: Slot, rest: Sequence[Node], tree: MarkdownTree, empty_words: frozenset[str]) -> None:
    """A section without a list."""
    text = "\n".join(node.text for node in rest)
    slot.raw = text
    if is_nothing(text, empty_words):
        slot.data = []
    elif slot.field.kind.has_boxes:
        slot.problem = Problem("shape", text, rest[0].content)
    elif slot.field.kind.has_marks:
        slot.data = _rows_of_lines(slot, rest, tree, empty_words)
    elif is_placeholder(text):
        slot.value = rest[0].content
        slot.problem = Problem("placeholder", text, slot.value)
    elif rest:
        slot.value = rest[0].content  # prose has no countable items: no data, and no problem


def bind_items(
    slot: Slot, lists: Sequence[Node], tree: MarkdownTree, empty_words: frozenset[str], *, countable: bool
) -> None:
    """Give a slot the items of some lists. ``countable``: each item may count as one thing."""
    texts = [text for node in lists for text in node.of_items(_text_of)]
    slot.raw = tree.source.text[lists[0].span.start : lists[-1].span.end]
    slot.value = lists[0].child(0).content
    if len(texts) == 1 and is_nothing(texts[0], empty_words):
        slot.data = []
    elif len(texts) == 1 and is_placeholder(texts[0]):
        slot.problem = Problem("placeholder", texts[0], slot.value)
    elif slot.field.kind.has_marks:
        _bind_rows(slot, lists, tree, empty_words)
    elif slot.field.items is not None and _has_parts(slot.field.items):
        _bind_parts(slot, slot.field.items, lists, tree, empty_words)
        slot.countable = countable
    elif slot.field.kind.has_boxes:
        _bind_points(slot, lists, texts)
    else:
        slot.item_maker = _item_maker(lists, None)
        single = [one for node in lists for one in node.of_items(_one_thing(empty_words))]
        slot.data = texts if all(single) else _with_nested(lists, tree, single)
        slot.countable = countable and all(single)


def _bind_points(slot: Slot, lists: Sequence[Node], texts: Sequence[str]) -> None:
    counted = [one for node in lists for one in _counted(slot, node)]
    points = [done for done, _ in counted]
    if all(done is None for done in points):
        slot.problem = Problem("shape", slot.raw, slot.value or lists[0].span)
        return
    found = zip(points, texts, strict=True)
    slot.data = [{"done": done, "text": text} for done, text in found if done is not None]
    slot.item_maker = _item_maker(lists, points)
    unread = [not read for done, read in counted if done is not None]
    if any(unread):
        slot.items = slot.item_maker(slot)
        for item, wrong in zip(slot.items, unread, strict=True):
            if wrong:
                _refuse_box(item, item.data["text"])


def _refuse_box(item: Slot, text: str) -> None:
    item.field = item.parent.field if item.parent is not None else item.field
    item.problem = Problem("mark", text, item.value or item.anchor())


def _with_nested(lists: Sequence[Node], tree: MarkdownTree, single: Sequence[bool]) -> list[str]:
    """The texts of items. One that is more than a single thing includes the items nested below it."""
    texts = [(node, index, text) for node in lists for index, text in enumerate(node.of_items(_text_of))]
    found = []
    for (node, index, text), one in zip(texts, single, strict=True):
        if not one:
            item = node.child(index)
            text += tree.source.text[item.content.end : item.span.end].rstrip()
        found.append(text)
    return found


@once_per_field
def _has_parts(items: Field) -> bool:
    """Whether the items of a list in Markdown are more than texts: values of a type, or with lists below them."""
    typed = items.kind.holds == "value" and not items.kind.is_free
    return typed or bool(_lists_in(items))


@once_per_field
def _lists_in(items: Field) -> dict[str, Field]:
    """The fields of an item that are lists below it."""
    return {name: field for name, field in items.fields.items() if field.kind.holds_items and not field.each}


def _bind_parts(
    slot: Slot, field: Field, lists: Sequence[Node], tree: MarkdownTree, empty_words: frozenset[str]
) -> None:
    """Give a list items with values of their type and the lists nested below them. A checklist's items have boxes."""
    boxed = slot.field.kind.has_boxes
    slot.data = []
    for node in lists:
        counted = _counted(slot, node) if boxed else []
        for index, text in enumerate(node.of_items(_text_of)):
            done, readable = counted[index] if boxed else (False, True)
            if done is None:
                continue
            place = node.child(index)
            item = slot.add_item(field, place.content)
            item.raw, item.value = text, place.content
            read = read_text(field, text, empty_words) if not field.kind.untyped and text else None
            if read is not None and field.kind.holds == "value":
                put(item, read, place.content)
            for name, inner in _lists_in(field).items():
                _bind_below(item, name, inner, place, tree, empty_words)
            value = text if item.data is None or item.problem is not None else item.data
            if boxed or item.children or field.has_groups or _lists_in(field):
                made = {"done": done} if boxed else {}
                item.data = {**made, "text": text, **(value if isinstance(value, dict) else {}), **with_empties(item)}
            elif item.problem is None:
                item.data = value
            slot.data.append(item.data if item.data is not None else value)
            if not readable:
                _refuse_box(item, text)
    if slot.items:
        slot.value = slot.items[0].value
    else:
        slot.problem, slot.data = Problem("shape", slot.raw, slot.value or lists[0].span), None


def _bind_below(
    item: Slot, name: str, field: Field, place: Node, tree: MarkdownTree, empty_words: frozenset[str]
) -> None:
    """Give a field of an item the lists nested below it: those with boxes to a checklist, the others to any other."""
    child = item.children[name] = Slot(name, field, item)
    found = [node for node in place.children if node.kind == "list" and has_boxes(node) == field.kind.has_boxes]
    if found:
        child.present = child.written = True
        child.carrier = "body"
        child.span = Span(found[0].span.start, found[-1].span.end)
        bind_items(child, found, tree, empty_words, countable=len(found) == 1)


def _item_maker(lists: Sequence[Node], points: Sequence[bool | None] | None) -> Callable[[Slot], list[Slot]]:
    """Makes the slots for the items of lists or checklists. An item that is no point is none.

    It keeps no node, which would keep the whole text, and no slot.
    """
    greens = [(node.green, node.base) for node in lists]

    def make(slot: Slot) -> list[Slot]:
        places = [place for green, base in greens for place in contents_of(green, base)]
        if points is not None:
            places = [place for place, done in zip(places, points, strict=True) if done is not None]
        items = []
        # The data of a checklist may go on with open points of a second section, which have no slots.
        for number, (place, data) in enumerate(zip(places, slot.data, strict=points is None)):
            item = slot.item(number, slot.field.items or UNNAMED, place)
            item.value, item.data = place, data
            items.append(item)
        return items

    return make


def _bind_rows(slot: Slot, lists: Sequence[Node], tree: MarkdownTree, empty_words: frozenset[str]) -> None:
    mark_of = _marker(slot.field)
    slot.data = []
    for node in lists:
        shared = _mark_above(slot.field, node, tree) if slot.field.marked else None
        for index, own in enumerate(node.of_items(mark_of)):
            item = node.child(index)
            found = own or shared
            below = [] if own is not None or slot.field.marked else _marks_below(item, mark_of)
            if below:
                slot.data += [_add_row(slot, *one) for one in below]  # a heading for the rows nested below it
            elif own is None and is_nothing(item.text, empty_words):
                slot.data.append({"mark": "", "text": item.text})
            elif found is not None:
                row = _add_row(slot, item.text, item.content, found)
                if not _has_words(row["text"]):  # the words are on the lines below
                    row["text"] = tree.source.text[item.content.end : item.span.end].strip()
                slot.data.append(row)
            else:
                slot.data.append(_unmarked(slot, item.text, item.content))


def _marks_below(item: Node, mark_of: Callable[[str, str | None], _Mark | None]) -> list[tuple[str, Span, _Mark]]:
    """The rows nested below an item without a mark, each with its text, its place and its mark.

    What is below a row with a mark is a note: `✗ in iter 1, fixed`.
    """
    found = []
    waiting = [item]
    while waiting:
        for node in waiting.pop().children:
            if node.kind != "list":
                continue
            for index, own in enumerate(node.of_items(mark_of)):
                inner = node.child(index)
                if own is None:
                    waiting.append(inner)
                else:
                    found.append((inner.text, inner.content, own))
    return sorted(found, key=lambda one: one[1])


def _mark_above(field: Field, node: Node, tree: MarkdownTree) -> _Mark | None:
    """The mark of all rows of a list: the only text of the heading or line above it."""
    lines = tree.source.lines
    above = [tree.source.slice(lines.line_span(line)) for line in range(max(node.first_line - 2, 0), node.first_line)]
    said = next((line.strip("#*_`:： \t") for line in reversed(above) if line.strip()), "")
    mark, start, end = row_mark(field, said)
    return None if mark is None or (said[:start] + said[end:]).strip("*_`:： \t") else (mark, 0, 0)


def _has_words(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _unmarked(slot: Slot, text: str, span: Span) -> dict[str, str]:
    """Add a row without a mark, with a problem if it must have one."""
    item = slot.add_item(slot.field if slot.field.marked else UNNAMED, span)
    item.value, item.raw = span, text
    if slot.field.marked:
        item.problem = Problem("mark", text, span)
    else:
        item.data = ""
    item.row = {"mark": "", "text": text}
    return item.row


@lru_cache(maxsize=64)
def _one_thing(empty_words: frozenset[str]) -> Callable[[str, str | None], bool]:
    """The test whether an item's text is one thing; the same function for the same words, as lists cache by it."""

    def is_one(text: str, checkbox: str | None) -> bool:
        if text.rstrip("*_` ").endswith((":", "：", "/", "\\")) or ("{" in text and "," in text):
            return False  # a heading for the items nested below it, or `src/{A,B}.php`
        return not is_nothing(text, empty_words)

    return is_one


def _text_of(text: str, checkbox: str | None) -> str:
    return text


def _box_of(text: str, checkbox: str | None) -> str | None:
    """The box of an item: ``" "``, ``"x"`` or ``"X"``, ``"?"`` or ``"+"`` for an odd one, None without any."""
    return checkbox or ("+" if _TICKED_BOX.match(text) else "?" if _ODD_BOX.match(text) else None)


def _tick_of(text: str, _checkbox: str | None) -> bool | None:
    """Whether an item starts with a sign for done; None for a remark or a point that does not apply."""
    return None if _ASIDE.match(text) else bool(_TICK.match(text))


def _rows_of_lines(
    slot: Slot, nodes: Sequence[Node], tree: MarkdownTree, empty_words: frozenset[str]
) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = []
    for node in nodes:
        if node.kind == "row" or node.kind == "table":
            for row in node.children if node.kind == "table" else [node]:
                cells = [(tree.source.slice(cell), cell) for cell in row.cells]
                rows += rows_of_cells(slot, cells, empty_words, header=row.header)
            continue
        for line in range(node.first_line, node.last_line + 1):
            span = tree.source.lines.line_span(line)
            start, end = trim(tree.source.text, *span)
            if found := _row(slot, tree.source.text[start:end], Span(start, end), None):
                rows.append(found)
    return rows


def rows_of_cells(
    slot: Slot, cells: Sequence[tuple[str, Span]], empty_words: frozenset[str], *, header: bool = False
) -> Iterator[dict[str, str]]:
    """The marks in a row of a table, each with the rest of its cell; the first one with the other cells if alone."""
    first = not header
    for number, (text, cell) in enumerate(cells):
        if found := _row(slot, text, cell, None):
            if first and not _has_words(found["text"]):
                others = (
                    other for at, (other, _) in enumerate(cells) if at != number and not other.strip().isdecimal()
                )
                found["text"] = " | ".join(other for other in others if not is_nothing(other, empty_words))
            first = False
            yield found


# The value of a row's mark, and the start and end of the mark in the row's text.
_Mark = tuple[Value, int, int]


@once_per_field
def _marker(field: Field) -> Callable[[str, str | None], _Mark | None]:
    """The function that finds the mark of a row; the same one for the same field, as lists cache by it."""
    return lambda text, checkbox: _mark(field, text, checkbox)


def _mark(field: Field, text: str, checkbox: str | None) -> _Mark | None:
    mark, start, end = row_mark(field, text)
    if mark is None and checkbox is not None:
        mark = next((value for value in field.values if f"[{checkbox}]" in value.instead_of), None)
    return None if mark is None else (mark, start, end)


def _row(slot: Slot, text: str, span: Span, checkbox: str | None) -> dict[str, str] | None:
    """A row's mark and text, and a slot for its mark; None for an item without a mark."""
    found = _mark(slot.field, text, checkbox)
    return None if found is None else _add_row(slot, text, span, found)


def _add_row(slot: Slot, text: str, span: Span, found: _Mark) -> dict[str, str]:
    mark, start, end = found
    item = slot.add_item(UNNAMED, span)
    item.key = item.value = Span(span.start + start, span.start + max(end, start)) if end > start else span
    item.raw = text[start:end]
    item.data = mark.value
    item.row = {"mark": mark.value, "text": text[end:].strip()}
    return item.row


def row_of_text(slot: Slot, text: str, span: Span) -> dict[str, str]:
    """A row that is written without a list; its mark gets its own slot, ``span`` is that of the text."""
    row = _row(slot, text, span, None)
    if row is not None:
        return row
    return _unmarked(slot, text, span) if slot.field.marked else {"mark": "", "text": text}


def marks_alone(field: Field, text: str) -> Value | None:
    """The mark of a text without other words; None for any other text."""
    mark, start, end = row_mark(field, text)
    return mark if mark is not None and not _has_words(text[:start] + text[end:]) else None


def row_below(slot: Slot, text: str, span: Span, mark: Value) -> dict[str, str]:
    """The row of a text below a line with only a mark, which counts unless the text has one of its own."""
    return _row(slot, text, span, None) or _add_row(slot, text, span, (mark, 0, 0))


def row_mark(field: Field, text: str) -> tuple[Value | None, int, int]:
    """The mark at the beginning of a row (or at its end, after a blank, colon or dash), with its start and end."""
    exact, _, _ = tables(field)
    start, _ = trim(text, 0, len(text), " *_`\"'")
    spellings = [(spelling, value) for value in exact.values() for spelling in (value.value, *value.instead_of)]
    # `[CRITICAL]` is the mark in brackets, unless `[x]` is itself a spelling.
    inner = trim(text, start, len(text), "[(")[0]
    for spelling, value in sorted(spellings, key=lambda pair: -len(pair[0])):
        for at in {start, inner}:
            if text.startswith(spelling, at):
                return value, at, at + len(spelling)
    end = trim(text, 0, len(text), " *_`\"'")[1]
    for spelling, value in spellings:
        first = end - len(spelling)
        if first > start and text.startswith(spelling, first) and text[first - 1] in " \t:：—–-":
            return value, first, end
    return None, 0, 0


def _bind_table(slot: Slot, section: Blocks, tree: MarkdownTree, empty_words: frozenset[str]) -> None:
    found = section.whole({"table"})
    if not found:
        rest = list(content(section.whole(CONTENT | {"list"}), tree))
        slot.raw = "\n".join(node.text for node in rest)
        if is_nothing(slot.raw, empty_words):
            slot.data = []
        else:
            slot.problem = Problem("shape", slot.raw, rest[0].content)
        return
    table = found[0]
    slot.raw, slot.value = table.text, table.content
    columns = slot.field.items.fields if slot.field.items is not None else {}
    named = children_of(slot.field.items).folded if slot.field.items is not None else {}
    slot.data = []
    for heads, row in chain.from_iterable(_headed_rows(node, tree) for node in found):
        own = row.cells
        cells = [tree.source.slice(cell).strip() for cell in own]
        item = slot.add_item(UNNAMED, row.span)
        item.value = row.span
        item.raw = tree.source.slice(row.span)
        item.data = {head: cell for head, cell in zip(heads, cells, strict=False) if head}
        for number, head in enumerate(heads):
            name = named.get(fold_name(head))
            if name is not None and name not in item.children:
                if number >= len(own):
                    # Cells missing at the end of a row are empty and have no place. Text below a table has no cells.
                    if "|" in item.raw:
                        end = Span(row.span.end, row.span.end)
                        _add_cell(item, name, columns[name], end, tree, empty_words).value = None
                    continue
                bound = _add_cell(item, name, columns[name], own[number], tree, empty_words)
                # By the name of the field, whatever the heading; an invalid text is kept as written.
                item.data[name] = bound.raw if bound.data is None else bound.data
        slot.data.append(item.data)
    _add_missing(slot, columns, named, found[0], tree)


def _add_missing(
    slot: Slot, columns: Mapping[str, Field], named: Mapping[str, str], table: Node, tree: MarkdownTree
) -> None:
    """Add the columns that no table has to the first row as absent fields, with the headings that may mean them."""
    written = {name for item in slot.items for name in item.children}
    missing = [name for name in columns if name not in written]
    if not missing or not slot.items:
        return
    first = slot.items[0]
    for name in missing:
        first.children[name] = Slot(name, columns[name], first)
    for cell in (cell for row in table.children if row.header for cell in row.cells):
        key = Span(*trim(tree.source.text, *cell, " *_`"))
        if fold_name(tree.source.slice(key)) not in named:
            first.add_unknown(Unknown(tree.source.slice(key), key, key))


def _headed_rows(table: Node, tree: MarkdownTree) -> Iterator[tuple[list[str], Node]]:
    """The rows of a table, each with the headings of its columns."""
    heads = [tree.source.slice(cell).strip(" *_`") for row in table.children if row.header for cell in row.cells]
    yield from ((heads, row) for row in table.children if not row.header)


def _add_cell(row: Slot, name: str, field: Field, cell: Span, tree: MarkdownTree, empty_words: frozenset[str]) -> Slot:
    """Bind the cell of a column that the contract declares; its value is the text without the marks around it.

    A word for nothing, such as a dash, makes a cell empty, unless it is a value of the column's type.
    """
    slot = row.children[name] = Slot(name, field, row)
    slot.present = slot.written = True
    slot.carrier = "table"
    start, end = trim(tree.source.text, *trim(tree.source.text, *cell), "`*_")
    # The place of an empty cell is the sign before it.
    slot.key = slot.span = cell if cell.end > cell.start else Span(max(cell.start - 1, row.anchor().start), cell.end)
    whole = Span(start, end)
    slot.raw = tree.source.text[start:end]
    read = read_text(field, slot.raw, empty_words)
    if read.problem and is_nothing(slot.raw, empty_words):
        slot.raw = ""
    elif read.problem == "placeholder" and tree.source.text.startswith("`", start - 1):
        slot.data = slot.raw  # code is no placeholder
    else:
        put(slot, read, whole)
    slot.value = whole
    return slot
