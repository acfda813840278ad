"""Search for what all documents of the open folders name."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path

from lsprotocol import types

from handoff_lsp.features.names.workspace_symbols import WorkspaceSymbol, WorkspaceSymbolKind, find
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.wire.convert import to_range
from handoff_lsp.server.wire.scheduling import run_in_slices

log = logging.getLogger(__name__)

_KINDS: Mapping[WorkspaceSymbolKind, types.SymbolKind] = {
    "handoff": types.SymbolKind.Class,
    "name": types.SymbolKind.Constant,
    "artifact": types.SymbolKind.File,
}


async def workspace_symbols(server: HandoffServer, query: str) -> list[types.SymbolInformation]:
    """What matches a query. The first search reads all documents."""
    return [_shown(server, item) for item in await run_in_slices(find(server.project, query))]


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


def register(server: HandoffServer) -> None:
    """Hook the handler in."""

    async def handle(params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
        await asyncio.sleep(0)  # messages that are already here go first
        try:
            return await workspace_symbols(server, params.query)
        except Exception:
            log.exception("%s failed", types.WORKSPACE_SYMBOL)
            return []

    server.feature(types.WORKSPACE_SYMBOL)(handle)
