"""Going to where something is defined: an agent's file, a file, a section, the place where a task is given out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from handoff_lsp.binding.slot import Slot
from handoff_lsp.features.names.anchors import place_in
from handoff_lsp.features.names.graph import (
    Document,
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


class Target(NamedTuple):
    """A place to go to. ``full`` is the path of its file, ``span`` what is put under the cursor, ``whole`` all of it.

    ``origin`` is what was asked about, in the document. All are spans in code points.
    """

    full: str
    source: Source
    span: Span
    whole: Span
    origin: Span


def definition(document: Document, offset: int) -> list[Target]:
    """Where what stands at an offset is defined; empty where it is nothing that is."""
    nodes = nodes_at(document, offset)
    # A change in the middle of a path: who asks for the definition wants the file.
    nodes.sort(key=lambda node: isinstance(node, NameNode) and node.in_path)
    for node in nodes:
        found = list(dict.fromkeys(_targets(document, node)))
        if found:
            return found
    return []


def _targets(document: Document, node: GraphNode) -> Iterator[Target]:
    if isinstance(node, NameNode):
        yield from _of_name(document, node)
    elif isinstance(node, FileNode):
        read = document.project.files.read(node.full)
        source = read.source if read.source is not None else Source("")
        span, whole = place_in(source, node.place)
        yield Target(node.full, source, span, whole, node.span)
    elif isinstance(node, SectionNode):
        section = document.analysis.tree.all_sections[node.number]
        yield Target(document.full, document.source, section.heading.content, section.span, node.span)
    else:
        yield from _of_field(document, node)


def _of_name(document: Document, node: NameNode) -> Iterator[Target]:
    """The files that define a name, else the first place where it is given to something."""
    files = definitions_of(document, node, loosely=True)
    for full in files:
        place = place_of_definition(document.project, full)
        if place is not None:
            yield Target(full, place.source, place.span, place.span, node.span)
    if files:
        return
    places = list(places_of(document, node, loosely=False))
    introducing = [item for item in places if item[0].rank == INTRODUCED]
    named = [item for item in places if item[0].rank <= WRITTEN]
    for _, place in (introducing or named or places)[:1]:
        yield Target(place.full, place.source, place.span, place.span, node.span)


def _of_field(document: Document, node: FieldNode) -> Iterator[Target]:
    """The section that a count or a verdict is about, and the same field in the file that belongs to this one."""
    handoff, slot = node.handoff, node.slot
    for other in related_slots(handoff, slot):
        if other.headed and other.key is not None and other.span is not None and not slot.headed:
            yield Target(document.full, document.source, other.key, other.span, node.span)
    for name in handoff.spec.contract.companions:
        companion = handoff.companion(name)
        status = handoff.status
        if companion is None or status is None or companion.status is None or not _is_same_field(slot, status):
            continue
        token = companion.status.token
        if companion.status.present and token is not None:
            beside = handoff.around.name_of(companion)
            full = os.path.normpath(os.path.join(os.path.dirname(document.full), beside)) if beside else document.full
            yield Target(full, companion.source, token, token, node.span)


def _is_same_field(slot: Slot, status: Slot) -> bool:
    """Whether a field is the status, or in a log one of the entries that the status is the last of."""
    if slot is status:
        return True
    owner = slot.parent
    return bool(status.field.tag) and owner is not None and owner.field.tag == status.field.tag
