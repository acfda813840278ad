"""All mentions of an agent, a task, a change, a file or a section in the workspace."""

from __future__ import annotations

import os

from handoff_lsp.features.context import Context
from handoff_lsp.features.names.anchors import mentioned_sections
from handoff_lsp.features.names.graph import (
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


def references(context: Context, offset: int, *, declaration: bool) -> list[FileSpan]:
    """The mentions of the name, file or section at an offset; with ``declaration`` also its definitions."""
    for node in nodes_at(context, offset):
        if not isinstance(node, FieldNode):
            return sorted(set(_places(context, node, declaration)), key=lambda place: (place.full, place.span))
    return []


def _places(context: Context, node: GraphNode, declaration: bool) -> list[FileSpan]:
    if isinstance(node, NameNode):
        return _of_name(context, node, declaration)
    if isinstance(node, FileNode):
        return _of_file(context, node)
    assert isinstance(node, SectionNode)
    return [
        FileSpan(context.full, context.source, section.span)
        for section in mentioned_sections(context.analysis.tree)
        if section.number == node.number and (declaration or section.how != "heading")
    ]


def _of_name(context: Context, node: NameNode, declaration: bool) -> list[FileSpan]:
    files = definitions_of(context, node, loosely=True)
    found = [
        place
        for mention, place in places_of(context, node, loosely=True)
        if declaration or files or mention.rank != INTRODUCED
    ]
    for full in files if declaration else ():
        place = place_of_definition(context.project, full)
        if place is not None:
            found.append(place)
    return found


def _of_file(context: Context, node: FileNode) -> list[FileSpan]:
    """The paths that lead to a file, in all documents."""
    project, name = context.project, os.path.basename(node.full)
    real = project.files.real(node.full)
    found = []
    for full in project.paths():
        for path, source in paths_in(project, full) if project.holds(full, {bare(name)}) else ():
            if path.path.endswith(name):
                located = project.locate(full, path.path)
                if located is not None and project.files.real(located) == real:
                    found.append(FileSpan(full, source, path.span))
    return found
