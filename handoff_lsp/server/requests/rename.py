"""Renaming."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

from lsprotocol import types

from handoff_lsp.features.names import rename as feature
from handoff_lsp.features.names.new_name import Refusal
from handoff_lsp.server.handlers import on_document
from handoff_lsp.server.requests.read_others import read_others
from handoff_lsp.server.session.session import Request
from handoff_lsp.server.session.workspace_edits import workspace_edit
from handoff_lsp.server.wire.convert import to_text_edit
from handoff_lsp.server.wire.protocol import Refused


# pygls offers this to the clients that know it.
@on_document(
    types.TEXT_DOCUMENT_PREPARE_RENAME,
    empty=None,
    first=read_others,
    row=70,
    summary="Whether there is a name that can be renamed, or in words why it cannot.",
    since="0.1",
)
def prepare(at: Request, _params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """Whether what stands at a position can be renamed."""
    try:
        found = feature.prepare(at, at.offset, moves=_moves(at))
    except Refusal as refusal:
        raise Refused(str(refusal)) from None
    if found is None:
        return None
    return types.PrepareRenamePlaceholder(at.to_range(found.span), found.name)


def _read_anew(at: Request) -> Generator[None, None, None]:
    """Read the other documents: what is on disk now counts, not what was there a moment ago."""
    at.session.documents.disk_changed()
    yield from read_others(at.session.request(at.document, at.position))


@on_document(
    types.TEXT_DOCUMENT_RENAME,
    empty=None,
    first=_read_anew,
    row=70,
    summary=(
        "A change, an agent, an id, a task, a feature in all files, with the files and folders that bear its "
        "name; all of it or nothing."
    ),
    since="0.1",
)
def rename(at: Request, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """What renaming what stands at a position changes, in all documents."""
    try:
        found = feature.rename(at, at.offset, params.new_name, moves=_moves(at))
    except Refusal as refusal:
        raise Refused(str(refusal)) from None
    return _workspace_edit(at, found) if found is not None else None


def _moves(at: Request) -> bool:
    """Whether the client renames files for the server."""
    return at.client.document_changes and at.client.renames_files


def _workspace_edit(at: Request, found: feature.Renaming) -> types.WorkspaceEdit:
    encoding = at.client.encoding
    texts = [
        (at.uri_of(item.full), [to_text_edit(item.source, edit, encoding) for edit in item.edits])
        for item in found.files
    ]
    moves = [types.RenameFile(at.session.uri_of(Path(move.old)), Path(move.new).as_uri()) for move in found.moves]
    return workspace_edit(at.session, texts, moves)
