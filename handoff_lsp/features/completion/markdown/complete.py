"""Completion in a Markdown handoff: sections, the fields of a section, values, marks, and whole groups of sections."""

from __future__ import annotations

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.markdown_items import has_sections
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Field
from handoff_lsp.engine import Analysis
from handoff_lsp.features.completion.item import CompletionItem
from handoff_lsp.features.completion.markdown.labels import in_labels, in_root_label
from handoff_lsp.features.completion.markdown.line import HEADING, CursorLine, line_at
from handoff_lsp.features.completion.markdown.sections import in_heading, usual_sections
from handoff_lsp.features.completion.markdown.table import in_cell
from handoff_lsp.features.completion.markdown.values import in_item, in_value_section
from handoff_lsp.features.completion.names import in_written
from handoff_lsp.features.completion.outline import in_front_matter, in_nested, key_above
from handoff_lsp.features.context import Context
from handoff_lsp.syntax.markdown.incremental import Node

_SECTIONS = {"section", "heading-inline"}


def items(analysis: Analysis, handoff: Handoff, offset: int, context: Context) -> list[CompletionItem]:
    """The items for ``offset`` in a Markdown handoff."""
    line = line_at(analysis, offset)
    node = analysis.tree.block_at(offset)
    owner = _section_slot(handoff, line)
    if node is not None and node.kind == "front-matter":
        return list(in_front_matter(handoff, line, context))
    if node is not None and node.kind in {"fence", "code"}:
        if node.kind != "fence" or owner is None or not owner.field.fields or owner.field.kind.is_choice:
            return []  # a section of prose may consist of a fence, too
        inside = owner.value == node.span and _in_body(handoff, node, offset)
        return list(in_labels(handoff, owner, line, context, fenced=True)) if inside else []
    if node is not None and node.kind == "html":
        return []
    written = list(in_written(handoff, line, context))
    if written:
        return written
    heading = HEADING.fullmatch(line.text)
    if heading is not None and line.offset >= line.span.start + heading.end("signs"):
        return list(in_heading(handoff, owner, line, heading, context))
    if node is not None and node.kind == "row":
        tables = (part for part in owner.children.values() if part.carrier == "body") if owner is not None else ()
        held = (part for part in tables if part.span is not None and part.span.holds(node.span.start))
        return list(in_cell(handoff, next(held, owner), node, line, context))
    found: list[CompletionItem] = []
    if owner is None:
        found = list(in_root_label(handoff, line, context))
    elif owner.is_section_item or has_sections(owner.field):
        found = list(in_labels(handoff, owner, line, context, fenced=False))
        for own in owner.children.values():
            if own.field.carriers[:1] == ["body"] and own.field.kind.holds_items:
                found += in_item(handoff, own, line, context)
    elif owner.field.fields and not owner.field.kind.is_choice:
        nested = key_above(handoff, owner, line)
        if nested is not None and nested.field.kind.holds == "plain items":
            found = list(in_nested(handoff, nested, line, context))
        else:
            found = list(in_labels(handoff, owner, line, context, fenced=False))
    elif owner.field.kind.holds_items or owner.field.kind.holds == "prose":
        found = list(in_item(handoff, owner, line, context))
    elif _holds_one(owner.field):
        found = list(in_value_section(handoff, owner, line, context))
        if found and not owner.raw:
            return found  # the value comes before any other section
    if not line.blank:
        return found
    labels = {item.key for item in found}
    return [
        *found,
        *(item for item in usual_sections(handoff, owner, line, context.registry) if item.key not in labels),
    ]


def _holds_one(field: Field) -> bool:
    """Whether a section holds one value that completion can offer."""
    return bool(field.values or field.names or field.paths) or field.kind.is_time


def _in_body(handoff: Handoff, fence: Node, offset: int) -> bool:
    lines = handoff.source.lines
    return offset > fence.opening.end and (
        fence.closing is None or lines.line_of(offset) < lines.line_of(fence.closing.start)
    )


def _section_slot(handoff: Handoff, line: CursorLine) -> Slot | None:
    """The innermost field or item with the line in its section's body; None before the first section."""
    found: Slot | None = None
    inner: Slot | None = handoff.root
    while inner is not None:
        parts = (part for slot in inner.children.values() for part in (slot.items if slot.field.each else (slot,)))
        inner = None
        for slot in parts:
            if slot.carrier not in _SECTIONS or slot.span is None or slot.key is None:
                continue
            if slot.key.end < line.span.start and line.offset <= slot.span.end:
                inner = slot if inner is None or inner.span is None or slot.span.start > inner.span.start else inner
        found = inner or found
    return found
