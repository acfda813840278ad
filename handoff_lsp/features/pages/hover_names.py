"""Hover pages from the workspace: an agent, a task, a change, a file."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.features.context import Context
from handoff_lsp.features.names.graph import mentions_in
from handoff_lsp.features.pages.name_pages import name_page
from handoff_lsp.features.pages.path_pages import path_page
from handoff_lsp.names.paths import named_paths
from handoff_lsp.names.written_paths import written_paths
from handoff_lsp.text import Span
from handoff_lsp.text.lazy_dataclass import lazy_dataclass


@lazy_dataclass(frozen=True, slots=True)
class Hover:
    """A page about ``span`` (code points of the document)."""

    span: Span
    markdown: str


def named(context: Context, offset: int) -> Iterator[Hover]:
    """The pages about the names and the file that a handoff or a prompt mentions at ``offset``."""
    handoff = context.analysis.handoff_at(offset)
    if not context.full:
        return
    for mention in mentions_in(context):
        if mention.span.holds(offset):
            page = name_page(mention.kind, mention.name, context)
            if page:
                yield Hover(mention.span, page)
    file = _file(context, handoff, offset) if handoff is not None else None
    if file is not None:
        yield file


def _file(context: Context, handoff: Handoff, offset: int) -> Hover | None:
    """The page about the path at an offset: any that leads to a file, or one in a field for paths."""
    lines = context.source.lines
    line = lines.line_span(lines.line_of(offset))
    for written in written_paths(context.source, context.analysis.handoffs, line):
        if written.span.holds(offset) and context.project.locate(context.full, written.path):
            return Hover(written.span, path_page(written.path, context))
    if not any(slot.field.paths and slot.span is not None and slot.span.holds(offset) for slot in handoff.slots):
        return None
    for path in named_paths(handoff):
        if path.span.holds(offset):
            return Hover(path.span, path_page(path.path, context))
    return None
