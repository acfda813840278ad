"""What a selection grows to."""

from __future__ import annotations

from lsprotocol import types

from handoff_lsp.features.outline.selection import selections
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.wire.convert import to_offset, to_range


def selection_ranges(server: HandoffServer, params: types.SelectionRangeParams) -> list[types.SelectionRange] | None:
    """For each position the smallest range with those around it; nothing where there is no handoff."""
    at = server.opened(params)
    if at is None or not at.analysis.handoffs:
        return None
    source, encoding = at.document.source, server.client.encoding
    found = []
    for position in params.positions:
        # One for each position: without any span around it, as in an empty text, the position itself.
        made = types.SelectionRange(types.Range(position, position))
        parent: types.SelectionRange | None = None
        for span in reversed(selections(at.analysis, to_offset(source, position, encoding))):
            made = parent = types.SelectionRange(to_range(source, span, encoding), parent)
        found.append(made)
    return found


def register(server: HandoffServer) -> None:
    """Hook the handler in."""
    server.on_request(types.TEXT_DOCUMENT_SELECTION_RANGE, selection_ranges, lambda _: None)
