"""While a document is typed, no request may crash the server or get an answer with a place outside of it."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from editing.cases_of_editing import read_cases
from features.documents import SAMPLES
from lsprotocol import types

from handoff_lsp.server.handlers import handlers
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.main import create_server
from handoff_lsp.server.wire.client import Client
from handoff_lsp.server.wire.protocol import Refused

# The number of beginnings to try for each document.
_CUTS = 12

DOCUMENTS = {
    **{f"sample {name}": ("report.md", text) for name, text in SAMPLES.items()},
    **{case.name: (case.path, case.text) for case in read_cases()},
}


def _client() -> Client:
    """A client with all capabilities."""
    able: dict[str, Any] = {
        field.name: True for field in dataclasses.fields(Client) if field.type == "bool" and field.name != "pull"
    }
    return Client(**able, encoding="utf-16", item_formats=(types.MarkupKind.Markdown,))


# The handlers of requests about an open document, without catching exceptions.
ANSWERS = [
    handler
    for handler in handlers()
    if handler.method.startswith("textDocument/") and handler.is_request and handler.offered(_client())
]


@pytest.fixture(scope="module")
def server() -> HandoffServer:
    """A server with handlers that are called without a connection."""
    made = create_server()
    made.client = _client()
    return made


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_beginning(server: HandoffServer, name: str, tmp_path: Path) -> None:
    path, text = DOCUMENTS[name]
    chosen = random.Random(name)
    cuts = sorted({len(text), *(chosen.randrange(len(text) + 1) for _ in range(_CUTS))})
    full = tmp_path / path
    uri = full.as_uri()
    server.documents.set_folders([tmp_path])
    for eol in ("\n", "\r\n"):
        for cut in cuts:
            part = text[:cut].replace("\n", eol)
            server.documents.open(uri, full, 1, part)
            offset = chosen.choice([len(part), chosen.randrange(len(part) + 1)])
            for handler in ANSWERS:
                for params in _params(server, handler.method, uri, offset):
                    try:
                        answer = handler.work(server, params)
                    except Refused:
                        continue  # an answer in words
                    for range_ in _ranges(answer):
                        _is_inside(server, uri, range_)
    server.documents.close(uri)


def _params(server: HandoffServer, method: str, uri: str, offset: int) -> Iterator[Any]:
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


def _ranges(answer: Any) -> Iterator[types.Range]:
    """Every range in an answer that is in the document itself."""
    if isinstance(answer, types.Range):
        yield answer
    elif isinstance(answer, (types.Location, types.LocationLink, types.WorkspaceEdit, types.Command)):
        return
    elif isinstance(answer, (list, tuple)):
        for item in answer:
            yield from _ranges(item)
    elif attrs.has(type(answer)):
        for field in attrs.fields(type(answer)):
            if field.name != "related_information":
                yield from _ranges(getattr(answer, field.name))


def _is_inside(server: HandoffServer, uri: str, range_: types.Range) -> None:
    document = server.documents.get(uri)
    assert document is not None
    source = document.source
    for position in (range_.start, range_.end):
        offset = source.decode(position.line, position.character, "utf-16")
        assert source.encode(offset, "utf-16") == (position.line, position.character), f"{position} is nowhere"
    assert (range_.start.line, range_.start.character) <= (range_.end.line, range_.end.character), range_
