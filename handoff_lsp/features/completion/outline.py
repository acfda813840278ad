"""Completion in ``key: value`` lines, and in lists nested below a key or a label."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.features.completion.item import CompletionItem
from handoff_lsp.features.completion.markdown.labels import in_labels
from handoff_lsp.features.completion.markdown.line import CursorLine
from handoff_lsp.features.completion.markdown.values import value_items, value_span
from handoff_lsp.features.completion.paths import begins_path, path_items
from handoff_lsp.features.context import Context
from handoff_lsp.syntax.lines.keyvalue import read_pairs
from handoff_lsp.syntax.markdown.front_matter import front_matter
from handoff_lsp.text.lazy import lazy_pattern

_LEAD = lazy_pattern(r"[ \t>]*(?:[-*+](?:[ \t]+|\Z))?")


def in_outline(
    handoff: Handoff, line: CursorLine, context: Context, root: Slot | None = None
) -> Iterator[CompletionItem]:
    """The items for a run of ``key: value`` lines, or for the entry that the line is indented under.

    ``root``: the object with the keys that the lines may have; by default the handoff itself.
    """
    root = root if root is not None else handoff.root
    owner = key_above(handoff, root, line)
    if owner is None:
        yield from in_labels(handoff, root, line, context, fenced=True)
    elif owner.field.kind.holds == "fields":
        yield from in_labels(handoff, owner, line, context, fenced=True)
    else:
        yield from in_nested(handoff, owner, line, context)


def in_front_matter(handoff: Handoff, line: CursorLine, context: Context) -> Iterator[CompletionItem]:
    """The items for a line between those of dashes around a document's front matter."""
    declared, front = handoff.spec.front_matter, front_matter(handoff.tree)
    if declared is None or front is None or not front.opening.end < line.span.start < front.node.content.end:
        return
    root = Slot("", declared)
    root.children = {name: handoff.root.children[name] for name in declared.fields}
    yield from in_outline(handoff, line, context, root)


def key_above(handoff: Handoff, owner: Slot, line: CursorLine) -> Slot | None:
    """The nearest child of ``owner`` with a key above the line and indented less; None without one."""
    lines = handoff.source.lines
    lead = _LEAD.match(line.text)
    column = lead.end() if lead is not None else 0
    nearest: Slot | None = None
    for child in owner.children.values():
        if child.key is None or line.span.covers(child.key) or child.key.start > line.span.start:
            continue
        indent = child.key.start - lines.line_start(lines.line_of(child.key.start))
        if column > indent and (nearest is None or nearest.key is None or child.key.start > nearest.key.start):
            nearest = child
    return nearest


def in_nested(handoff: Handoff, owner: Slot, line: CursorLine, context: Context) -> Iterator[CompletionItem]:
    """The items for the lines below a key that holds a list, or names with values."""
    field = owner.field
    pairs = field.kind.holds == "pairs"
    if not pairs and (not field.kind.holds_items or field.kind.has_boxes):
        return
    text, inner = handoff.source.text, field.items
    lead = _LEAD.match(line.text)
    low = line.span.start + (lead.end() if lead is not None else 0)
    if line.offset < low:
        return
    pair = next(iter(read_pairs(text, line.span)), None) if pairs else None
    if pair is not None and line.offset > pair.key.end:
        low = min(pair.value.start, line.offset)
        if inner is not None:
            span = value_span(None, line, low)
            yield from value_items(handoff, f"{owner.path}[]", inner, line, span, context)
        if "/" in pair.key_text or (inner is not None and inner.values):
            return  # the key is the path
        if text[low - 1 : low] in {":", "："}:
            return
    elif inner is not None and field.kind.holds == "plain items":
        yield from value_items(handoff, f"{owner.path}[]", inner, line, value_span(None, line, low), context)
    if field.paths and begins_path(text, low, line.offset):
        yield from path_items(text, low, line.offset, context)
