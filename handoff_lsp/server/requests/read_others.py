"""Read the other documents that an answer about a name depends on, before it is computed."""

from __future__ import annotations

from collections.abc import Generator

from handoff_lsp.features.contract_files.file import ContractFile
from handoff_lsp.features.names.look_up import look_up
from handoff_lsp.features.words import lookups
from handoff_lsp.features.words.places import Home
from handoff_lsp.server.session.session import Request


def read_others(request: Request) -> Generator[None, None, None]:
    """Read the documents that may mention the name, or say the word, at the position, one in each step."""
    own = request.own_file
    if own is None:
        yield from look_up(request, request.offset)
        yield from lookups.read(request, request.offset)
    elif isinstance(own, ContractFile):
        one = lookups.own_word(own, request.offset)
        if one is not None:
            yield from Home(request, one.word).read()
