"""Read the other documents that an answer about a name depends on, before it is computed."""

from __future__ import annotations

from collections.abc import Generator

from handoff_lsp.features.names.look_up import look_up
from handoff_lsp.server.session.session import Request


def read_others(request: Request) -> Generator[None, None, None]:
    """Read the documents that may mention the name at the position, one in each step."""
    yield from look_up(request, request.offset)
