"""Completion in the cells of a table in a Markdown handoff: values, marks and paths, in empty cells too."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.markdown_lists import row_mark
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.spec import children_of
from handoff_lsp.features.completion.item import CompletionItem
from handoff_lsp.features.completion.markdown.line import CursorLine
from handoff_lsp.features.completion.markdown.values import mark_items, word_items
from handoff_lsp.features.completion.offers import text_offers
from handoff_lsp.features.completion.paths import begins_path, path_items
from handoff_lsp.features.context import Context
from handoff_lsp.syntax.markdown.incremental import Node
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

_BAR = lazy_pattern(r"(?<!\\)\|")


class _Cell(NamedTuple):
    """The cell at the cursor: its content, and the texts of its row and of its column (the heading first)."""

    span: Span
    row: list[str]
    number: int
    column: list[str]


def in_cell(
    handoff: Handoff, owner: Slot | None, row: Node, line: CursorLine, context: Context
) -> Iterator[CompletionItem]:
    """The items for the cell at the cursor; ``owner``: the field whose section holds the table."""
    cell = _cell_at(handoff, row, line.offset)
    if cell is None or row.header or owner is None:
        return
    text, field = handoff.source.text, owner.field
    before, after = text[cell.span.start - 1 : cell.span.start], text[cell.span.end : cell.span.end + 1]
    gap, tail = " " if before == "|" else "", " " if after == "|" else ""
    if field.kind.has_marks:
        if _holds_marks(field, cell):
            mark, start, end = row_mark(field, text[cell.span.start : cell.span.end])
            if mark is None and len(cell.row[cell.number].split() if cell.number < len(cell.row) else ()) > 1:
                return  # a text, which a mark does not replace
            span = Span(cell.span.start + start, cell.span.start + end) if mark is not None else cell.span
            if span.holds(line.offset):
                yield from mark_items(handoff, owner, line, span, gap)
        return
    held = _field_of(owner, cell)
    if held is not None:
        path, inner = held
        offers = text_offers(handoff, path, inner, context, line.offset)
        escaped = (offer._replace(word=offer.word.replace("|", "\\|")) for offer in offers)
        yield from word_items(inner, text, cell.span, line.offset, escaped, gap, tail)
    paths = held[1].paths if held is not None else field.paths and _holds_paths(cell)
    if paths and begins_path(text, cell.span.start, line.offset) and not (gap and line.offset == cell.span.start):
        yield from path_items(text, cell.span.start, line.offset, context)


def _cell_at(handoff: Handoff, row: Node, offset: int) -> _Cell | None:
    table = row.parent
    if table is None or row.kind != "row":
        return None
    text = handoff.source.text
    cells = row.cells
    number = next((index for index, cell in enumerate(cells) if not _BAR.search(text, cell.end, offset)), len(cells))
    if _BAR.search(text, row.span.start, offset) is None and text[row.span.start : row.span.start + 1] == "|":
        return None  # before the first bar
    span = cells[number] if number < len(cells) else Span(offset, offset)
    if not span.holds(offset):
        # In the blanks around the content.
        if span.end > span.start:
            return None
        span = Span(offset, offset)
    columns = [child.cells for child in table.children if child is not row]
    column = [text[each[number].start : each[number].end] for each in columns if number < len(each)]
    return _Cell(span, [text[each.start : each.end] for each in cells], number, column)


def _field_of(owner: Slot, cell: _Cell) -> tuple[str, Field] | None:
    """The path and field of a cell's value, by its column, or by the name beside it or above it; None without one."""
    field = owner.field
    head = fold_name(cell.column[0].strip(" *_`")) if cell.column else ""
    if field.items is not None and field.items.fields:
        name = children_of(field.items).folded.get(head)
        return (f"{owner.path}[].{name}", field.items.fields[name]) if name is not None else None
    if not field.fields:
        return None
    names = children_of(field).folded
    name = names.get(head)
    if name is None and cell.number == 1:
        name = names.get(fold_name(cell.row[0].strip(" *_`")))
    return (f"{owner.path}.{name}", field.fields[name]) if name is not None else None


def _holds_marks(field: Field, cell: _Cell) -> bool:
    """Whether a column holds the marks, judged by its other rows, else by the cell.

    An empty cell counts if its row has no mark elsewhere.
    """
    others = [text for text in cell.column[1:] if text]
    here = cell.row[cell.number] if cell.number < len(cell.row) else ""
    if others:
        return any(row_mark(field, text)[0] is not None for text in others)
    elsewhere = any(row_mark(field, text)[0] is not None for text in cell.row if text is not here)
    return row_mark(field, here)[0] is not None or (not here and not elsewhere)


def _holds_paths(cell: _Cell) -> bool:
    """Whether a column holds paths: the first one, or one with a path in another row."""
    return cell.number == 0 or any("/" in text and " " not in text.strip() for text in cell.column[1:])
