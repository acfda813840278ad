"""The ranges to which a selection grows."""

from __future__ import annotations

from lsprotocol import types

from handoff_lsp.features.outline.selection import selections
from handoff_lsp.server.handlers import on_document
from handoff_lsp.server.session.session import Request


@on_document(
    types.TEXT_DOCUMENT_SELECTION_RANGE,
    empty=None,
    row=150,
    summary=("From a word to its value, its field, the objects and sections around it, the handoff, and the document."),
    since="0.1",
)
def selection_ranges(request: Request, params: types.SelectionRangeParams) -> list[types.SelectionRange] | None:
    """For each position the smallest range, with the ranges around it as parents; None without a handoff."""
    if not request.analysis.handoffs:
        return None
    ranges = []
    for position in params.positions:
        # Each position needs an answer: if no span encloses it, as in an empty text, the position itself.
        selection = types.SelectionRange(types.Range(position, position))
        parent: types.SelectionRange | None = None
        for span in reversed(selections(request.analysis, request.to_offset(position))):
            selection = parent = types.SelectionRange(request.to_range(span), parent)
        ranges.append(selection)
    return ranges
