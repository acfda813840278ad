"""Open, change, save, close: the open documents follow the client's."""

from __future__ import annotations

import gc
import logging
import os

from lsprotocol import types

from handoff_lsp.features.typing import Typed, typed
from handoff_lsp.server.handlers import on_notification
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.notifications import configuration
from handoff_lsp.server.publishing import diagnostics
from handoff_lsp.server.wire.convert import path_of, to_span
from handoff_lsp.workspace.store import OpenDocument, TextChange

log: logging.Logger = logging.getLogger(__name__)

# After this many characters of changed texts, what was computed from them is collected: it refers to itself, and Python
# collects after so many objects, however long the texts in them are.
MOST_LEFT = 1_000_000


@on_notification(
    types.TEXT_DOCUMENT_DID_OPEN, row=0, summary="Uses the sent text from now on, not the file's.", since="0.1"
)
def did_open(server: HandoffServer, params: types.DidOpenTextDocumentParams) -> None:
    """Take a document over from the disk."""
    item = params.text_document
    document = server.documents.open(item.uri, path_of(item.uri), item.version, item.text)
    server.checks.forget(item.uri)
    server.reported.pop(item.uri, None)
    server.typing.closed(item.uri)
    _report_change(server, document)
    configuration.opened(server, document)
    diagnostics.plan(server, item.uri)


@on_notification(
    types.TEXT_DOCUMENT_DID_CHANGE,
    row=0,
    summary="Incremental or full. A burst of changes costs one check, of the newest text.",
    since="0.1",
)
def did_change(server: HandoffServer, params: types.DidChangeTextDocumentParams) -> None:
    """Apply changes, each to the text that the one before it left. The check comes later."""
    uri, version = params.text_document.uri, params.text_document.version
    document = server.documents.get(uri)
    if document is None:
        log.warning("A change of %s, which is not open, was ignored", uri)
        return
    document.version = version  # also where nothing follows
    _collect(server, document)
    waits = server.resolver.config(document.path).editor.wait_while_typing
    made: list[Typed | None] = []
    for change in params.content_changes:
        span = None
        if isinstance(change, types.TextDocumentContentChangePartial):
            span = to_span(document.source, change.range, server.client.encoding)
        made.append(typed(document.source, span, change.text) if span is not None and waits else None)
        try:
            document.change(version, [TextChange(span, change.text)])
        except Exception:  # the changes after it still count: a text that is no longer the client's is worst of all
            log.exception("A change of %s failed", uri)
    for one in made if None not in made else [None]:
        server.typing.changed(uri, one)
    server.reports.changed(document)
    diagnostics.plan(server, uri)


@on_notification(
    types.TEXT_DOCUMENT_DID_SAVE,
    options=types.SaveOptions(include_text=False),
    row=0,
    summary=("Reads config and contract files again: other documents use a contract as it was last saved."),
    since="0.1",
)
def did_save(server: HandoffServer, params: types.DidSaveTextDocumentParams) -> None:
    """Read the configs again, since the saved file may be one of them; then check the document."""
    configuration.refresh(server)
    if server.typing.ended(params.text_document.uri) and server.client.pull:
        server.report_again(
            [params.text_document.uri]
        )  # a client that does not pull gets them by the check that follows
    if server.documents.get(params.text_document.uri) is not None:
        diagnostics.plan(server, params.text_document.uri)


@on_notification(types.TEXT_DOCUMENT_DID_CLOSE, row=0, summary="Clears the published diagnostics.", since="0.1")
def did_close(server: HandoffServer, params: types.DidCloseTextDocumentParams) -> None:
    """Give a document back to the disk, and take its diagnostics away."""
    uri = params.text_document.uri
    document = server.documents.get(uri)
    server.documents.close(uri)
    configuration.closed(server, uri)
    server.checks.forget(uri)
    diagnostics.forget(server, uri)
    server.typing.closed(uri)
    if document is not None:
        _report_change(server, document)
    server.look_around()


def _collect(server: HandoffServer, document: OpenDocument) -> None:
    """Collect what was computed from earlier texts, once they are long enough together: before it grows old."""
    server.left_behind += len(document.source)
    if server.left_behind > MOST_LEFT:
        server.left_behind = 0
        server.reported.pop(document.uri, None)
        document.forget()
        gc.collect(_generation())


def _generation() -> int:
    """The oldest generation of objects that is due: Python looks for it only where it collects by itself."""
    _, young, old = (count > most for count, most in zip(gc.get_count(), gc.get_threshold(), strict=True))
    return 2 if old else 1 if young else 0


def _report_change(server: HandoffServer, document: OpenDocument) -> None:
    """Report that a document was opened or closed to those that depend on it."""
    server.reports.changed(document)
    if document.full and not os.path.exists(document.full):
        server.reports.disk_changed()  # the folder has one file more or less than before
