"""Search for the handoffs and names in all documents of the open folders."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lsprotocol import types

from handoff_lsp.features.names.workspace_symbols import WorkspaceSymbol, WorkspaceSymbolKind, find
from handoff_lsp.server.handlers import on_request
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.wire.convert import to_range
from handoff_lsp.server.wire.scheduling import run_in_slices

_KINDS: Mapping[WorkspaceSymbolKind, types.SymbolKind] = {
    "handoff": types.SymbolKind.Class,
    "name": types.SymbolKind.Constant,
    "artifact": types.SymbolKind.File,
}


@on_request(
    types.WORKSPACE_SYMBOL,
    failed=lambda _params: [],
    row=130,
    summary=(
        "Handoffs by title and status; agents, tasks and other names in handoffs, each once, at its "
        "definition if a file has one; the files that handoffs name. A query matches letters in order."
    ),
    since="0.1",
)
async def workspace_symbols(
    server: HandoffServer, params: types.WorkspaceSymbolParams
) -> list[types.SymbolInformation]:
    """The symbols that match a query. The first search reads all documents."""
    return [_shown(server, item) for item in await run_in_slices(find(server.project, params.query))]


def _shown(server: HandoffServer, item: WorkspaceSymbol) -> types.SymbolInformation:
    place = item.place
    return types.SymbolInformation(
        location=types.Location(
            server.uri_of(Path(place.full)), to_range(place.source, place.span, server.client.encoding)
        ),
        name=item.name,
        kind=_KINDS[item.kind],
        container_name=item.container,
    )
