"""Every place of the workspace that speaks of the same agent, task, change, file or section."""

from __future__ import annotations

import os

from handoff_lsp.features.names.anchors import mentioned_sections
from handoff_lsp.features.names.graph import (
    Document,
    FieldNode,
    FileNode,
    GraphNode,
    NameNode,
    SectionNode,
    definitions_of,
    nodes_at,
    paths_in,
    place_of_definition,
    places_of,
)
from handoff_lsp.names.mentions import INTRODUCED
from handoff_lsp.workspace.project import FileSpan, bare


def references(document: Document, offset: int, *, declaration: bool) -> list[FileSpan]:
    """The places that speak of what stands at an offset, those that define it among them if asked for."""
    for node in nodes_at(document, offset):
        if not isinstance(node, FieldNode):
            return sorted(set(_places(document, node, declaration)), key=lambda place: (place.full, place.span))
    return []


def _places(document: Document, node: GraphNode, declaration: bool) -> list[FileSpan]:
    if isinstance(node, NameNode):
        return _of_name(document, node, declaration)
    if isinstance(node, FileNode):
        return _of_file(document, node)
    assert isinstance(node, SectionNode)
    return [
        FileSpan(document.full, document.source, at.span)
        for at in mentioned_sections(document.analysis.tree)
        if at.number == node.number and (declaration or at.how != "heading")
    ]


def _of_name(document: Document, node: NameNode, declaration: bool) -> list[FileSpan]:
    files = definitions_of(document, node, loosely=True)
    found = [
        place
        for mention, place in places_of(document, node, loosely=True)
        if declaration or files or mention.rank != INTRODUCED
    ]
    for full in files if declaration else ():
        place = place_of_definition(document.project, full)
        if place is not None:
            found.append(place)
    return found


def _of_file(document: Document, node: FileNode) -> list[FileSpan]:
    """The paths that lead to a file, in all documents."""
    project, name = document.project, os.path.basename(node.full)
    real = project.files.real(node.full)
    found = []
    for full in project.paths():
        for path, source in paths_in(project, full) if project.holds(full, {bare(name)}) else ():
            if path.path.endswith(name):
                located = project.locate(full, path.path)
                if located is not None and project.files.real(located) == real:
                    found.append(FileSpan(full, source, path.span))
    return found
