"""The problems of a contract, as tests compare them."""

from __future__ import annotations

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.resolve import Others


def problems(text: str, others: Others | None = None) -> list[tuple[str, str]]:
    """The problems of a contract: the text at their places, and their messages."""
    entry, found = read_contract(text, None, others)
    assert (entry is None) == bool(found)
    return [(one.span.of(text), one.message) for one in found]
