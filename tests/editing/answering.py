"""The handlers of the server's requests about an open document, called without a connection."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import attrs
from lsprotocol import types

from handoff_lsp.server.handlers import handlers
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.wire.client import Client


def client() -> Client:
    """A client with all capabilities."""
    able: dict[str, Any] = {
        field.name: True for field in dataclasses.fields(Client) if field.type == "bool" and field.name != "pull"
    }
    return Client(**able, encoding="utf-16", item_formats=(types.MarkupKind.Markdown,))


# The handlers of requests about an open document, without catching exceptions.
ANSWERS = [
    handler
    for handler in handlers()
    if handler.method.startswith("textDocument/") and handler.is_request and handler.offered(client())
]


def params_of(server: HandoffServer, method: str, uri: str, offset: int) -> Iterator[Any]:
    """The requests that a client may send with the cursor at an offset."""
    document = server.documents.get(uri)
    assert document is not None
    here = types.Position(*document.source.encode(offset, "utf-16"))
    end = types.Position(*document.source.encode(len(document.source), "utf-16"))
    known: dict[str, Any] = {
        "text_document": types.TextDocumentIdentifier(uri),
        "position": here,
        "positions": [here, types.Position(0, 0)],
        "range": types.Range(types.Position(0, 0), end),
        "ranges": [types.Range(here, here)],
        "options": types.FormattingOptions(tab_size=2, insert_spaces=True),
        "new_name": "other-name",
        "ch": "\n",
        "previous_result_id": "0",
    }
    contexts: list[Any] = [None]
    if method == types.TEXT_DOCUMENT_CODE_ACTION:
        contexts = [types.CodeActionContext([]), types.CodeActionContext([], only=["source", "refactor"])]
    elif method == types.TEXT_DOCUMENT_REFERENCES:
        contexts = [types.ReferenceContext(include_declaration=True)]
    kind: Any = types.METHOD_TO_TYPES[method][2]
    for context in contexts:
        given = {
            field.name: context if field.name == "context" else known[field.name]
            for field in attrs.fields(kind)
            if field.name in known or (field.name == "context" and context is not None)
        }
        yield kind(**given)
