"""Renaming."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

from lsprotocol import types

from handoff_lsp.features.names.rename import Renaming
from handoff_lsp.features.words import lookups
from handoff_lsp.server.handlers import on_document
from handoff_lsp.server.requests.read_others import read_others
from handoff_lsp.server.session.session import Request
from handoff_lsp.server.session.workspace_edits import annotated, workspace_edit
from handoff_lsp.server.wire.convert import to_text_edit


# pygls offers this request to the clients that support it.
@on_document(
    types.TEXT_DOCUMENT_PREPARE_RENAME,
    empty=None,
    first=read_others,
    row=70,
    summary="The range of a name that can be renamed, or the reason why it cannot.",
    since="0.1",
)
def prepare(request: Request, _params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """The name at a position; None if nothing there is a name. Raises Refusal if it cannot be renamed."""
    found = lookups.prepare(request, request.offset, moves=_moves(request))
    if found is None:
        return None
    return types.PrepareRenamePlaceholder(request.to_range(found.span), found.name)


def _read_anew(request: Request) -> Generator[None, None, None]:
    """Read the other documents as they are on disk now, not from the cache."""
    request.session.documents.disk_changed()
    yield from read_others(request.session.request(request.document, request.position))


@on_document(
    types.TEXT_DOCUMENT_RENAME,
    empty=None,
    first=_read_anew,
    row=70,
    summary=(
        "Renames a change, an agent, an id, a task or a feature in all files, including file and folder "
        "names; a field or a value of an own contract in prompts, templates, handoffs and contracts; all edits or none."
    ),
    since="0.1",
)
def rename(request: Request, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """The edits in all documents that rename the name at a position."""
    found = lookups.renaming(request, request.offset, params.new_name.strip(), moves=_moves(request))
    return to_workspace_edit(request, found) if found is not None else None


def _moves(request: Request) -> bool:
    """Whether the client renames files for the server."""
    return request.client.document_changes and request.client.renames_files


def to_workspace_edit(request: Request, found: Renaming) -> types.WorkspaceEdit:
    """The changes of a rename for the client, with the groups of a preview where it has one."""
    encoding = request.client.encoding
    texts = [
        (
            request.uri_of(item.full),
            [
                annotated(to_text_edit(item.source, edit, encoding), item.group, doubtful=edit in item.doubtful)
                if item.group and request.client.previews_edits
                else to_text_edit(item.source, edit, encoding)
                for edit in item.edits
            ],
        )
        for item in found.files
    ]
    moves = [types.RenameFile(request.session.uri_of(Path(move.old)), Path(move.new).as_uri()) for move in found.moves]
    return workspace_edit(request.session, texts, moves)
