"""While a document is typed, no request may crash the server or get an answer with a place outside of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from editing.answering import ANSWERS, client, params_of
from editing.cases_of_editing import read_cases
from features.documents import SAMPLES
from lsprotocol import types

from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.main import create_server
from handoff_lsp.server.wire.protocol import Refused

# The number of beginnings to try for each document.
_CUTS = 12

DOCUMENTS = {
    **{f"sample {name}": ("report.md", text) for name, text in SAMPLES.items()},
    **{case.name: (case.path, case.text) for case in read_cases()},
}


@pytest.fixture(scope="module")
def server() -> HandoffServer:
    """A server with handlers that are called without a connection."""
    made = create_server()
    made.client = client()
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
                for params in params_of(server, handler.method, uri, offset):
                    try:
                        answer = handler.work(server, params)
                    except Refused:
                        continue  # an answer in words
                    for range_ in _ranges(answer):
                        _is_inside(server, uri, range_)
    server.documents.close(uri)


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
