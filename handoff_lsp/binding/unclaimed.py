"""What a fix puts in for a field says nothing in the author's place: where a contract proposes a value, it waits."""

from __future__ import annotations

import json
from dataclasses import replace

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.words import in_its_words
from handoff_lsp.contracts.model import Field


def to_fill_in(block: Block, slot: Slot) -> Field:
    """A field as it is inserted: in the words of its handoff, a placeholder where the contract proposes a value.

    What says which format a block is in stays, as it was recognised by that already; and so does a word for nothing.
    """
    field = in_its_words(block, slot.field)
    fence = block.spec.contract.fence
    if fence is not None and slot.path in fence.says:
        return field
    return _unclaimed(field, block.spec.empty_words)


def _unclaimed(field: Field, empty_words: frozenset[str]) -> Field:
    """A field with all below it, values that could be taken for the author's as texts to be filled in."""
    fields = {name: _unclaimed(child, empty_words) for name, child in field.fields.items()}
    if field.type == "enum" and len(field.values) == 1 and not field.open:
        only = field.values[0].value
        if only.casefold() not in empty_words:
            return replace(field, type="line", fillable=f"<{only}>", values=[], fields=fields)
    if _is_value(field.fillable):
        return replace(field, type="line", fillable=f"<{field.fillable}>", fields=fields)
    return replace(field, fields=fields)


def _is_value(fillable: str) -> bool:
    """Whether a proposed text reads as a number or a boolean."""
    try:
        return isinstance(json.loads(fillable), int | float)
    except ValueError:
        return False
