"""Go to definition: an agent's file, a file, a section, the place where a task is given out."""

from __future__ import annotations

import os
from collections.abc import Iterator

from handoff_lsp.binding.slot import Slot
from handoff_lsp.features.context import Context
from handoff_lsp.features.names.anchors import place_in
from handoff_lsp.features.names.graph import (
    FieldNode,
    FileNode,
    GraphNode,
    NameNode,
    SectionNode,
    definitions_of,
    nodes_at,
    place_of_definition,
    places_of,
    related_slots,
)
from handoff_lsp.names.mentions import INTRODUCED, WRITTEN
from handoff_lsp.text import Source, Span
from handoff_lsp.text.named_tuple import NamedTuple


class Target(NamedTuple):
    """A place to go to. ``full``: the path of its file. ``span``: the part to put the cursor on, within ``whole``.

    ``origin``: the part of the document that leads there. All spans are in code points.
    """

    full: str
    source: Source
    span: Span
    whole: Span
    origin: Span


def definition(context: Context, offset: int) -> list[Target]:
    """The definitions of the node at an offset; empty without any."""
    nodes = nodes_at(context, offset)
    # For a change's name in the middle of a path, the user wants the file.
    nodes.sort(key=lambda node: isinstance(node, NameNode) and node.in_path)
    for node in nodes:
        targets = list(dict.fromkeys(_targets(context, node)))
        if targets:
            return targets
    return []


def _targets(context: Context, node: GraphNode) -> Iterator[Target]:
    if isinstance(node, NameNode):
        yield from _of_name(context, node)
    elif isinstance(node, FileNode):
        read = context.project.files.read(node.full)
        source = read.source if read.source is not None else Source("")
        span, whole = place_in(source, node.place)
        yield Target(node.full, source, span, whole, node.span)
    elif isinstance(node, SectionNode):
        section = context.analysis.tree.all_sections[node.number]
        yield Target(context.full, context.source, section.heading.content, section.span, node.span)
    else:
        yield from _of_field(context, node)


def _of_name(context: Context, node: NameNode) -> Iterator[Target]:
    """The files that define a name, else the first place that introduces it, writes it or mentions it."""
    files = definitions_of(context, node, loosely=True)
    for full in files:
        place = place_of_definition(context.project, full)
        if place is not None:
            yield Target(full, place.source, place.span, place.span, node.span)
    if files:
        return
    places = list(places_of(context, node, loosely=False))
    introducing = [item for item in places if item[0].rank == INTRODUCED]
    named = [item for item in places if item[0].rank <= WRITTEN]
    for _, place in (introducing or named or places)[:1]:
        yield Target(place.full, place.source, place.span, place.span, node.span)


def _of_field(context: Context, node: FieldNode) -> Iterator[Target]:
    """The section that a count or a verdict is about, and for a status that of each companion."""
    handoff, slot = node.handoff, node.slot
    for other in related_slots(handoff, slot):
        if other.headed and other.key is not None and other.span is not None and not slot.headed:
            yield Target(context.full, context.source, other.key, other.span, node.span)
    for name in handoff.spec.contract.companions:
        companion = handoff.companion(name)
        status = handoff.status
        if companion is None or status is None or companion.status is None or not _is_same_field(slot, status):
            continue
        token = companion.status.token
        if companion.status.present and token is not None:
            beside = handoff.around.name_of(companion)
            full = os.path.normpath(os.path.join(os.path.dirname(context.full), beside)) if beside else context.full
            yield Target(full, companion.source, token, token, node.span)


def _is_same_field(slot: Slot, status: Slot) -> bool:
    """Whether a field is the status, or in a log an entry with the status's tag."""
    if slot is status:
        return True
    owner = slot.parent
    return bool(status.field.tag) and owner is not None and owner.field.tag == status.field.tag
