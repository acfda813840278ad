"""Statements in tables and lists: the values of a field with their meanings, and the fields of a contract."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoff_lsp.prompts.acts import act_of_table
from handoff_lsp.prompts.collector import Collector
from handoff_lsp.prompts.values import WrittenValue, chain, first_code
from handoff_lsp.prompts.view import PromptView
from handoff_lsp.prompts.vocabulary import KnownField
from handoff_lsp.syntax.markdown.node import Node
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

# The end of a header above values: `Status value`.
_VALUES = lazy_pattern(r"(?i)[\s_-]*(?:values?|の値|値|valor(?:es)?)\s*$")
# The characters above a table or list in which the name of its field may be.
_LEAD = 300


def read_table(node: Node, found: Collector) -> None:
    """The values in the columns that a field heads, and the fields in the first column."""
    table = [row.cells for row in node.children]
    for column, header in enumerate(table[0] if table else ()):
        cells = [row[column] for row in table[1:] if column < len(row)]
        firsts = _firsts(found, cells, together=True)
        label = found.view.prose[header.start : header.end].strip("*_` ")
        field = found.choice(_VALUES.sub("", label), firsts)
        if field is None and column == 0 and (_VALUES.search(label) or not label):
            field = _field_above(found, node.span, firsts)
        if field is not None and _knows_most(field, firsts):
            others = [found.view.prose[one.start : one.end] for one in table[0] if one is not header]
            acts = [found.act(first.span) for first in firsts]
            if found.speaker(node.span).kind != "template":
                acts = [act_of_table(others, act) for act in acts]
            found.add_values(field, label, firsts, "table", acts=acts, listed=column == 0)
        elif column == 0:
            found.add_fields(_firsts(found, cells), "table")
            for row in table[1:]:
                _read_row(row, found)


def _read_row(cells: Sequence[Span], found: Collector) -> None:
    """The values in a cell of a row that begins with their field."""
    first = first_code(found.view, cells[0]) if cells else None
    for cell in cells[1:] if first is not None else ():
        values = _firsts(found, [cell], together=True)
        field = found.choice(first.text, values) if first is not None else None
        if field is not None and first is not None and _knows_most(field, values):
            found.add_values(field, first.text, values, "table")


def read_list(node: Node, found: Collector) -> None:
    """The values of a field that the heading or the paragraph above names, or fields."""
    firsts = _firsts(found, [item.content for item in node.children])
    if len(firsts) < 2 or found.add_fields(firsts, "list"):
        return
    field = _field_above(found, node.span, firsts)
    if field is not None:
        together = _firsts(found, [item.content for item in node.children], together=True)
        found.add_values(field, "", together, "list")


def _firsts(found: Collector, parts: Sequence[Span], *, together: bool = False) -> list[WrittenValue]:
    """The code spans that parts begin with; ``together``: with those that follow in the same list, as `a` / `b`."""
    firsts = []
    for part in parts:
        code = first_code(found.view, part)
        if code is not None:
            firsts.append(WrittenValue(code.text.rstrip(":： "), code.inner))
            for one in chain(found.view, code.span.start) if together else ():
                if one.span.start >= part.end:
                    break
                if one.span.start > code.inner.end:
                    firsts.append(one)
    return firsts


def _field_above(found: Collector, span: Span, values: Sequence[WrittenValue]) -> KnownField | None:
    pattern = found.words.plain_pattern
    if pattern is None:
        return None
    above = found.view.prose[max(span.start - _LEAD, 0) : span.start].rstrip()
    lead = above.rpartition("\n\n")[2]
    codes = (
        [code.text for code in found.view.codes_in(Span(span.start - len(above), span.start))] if "`" in lead else []
    )
    labels = [code for code in codes if f"`{code}`" in lead]
    for text in (lead, *found.view.headings(span.start)[:1]):
        labels += [match[0] for match in pattern.finditer(text)]
    fields = (found.choice(label, values) for label in labels)
    return next((field for field in fields if field is not None and _knows_most(field, values)), None)


def _knows_most(field: KnownField, values: Sequence[WrittenValue]) -> bool:
    """Whether at least two of some values, and half of them, are the field's."""
    known = sum(value.text in field.values for value in values)
    return known > 1 and 2 * known >= len(values)


def codes_in_column(view: PromptView, node: Node) -> Iterator[tuple[WrittenValue, Sequence[WrittenValue]]]:
    """The names in code in the header of a table, each with the code at the beginnings of the cells below it."""
    table = [row.cells for row in node.children]
    for column, header in enumerate(table[0] if table else ()):
        name = first_code(view, header)
        if name is not None:
            cells = (first_code(view, row[column]) for row in table[1:] if column < len(row))
            yield (
                WrittenValue(name.text, name.inner),
                [WrittenValue(one.text, one.inner) for one in cells if one is not None],
            )
