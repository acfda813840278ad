"""Going to a definition."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from handoff_lsp.features.names.definition import Target
from handoff_lsp.features.words import lookups
from handoff_lsp.server.handlers import on_document
from handoff_lsp.server.session.session import Request
from handoff_lsp.server.wire.convert import to_range


@on_document(
    types.TEXT_DOCUMENT_DEFINITION,
    empty=None,
    row=50,
    summary=(
        "From an agent's name to the file that defines it; from a path to the file, at its line or heading; "
        "from `see Abstract` to the section; from a task, an id or a change to its definition; from a count "
        "to the counted items; from a field or a value in a prompt to the contract that declares it."
    ),
    since="0.1",
)
def definition(
    request: Request, _params: types.DefinitionParams
) -> list[types.Location] | list[types.LocationLink] | None:
    """The places that define the name, path or count at a position."""
    return to_targets(request, lookups.definition(request, request.offset))


def to_targets(request: Request, found: Sequence[Target]) -> list[types.Location] | list[types.LocationLink] | None:
    """Targets in the form that the client supports; None without any."""
    if not found:
        return None
    if not request.client.definition_links:
        return [request.to_location(target.full, target.source, target.span) for target in found]
    return [
        types.LocationLink(
            target_uri=request.uri_of(target.full),
            target_range=to_range(target.source, target.whole, request.client.encoding),
            target_selection_range=to_range(target.source, target.span, request.client.encoding),
            origin_selection_range=request.to_range(target.origin),
        )
        for target in found
    ]
