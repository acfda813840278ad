"""A field as a fix or a completion inserts it: in the words of its handoff, without a statement for the author."""

from __future__ import annotations

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.model import Field
from handoff_lsp.writing.skeleton import unclaimed
from handoff_lsp.writing.words import in_its_words


def to_fill_in(handoff: Handoff, path: str, field: Field) -> Field:
    """A field at a path as it is inserted: a placeholder in place of a value that the contract proposes.

    A value by which the handoff was recognized stays, and so does a word for nothing.
    """
    field = in_its_words(handoff, field)
    fence = handoff.spec.contract.fence
    if fence is not None and any(path in asked.value for asked in fence.holds):
        return field
    return unclaimed(field, handoff.spec.empty_words)
