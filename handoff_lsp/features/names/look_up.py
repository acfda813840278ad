"""Reading, a document at a time, what an answer about a name or a file will be asked of all documents."""

from __future__ import annotations

import os
from collections.abc import Generator

from handoff_lsp.features.names.graph import Document, NameNode, mentions_in, nodes_at, paths_in, words_for
from handoff_lsp.names.written_paths import written_paths
from handoff_lsp.workspace.project import bare


def look_up(document: Document, offset: int) -> Generator[None, None, None]:
    """Read the documents that may speak of what stands at an offset. It stops after each, so others get their turn."""
    project = document.project
    words = _words(document, offset)
    if not words:
        return
    if not project.is_listed:
        yield from project.list_in_steps()
    for full in project.paths():
        if project.holds(full, words):
            project.mentions(full)
            paths_in(project, full)
        yield


def _words(document: Document, offset: int) -> set[str]:
    """What a document must hold one of to speak of it."""
    kinds, source = document.project.kinds(document.full), document.source
    names = {(at.kind, at.key) for at in mentions_in(document) if at.span.holds(offset)}
    # Where a document defines a name it need not mention it.
    names.update((at.kind, at.key) for at in nodes_at(document, offset, alone=True) if isinstance(at, NameNode))
    found = {word for kind, key in names for word in words_for(kinds.get(kind), key)}
    line = source.lines.line_span(source.lines.line_of(offset))
    for path in written_paths(source, document.analysis.handoffs, line):
        if path.whole.holds(offset):
            found.add(bare(os.path.basename(path.path)))
    return found
