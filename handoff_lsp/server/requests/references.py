"""Finding references, and highlighting those in the document."""

from __future__ import annotations

from lsprotocol import types

from handoff_lsp.features.words import lookups
from handoff_lsp.server.handlers import on_document
from handoff_lsp.server.requests.read_others import read_others
from handoff_lsp.server.session.session import Request

_KINDS = {
    "text": types.DocumentHighlightKind.Text,
    "read": types.DocumentHighlightKind.Read,
    "write": types.DocumentHighlightKind.Write,
}


@on_document(
    types.TEXT_DOCUMENT_REFERENCES,
    empty=None,
    first=read_others,
    row=60,
    summary=(
        "Every mention of the same agent, task, change, id, file or section, in Markdown, JSON and logs; every prompt, "
        "template, handoff and contract that says the same field or value."
    ),
    since="0.1",
)
def references(request: Request, params: types.ReferenceParams) -> list[types.Location] | None:
    """Every place that mentions the name, or says the word, at a position."""
    found = lookups.references(request, request.offset, declaration=bool(params.context.include_declaration))
    return [request.to_location(place.full, place.source, place.span) for place in found] or None


@on_document(
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT,
    empty=None,
    row=60,
    summary="The same name or value in the document; a count with the items it counts.",
    since="0.1",
)
def highlight(request: Request, _params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
    """The places of the document with the same name or value as the one at a position."""
    found = lookups.highlights(request, request.offset)
    return [types.DocumentHighlight(request.to_range(item.span), _KINDS[item.kind]) for item in found] or None
