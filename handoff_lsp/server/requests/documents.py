"""What the handlers of the graph share: the document as features want it, and places as the client wants them."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

from lsprotocol import types

from handoff_lsp.features.names.graph import Document
from handoff_lsp.features.names.look_up import look_up
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.session.session import Opened
from handoff_lsp.server.wire.convert import to_offset, to_range
from handoff_lsp.text import Source, Span


def document_of(server: HandoffServer, at: Opened) -> Document:
    """An open document among all others."""
    return Document(at.analysis, at.document.full, server.project)


def read_others(
    server: HandoffServer, params: types.ReferenceParams | types.RenameParams | types.PrepareRenameParams
) -> Generator[None, None, None]:
    """Read the documents that may speak of what stands at a position, one at a time."""
    at = server.opened(params)
    if at is not None:
        yield from look_up(
            document_of(server, at), to_offset(at.document.source, params.position, server.client.encoding)
        )


def uri_of(server: HandoffServer, at: Opened, full: str) -> str:
    """The URI of a file; that of the document asked about for it and for an empty path."""
    return at.uri if full in {"", at.document.full} else server.uri_of(Path(full))


def to_location(server: HandoffServer, at: Opened, full: str, source: Source, span: Span) -> types.Location:
    """A place in a file."""
    return types.Location(uri_of(server, at, full), to_range(source, span, server.client.encoding))
