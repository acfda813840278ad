"""Silent items: those of a long list of which no rule has anything to say, so that rules pass over their slots."""

from __future__ import annotations

from dataclasses import fields

from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.per_field import once_per_field

# The keys of a field that mean nothing to a rule as long as the value has no problem.
_HARMLESS = frozenset(
    {"title", "about", "read_by", "type", "values", "offers", "open", "tolerate", "pattern_about", "severity"}
    | {"judgement", "because", "fillable", "example", "upstream", "fields"}
)
_PLAIN = Field()


@once_per_field
def may_be_silent(field: Field) -> bool:
    """Whether no rule asks more of an item, and of the fields in it, than that its value has no problem."""
    kept = all(
        getattr(field, one.name) == getattr(_PLAIN, one.name) for one in fields(Field) if one.name not in _HARMLESS
    )
    whole = field.kind.holds in {"anything", "value", "fields"}
    current = not any(value.deprecated for value in field.values)
    return kept and whole and current and all(map(may_be_silent, field.fields.values()))


def is_silent(slot: Slot) -> bool:
    """Whether no rule has anything to say about a slot whose field may be silent."""
    told = slot.problem or slot.remark or slot.others or slot.unknown or slot.duplicates or slot.row
    # A sign beside a choice may take it back.
    return not told and (slot.raw.isascii() or not slot.field.kind.is_choice)
