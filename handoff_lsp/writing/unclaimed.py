"""A field as a fix or a completion inserts it: in the words of its handoff, without a statement for the author."""

from __future__ import annotations

from dataclasses import replace

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Field
from handoff_lsp.writing.skeleton import unclaimed
from handoff_lsp.writing.words import in_its_words, title_beside


def to_fill_in(handoff: Handoff, path: str, field: Field) -> Field:
    """A field at a path as it is inserted: a placeholder in place of a value that the contract proposes.

    A value by which the handoff was recognized stays, and so does a word for nothing.
    """
    field = in_its_words(handoff, field)
    fence = handoff.spec.contract.fence
    if fence is not None and any(path in asked.value for asked in fence.holds):
        return field
    return unclaimed(field, handoff.spec.empty_words)


def missing(handoff: Handoff, slot: Slot) -> Field:
    """A missing field as it is inserted. If it is required, no part of it is empty: that would count as content."""
    field = replace(to_fill_in(handoff, slot.path, slot.field), title=title_beside(handoff, slot))
    return _filled(field) if handoff.values.holds(slot.field.required) else field


def _filled(field: Field) -> Field:
    fields = {name: _filled(child) for name, child in field.fields.items()}
    return replace(field, filled=True, fields=fields, items=_filled(field.items) if field.items is not None else None)
