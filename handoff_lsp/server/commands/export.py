"""The command that exports the handoffs of a document as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types

from handoff_lsp.reports.data import data_of, finite, json_line
from handoff_lsp.reports.make import report_of
from handoff_lsp.server.commands.arguments import Arguments, is_inside
from handoff_lsp.server.commands.show import documents
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.session.workspace_edits import creation, workspace_edit
from handoff_lsp.server.wire.convert import path_of


async def export_json(server: HandoffServer, arguments: Arguments) -> list[dict[str, Any]]:
    """The objects that ``handoff-lsp parse --output-format json`` prints, of one document or of all open ones.

    With ``to`` the client is asked to create a file with them, one on each line. The server writes nothing itself.
    """
    found = [
        finite(data_of(handoff))
        for request in documents(server, arguments)
        for handoff in report_of(request.analysis, request.name).handoffs
    ]
    to = arguments.text("to")
    if to is not None:
        await _create(server, arguments, to, "".join(f"{json_line(data)}\n" for data in found))
    return found


async def _create(server: HandoffServer, arguments: Arguments, to: str, text: str) -> None:
    """Ask the client to create a file. ``to`` is its path from the document's root."""
    if not (server.client.applies_edits and server.client.creates_files):
        raise arguments.wrong("`to` is given, but this editor cannot create files for a server")
    uri = arguments.needed("uri")
    path = path_of(uri)
    root = server.resolver.root(path) if path is not None else None
    full = server.documents.files.inside(str(root), to, str(root)) if root is not None else None
    if full is None or not is_inside(server, Path(full)):
        raise arguments.wrong(f"`{to}` is not in one of the open folders")
    overwrite = arguments.flag("overwrite")
    if server.documents.files.exists(full) and not overwrite:
        raise arguments.wrong(f"`{to}` is there already: name another file, or set `overwrite`")
    edit = workspace_edit(server, [], creation(server.uri_of(Path(full)), text, overwrite=overwrite))
    answer = await server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, "Export handoffs as JSON"))
    if not answer.applied:
        because = f": {answer.failure_reason}" if answer.failure_reason else ""
        raise arguments.failed(f"the editor did not create `{to}`{because}")
