"""Inlay hints. An age is that of the moment in which the client asks: nothing here runs while nobody types."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from lsprotocol import types

from handoff_lsp.features.decision import hints as feature
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.session.session import Opened
from handoff_lsp.server.wire.convert import to_markup, to_span, to_text_edit
from handoff_lsp.text import Span


def inlay_hints(server: HandoffServer, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The hints in a range; none where the config switches them off."""
    at = server.opened(params)
    if at is None or not server.resolver.config(at.document.path).editor.inlay_hints:
        return []
    span = to_span(at.document.source, params.range, server.client.encoding)
    return [_hint(server, at, hint) for hint in feature.hints(at.analysis, span, datetime.now(UTC))]


def resolve(server: HandoffServer, hint: types.InlayHint) -> types.InlayHint:
    """The tooltip of a hint, where its document still has it."""
    data: Any = hint.data
    if hint.tooltip is not None or not isinstance(data, dict):
        return hint
    uri, offset = str(data.get("uri", "")), data.get("offset")
    at = server.opened(types.InlayHintParams(types.TextDocumentIdentifier(uri), _NOWHERE))
    if at is not None and isinstance(offset, int):
        for found in feature.hints(at.analysis, Span(offset, offset), datetime.now(UTC)):
            if found.key == data.get("key"):
                hint.tooltip = to_markup(found.tooltip(), markdown=True)
    return hint


_NOWHERE = types.Range(types.Position(0, 0), types.Position(0, 0))


def _hint(server: HandoffServer, at: Opened, hint: feature.Hint) -> types.InlayHint:
    source, encoding = at.document.source, server.client.encoding
    later = "tooltip" in server.client.resolves_hints
    return types.InlayHint(
        types.Position(*source.encode(hint.offset, encoding)),
        hint.label,
        text_edits=[to_text_edit(source, edit, encoding) for edit in hint.edits] or None,
        tooltip=None if later else to_markup(hint.tooltip(), markdown=True),
        padding_left=True,
        data={"uri": at.uri, "offset": hint.offset, "key": hint.key} if later else None,
    )


def register(server: HandoffServer) -> None:
    """Hook the handlers in."""
    server.on_request(types.TEXT_DOCUMENT_INLAY_HINT, inlay_hints, lambda _: [])
    server.on_request(types.INLAY_HINT_RESOLVE, resolve, lambda hint: hint)
