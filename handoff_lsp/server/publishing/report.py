"""The report of one document, and the id by which a client recognizes an unchanged one."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path

from handoff_lsp.engine import Analysis
from handoff_lsp.server.session.session import Session
from handoff_lsp.server.wire.convert import path_of, to_problem
from handoff_lsp.text.digest import text_digest
from handoff_lsp.text.named_tuple import NamedTuple

# The id of the empty report of a file that was deleted, or no longer holds a handoff.
NOTHING = ""


class DocumentReport(NamedTuple):
    """The diagnostics of a document. ``id`` changes with its text and its diagnostics.

    ``handoffs`` is the number of checked handoffs. ``version`` is None for a document that is not open.
    """

    uri: str
    full: str
    version: int | None
    items: list[types.Diagnostic]
    id: str
    handoffs: int


class Known(NamedTuple):
    """The report that a client has of a file."""

    uri: str
    id: str


def handoffs_in(analysis: Analysis) -> int:
    """The number of checked handoffs in a document."""
    return sum(handoff.mode != "example" or analysis.options.examples for handoff in analysis.handoffs)


def problems_of(session: Session, path: Path | None) -> list[types.Diagnostic]:
    """The problems of a file as a config or contract file."""
    return [to_problem(error, session.client) for error in session.all_problems() if error.path == path]


def result_id(text: str, items: list[types.Diagnostic]) -> str:
    """The id of the report of a text, given the digest of that text.

    The config counts through what it changes; the text counts in full, since clients move old ranges with it.
    """
    return text_digest(f"{text}\0{items!r}")


def uri_of_file(full: str) -> str:
    """The URI of a file that no client has spelled yet."""
    return from_fs_path(full) or Path(full).as_uri()


@lru_cache(maxsize=50_000)
def file_of(uri: str) -> str:
    """The absolute path of the file that a URI names, however the client spells it; empty where it names none."""
    path = path_of(uri)
    return os.path.abspath(path) if path is not None else ""
