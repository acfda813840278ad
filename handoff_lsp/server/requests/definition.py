"""Going to a definition."""

from __future__ import annotations

from lsprotocol import types

from handoff_lsp.features.names import definition as feature
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.requests.documents import document_of, to_location, uri_of
from handoff_lsp.server.wire.convert import to_offset, to_range


def definition(
    server: HandoffServer, params: types.DefinitionParams
) -> list[types.Location] | list[types.LocationLink] | None:
    """Where what stands at a position is defined."""
    at = server.opened(params)
    if at is None:
        return None
    source, encoding = at.document.source, server.client.encoding
    found = feature.definition(document_of(server, at), to_offset(source, params.position, encoding))
    if not found:
        return None
    if not server.client.definition_links:
        return [to_location(server, at, target.full, target.source, target.span) for target in found]
    return [
        types.LocationLink(
            target_uri=uri_of(server, at, target.full),
            target_range=to_range(target.source, target.whole, encoding),
            target_selection_range=to_range(target.source, target.span, encoding),
            origin_selection_range=to_range(source, target.origin, encoding),
        )
        for target in found
    ]


def register(server: HandoffServer) -> None:
    """Hook the handler in."""
    server.on_request(types.TEXT_DOCUMENT_DEFINITION, definition, lambda _: None)
