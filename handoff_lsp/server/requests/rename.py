"""Renaming."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

from lsprotocol import types

from handoff_lsp.features.names import rename as feature
from handoff_lsp.features.names.new_name import Refusal
from handoff_lsp.server.requests.documents import document_of, read_others, uri_of
from handoff_lsp.server.session.session import HandoffServer, Opened
from handoff_lsp.server.session.workspace_edits import workspace_edit
from handoff_lsp.server.wire.convert import to_offset, to_range, to_text_edit
from handoff_lsp.server.wire.protocol import Refused


def prepare(server: HandoffServer, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """Whether what stands at a position can be renamed."""
    at = server.opened(params)
    if at is None:
        return None
    source, encoding = at.document.source, server.client.encoding
    offset = to_offset(source, params.position, encoding)
    try:
        found = feature.prepare(document_of(server, at), offset, moves=_moves(server))
    except Refusal as refusal:
        raise Refused(str(refusal)) from None
    if found is None:
        return None
    return types.PrepareRenamePlaceholder(to_range(source, found.span, encoding), found.name)


def rename(server: HandoffServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """What renaming what stands at a position changes, in all documents."""
    at = server.opened(params)
    if at is None:
        return None
    offset = to_offset(at.document.source, params.position, server.client.encoding)
    try:
        found = feature.rename(document_of(server, at), offset, params.new_name, moves=_moves(server))
    except Refusal as refusal:
        raise Refused(str(refusal)) from None
    return _workspace_edit(server, at, found) if found is not None else None


def _read_anew(server: HandoffServer, params: types.RenameParams) -> Generator[None, None, None]:
    """Read the other documents: what is on disk now counts, not what was there a moment ago."""
    server.documents.disk_changed()
    yield from read_others(server, params)


def _moves(server: HandoffServer) -> bool:
    """Whether the client renames files for the server."""
    return server.client.document_changes and server.client.renames_files


def _workspace_edit(server: HandoffServer, at: Opened, found: feature.Renaming) -> types.WorkspaceEdit:
    encoding = server.client.encoding
    texts = [
        (uri_of(server, at, item.full), [to_text_edit(item.source, edit, encoding) for edit in item.edits])
        for item in found.files
    ]
    moves = [types.RenameFile(server.uri_of(Path(move.old)), Path(move.new).as_uri()) for move in found.moves]
    return workspace_edit(server, texts, moves)


def register(server: HandoffServer) -> None:
    """Hook the handlers in. That one can ask first pygls tells those clients that know it."""
    server.on_request(types.TEXT_DOCUMENT_PREPARE_RENAME, prepare, lambda _: None, first=read_others)
    server.on_request(types.TEXT_DOCUMENT_RENAME, rename, lambda _: None, first=_read_anew)
