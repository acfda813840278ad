"""The places of a document that mention the name, file, section or field at the cursor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.features.context import Context
from handoff_lsp.features.names.anchors import mentioned_sections
from handoff_lsp.features.names.graph import (
    FieldNode,
    FileNode,
    GraphNode,
    NameNode,
    SectionNode,
    file_of,
    mentions_in,
    nodes_at,
    related_slots,
)
from handoff_lsp.names.mentions import INTRODUCED
from handoff_lsp.names.written_paths import written_paths
from handoff_lsp.text import Span
from handoff_lsp.text.named_tuple import NamedTuple


class Highlight(NamedTuple):
    """A place (a span in code points). ``write``: the name or value is given there."""

    span: Span
    kind: Literal["text", "read", "write"]


def highlights(context: Context, offset: int) -> list[Highlight]:
    """The places of the document that belong to the node at an offset, including its own, in order."""
    found: dict[Span, Highlight] = {}
    for node in nodes_at(context, offset, alone=True):  # editors ask at every move of the cursor
        for highlight in _places(context, node):
            found.setdefault(highlight.span, highlight)
        if found and not isinstance(node, SectionNode):  # a heading is a section and a field
            break
    return sorted(found.values())


def _places(context: Context, node: GraphNode) -> Iterator[Highlight]:
    if isinstance(node, NameNode):
        kind = context.project.kinds(context.full).get(node.kind)
        for mention in mentions_in(context):
            same = mention.key == node.key or (kind is not None and kind.same(mention.key, node.key))
            if mention.kind == node.kind and same:
                yield Highlight(mention.span, "write" if mention.rank == INTRODUCED else "read")
        if not context.analysis.handoffs:
            yield Highlight(node.span, "write")
    elif isinstance(node, FileNode):
        for path in written_paths(context.source, context.analysis.handoffs):
            if file_of(context, path) == node.full:
                yield Highlight(path.span, "read")
    elif isinstance(node, SectionNode):
        for section in mentioned_sections(context.analysis.tree):
            if section.number == node.number:
                yield Highlight(section.span, "write" if section.how == "heading" else "text")
    else:
        yield from _of_field(node)


def _of_field(node: FieldNode) -> Iterator[Highlight]:
    """A field's place, those with the same value, and those a check requires to agree, such as a count's section."""
    handoff, slot = node.handoff, node.slot
    yield Highlight(node.span, "write")
    if node.span == slot.value and slot.field.kind.is_choice and slot.data is not None:
        for other in _equal(handoff, slot):
            if other.value is not None:
                yield Highlight(other.value, "read")
    for other in related_slots(handoff, _owner(slot)):
        for span in _spans(handoff, other):
            yield Highlight(span, "read")


def _owner(slot: Slot) -> Slot:
    """The list that an item belongs to; else the field itself."""
    while slot.parent is not None and slot.name.endswith("]"):
        slot = slot.parent
    return slot


def _equal(handoff: Handoff, slot: Slot) -> Iterator[Slot]:
    """The other enum fields with the same value, if both enums list it."""
    values = {value.value for value in slot.field.values}
    for other in handoff.slots:
        if other is not slot and other.field.kind.is_choice and other.data == slot.data:
            if values & {value.value for value in other.field.values} >= {slot.data}:
                yield other


def _spans(handoff: Handoff, slot: Slot) -> Iterator[Span]:
    """The spans to highlight for a field: heading and items of a section, else its items or its value."""
    if slot.headed and slot.key is not None:
        yield slot.key
    items = [item.key for item in slot.parts if item.key is not None] or _listed(handoff, slot)
    if items:
        yield from items
    elif slot.value is not None and slot.value.end > slot.value.start and not slot.headed:
        yield slot.value


def _listed(handoff: Handoff, slot: Slot) -> list[Span]:
    """The items of the lists in a section, if their number is that of the field's values."""
    heading = handoff.tree.heading_at(slot.key) if slot.headed and slot.key is not None else None
    if heading is None or not isinstance(slot.data, list):
        return []
    section = next(section for section in handoff.tree.all_sections if section.heading is heading)
    items = [item.content for node in section.whole({"list"}) for item in node.children]
    return items if len(items) == len(slot.data) else []
