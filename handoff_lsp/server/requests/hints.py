"""Inlay hints. An age is computed when the client asks for it; no timer updates it."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from handoff_lsp.features.decision import hints as feature
from handoff_lsp.server.handlers import on_document, on_request
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.session.session import Request
from handoff_lsp.server.wire.convert import to_markup
from handoff_lsp.text import Span


@on_document(
    types.TEXT_DOCUMENT_INLAY_HINT,
    empty=[],
    row=110,
    summary=(
        "The orchestrator's action after the value that decides it, the right number after a wrong count (a "
        "double click inserts it), and the age after a time."
    ),
    since="0.1",
)
def inlay_hints(request: Request, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The hints in a range; empty if the config switches them off."""
    if not request.editor.inlay_hints:
        return []
    return [
        _hint(request, hint) for hint in feature.hints(request.analysis, request.to_span(params.range), request.clock())
    ]


@on_request(types.INLAY_HINT_RESOLVE, failed=lambda hint: hint, row=110, summary="The tooltip of a hint.", since="0.1")
def resolve(server: HandoffServer, hint: types.InlayHint) -> types.InlayHint:
    """The hint with its tooltip, if its document still has that hint."""
    data: Any = hint.data
    if hint.tooltip is not None or not isinstance(data, dict):
        return hint
    request, offset = server.opened(str(data.get("uri", ""))), data.get("offset")
    if request is not None and isinstance(offset, int):
        for found in feature.hints(request.analysis, Span(offset, offset), request.clock()):
            if found.key == data.get("key"):
                hint.tooltip = to_markup(found.tooltip(), markdown=True)
    return hint


def _hint(request: Request, hint: feature.Hint) -> types.InlayHint:
    later = "tooltip" in request.client.resolves_hints
    return types.InlayHint(
        types.Position(*request.source.encode(hint.offset, request.client.encoding)),
        hint.label,
        text_edits=[request.to_text_edit(edit) for edit in hint.edits] or None,
        tooltip=None if later else to_markup(hint.tooltip(), markdown=True),
        padding_left=True,
        data={"uri": request.uri, "offset": hint.offset, "key": hint.key} if later else None,
    )
