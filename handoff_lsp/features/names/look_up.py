"""Reading, a document at a time, what an answer about a name or a file will be asked of all documents."""

from __future__ import annotations

import os
from collections.abc import Generator

from handoff_lsp.features.context import Context
from handoff_lsp.features.names.graph import NameNode, mentions_in, nodes_at, paths_in, words_for
from handoff_lsp.names.written_paths import written_paths
from handoff_lsp.workspace.made import bare


def look_up(context: Context, offset: int) -> Generator[None, None, None]:
    """Read the documents that may speak of what stands at an offset. It stops after each, so others get their turn."""
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
    """What a document must hold one of to speak of it."""
    kinds, source = context.project.kinds(context.full), context.source
    names = {(at.kind, at.key) for at in mentions_in(context) if at.span.holds(offset)}
    # Where a document defines a name it need not mention it.
    names.update((at.kind, at.key) for at in nodes_at(context, offset, alone=True) if isinstance(at, NameNode))
    found = {word for kind, key in names for word in words_for(kinds.get(kind), key)}
    line = source.lines.line_span(source.lines.line_of(offset))
    for path in written_paths(source, context.analysis.handoffs, line):
        if path.whole.holds(offset):
            found.add(bare(os.path.basename(path.path)))
    return found
