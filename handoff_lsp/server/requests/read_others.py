"""What an answer about a name needs of other documents, read beforehand."""

from __future__ import annotations

from collections.abc import Generator

from handoff_lsp.features.names.look_up import look_up
from handoff_lsp.server.session.session import Request


def read_others(at: Request) -> Generator[None, None, None]:
    """Read the documents that may speak of what stands at the position, one at a time."""
    yield from look_up(at, at.offset)
