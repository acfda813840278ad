"""Open, change, save, close: the open documents follow the client's."""

from __future__ import annotations

import logging

from lsprotocol import types

from handoff_lsp.server import configuration, diagnostics
from handoff_lsp.server.convert import path_of, to_span
from handoff_lsp.server.session import HandoffServer
from handoff_lsp.workspace.store import Change

log = logging.getLogger(__name__)


def did_open(server: HandoffServer, params: types.DidOpenTextDocumentParams) -> None:
    """Take a document over from the disk."""
    item = params.text_document
    server.documents.open(item.uri, path_of(item.uri), item.version, item.text)
    server.checks.forget(item.uri)
    diagnostics.plan(server, item.uri)


def did_change(server: HandoffServer, params: types.DidChangeTextDocumentParams) -> None:
    """Apply changes, each to the text that the one before it left. The check comes later."""
    uri, version = params.text_document.uri, params.text_document.version
    document = server.documents.get(uri)
    if document is None:
        log.warning("A change of %s, which is not open, was ignored", uri)
        return
    for change in params.content_changes:
        span = None
        if isinstance(change, types.TextDocumentContentChangePartial):
            span = to_span(document.source, change.range, server.client.encoding)
        try:
            document.change(version, [Change(span, change.text)])
        except Exception:  # the changes after it still count: a text that is no longer the client's is worst of all
            log.exception("A change of %s failed", uri)
    diagnostics.plan(server, uri)


def did_save(server: HandoffServer, params: types.DidSaveTextDocumentParams) -> None:
    """Look at the configs again, since one of them may be what was saved; then at the document."""
    configuration.refresh(server)
    if server.documents.get(params.text_document.uri) is not None:
        diagnostics.plan(server, params.text_document.uri)


def did_close(server: HandoffServer, params: types.DidCloseTextDocumentParams) -> None:
    """Give a document back to the disk, and take its diagnostics away."""
    uri = params.text_document.uri
    server.documents.close(uri)
    server.checks.forget(uri)
    diagnostics.look_at_config(server, uri)
    diagnostics.clear(server, uri)
    server.awaited.discard(uri)
    server.look_around()


def register(server: HandoffServer) -> None:
    """Hook the handlers in."""
    server.on_notification(types.TEXT_DOCUMENT_DID_OPEN, did_open)
    server.on_notification(types.TEXT_DOCUMENT_DID_CHANGE, did_change)
    server.on_notification(types.TEXT_DOCUMENT_DID_SAVE, did_save, types.SaveOptions(include_text=False))
    server.on_notification(types.TEXT_DOCUMENT_DID_CLOSE, did_close)
