"""Finding references, and highlighting those in the document."""

from __future__ import annotations

from lsprotocol import types

from handoff_lsp.features.names import highlight as highlight_feature
from handoff_lsp.features.names import references as feature
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.requests.documents import document_of, read_others, to_location
from handoff_lsp.server.wire.convert import to_offset, to_range

_KINDS = {
    "text": types.DocumentHighlightKind.Text,
    "read": types.DocumentHighlightKind.Read,
    "write": types.DocumentHighlightKind.Write,
}


def references(server: HandoffServer, params: types.ReferenceParams) -> list[types.Location] | None:
    """Every place that speaks of what stands at a position."""
    at = server.opened(params)
    if at is None:
        return None
    offset = to_offset(at.document.source, params.position, server.client.encoding)
    found = feature.references(document_of(server, at), offset, declaration=bool(params.context.include_declaration))
    return [to_location(server, at, place.full, place.source, place.span) for place in found] or None


def highlight(server: HandoffServer, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
    """The other places of the document that belong to what stands at a position."""
    at = server.opened(params)
    if at is None:
        return None
    source, encoding = at.document.source, server.client.encoding
    found = highlight_feature.highlights(document_of(server, at), to_offset(source, params.position, encoding))
    return [types.DocumentHighlight(to_range(source, item.span, encoding), _KINDS[item.kind]) for item in found] or None


def register(server: HandoffServer) -> None:
    """Hook the handlers in."""
    server.on_request(types.TEXT_DOCUMENT_REFERENCES, references, lambda _: None, first=read_others)
    server.on_request(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, highlight, lambda _: None)
