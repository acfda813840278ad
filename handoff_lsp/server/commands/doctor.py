"""The doctor as a command: the installation, the capabilities of the client, and the recognition of a document."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from handoff_lsp.features.doctor.installation import document_at, examine
from handoff_lsp.features.doctor.page import page
from handoff_lsp.server.commands.arguments import Arguments, is_inside
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.wire.convert import path_of
from handoff_lsp.server.wire.negotiated import negotiated, section
from handoff_lsp.workspace.disk.files import UnreadableFile
from handoff_lsp.workspace.store import OpenDocument


async def doctor(server: HandoffServer, arguments: Arguments) -> dict[str, Any]:
    """A report as text to copy, and as data. Without a URI it is about the open folders."""
    uri = arguments.text("uri")
    asked = [_document(server, arguments, uri)] if uri is not None else []
    report = examine(server.documents, asked, [] if asked else server.resolver.places)
    data = report.as_data()
    file = {"uri": uri, **asdict(report.files[0])} if report.files else None
    return {
        "report": page(report, section(server.client)),
        "problems": data["problems"],
        "server": data["server"],
        "client": negotiated(server.client),
        "folders": data["folders"],
        "file": file,
    }


def _document(server: HandoffServer, arguments: Arguments, uri: str) -> OpenDocument | UnreadableFile:
    """An open document, a document with the given text, or a file in an open folder, readable or not."""
    document = server.documents.get(uri)
    if document is not None:
        return document
    path, text = path_of(uri), arguments.text("text")
    if text is not None:
        return OpenDocument(uri, path, None, text)
    if path is None or not is_inside(server, path):
        raise arguments.wrong(f"{uri} is neither open nor in one of the open folders")
    return document_at(path)
