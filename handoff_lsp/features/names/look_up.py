"""Preparing an answer about a name or a file by reading all documents, one at a time."""

from __future__ import annotations

import os
from collections.abc import Generator

from handoff_lsp.features.context import Context
from handoff_lsp.features.names.graph import NameNode, mentions_in, nodes_at, paths_in, words_for
from handoff_lsp.names.written_paths import written_paths
from handoff_lsp.workspace.project import bare


def look_up(context: Context, offset: int) -> Generator[None, None, None]:
    """Read the documents that may mention the name or file at an offset; pauses after each for other work."""
    project = context.project
    words = _words(context, offset)
    if not words:
        return
    if not project.is_listed:
        yield from project.list_in_steps()
    for full in project.paths():
        if project.holds(full, words):
            project.mentions(full)
            paths_in(project, full)
        yield


def _words(context: Context, offset: int) -> set[str]:
    """Some words; each document that mentions the name or file holds at least one of them."""
    kinds, source = context.project.kinds(context.full), context.source
    names = {(mention.kind, mention.key) for mention in mentions_in(context) if mention.span.holds(offset)}
    # A document need not mention a name that it defines.
    nodes = nodes_at(context, offset, alone=True)
    names.update((node.kind, node.key) for node in nodes if isinstance(node, NameNode))
    words = {word for kind, key in names for word in words_for(kinds.get(kind), key)}
    line = source.lines.line_span(source.lines.line_of(offset))
    for path in written_paths(source, context.analysis.handoffs, line):
        if path.whole.holds(offset):
            words.add(bare(os.path.basename(path.path)))
    return words
