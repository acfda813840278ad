"""Hover."""

from __future__ import annotations

from lsprotocol import types

from handoff_lsp.features.pages import hover as feature
from handoff_lsp.server.handlers import on_document
from handoff_lsp.server.session.session import Request
from handoff_lsp.server.wire.convert import to_markup


@on_document(
    types.TEXT_DOCUMENT_HOVER,
    empty=None,
    row=40,
    summary=(
        "What a field is, when it is required and whether that holds now, what a value makes the orchestrator "
        "do; what the workspace says of an agent, a task or a file; the notes of findings."
    ),
    since="0.1",
)
def hover(request: Request, _params: types.HoverParams) -> types.Hover | None:
    """The hover page for a position; None if nothing there has one."""
    found = feature.hover(request, request.offset)
    if found is None:
        return None
    return types.Hover(to_markup(found.markdown, request.client.hover_markdown), request.to_range(found.span))
