"""Hover."""

from __future__ import annotations

from lsprotocol import types

from handoff_lsp.features.near import Near
from handoff_lsp.features.pages import hover as feature
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.wire.convert import to_markup, to_offset, to_range


def hover(server: HandoffServer, params: types.HoverParams) -> types.Hover | None:
    """What is known about a place."""
    at = server.opened(params)
    if at is None:
        return None
    source, encoding = at.document.source, server.client.encoding
    near = Near(server.project, at.document.full)
    found = feature.hover(at.analysis, to_offset(source, params.position, encoding), at.registry, near)
    if found is None:
        return None
    return types.Hover(to_markup(found.markdown, server.client.hover_markdown), to_range(source, found.span, encoding))


def register(server: HandoffServer) -> None:
    """Hook the handler in."""
    server.on_request(types.TEXT_DOCUMENT_HOVER, hover, lambda _: None)
