"""The fields of a handoff in an outline: their kinds of symbol and their values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import LABEL_CARRIERS
from handoff_lsp.features.outline.symbol import Symbol, SymbolKind, plain, shortened
from handoff_lsp.language import counted
from handoff_lsp.text.lazy import lazy_pattern

# Everything after a first line, and the marker of a list before it.
_FIRST_LINE = lazy_pattern(r"\A[-*+][ \t]+|[\r\n].*", re.DOTALL)
# The text between a label and its value.
_SIGN = lazy_pattern(r"\A[*_`]*[ \t]*[:：]?[*_`]*(?:[ \t]+|\Z)")
_WRITTEN = LABEL_CARRIERS | {"yaml", "front-matter"}


def field_kind(slot: Slot) -> SymbolKind:
    """The kind of symbol for a field, by its type."""
    return slot.field.kind.symbol


def field_detail(slot: Slot) -> str:
    """The value of a field on one line: an enum's in the contract's spelling, another without markup, or a count."""
    if slot.field.kind.is_choice and isinstance(slot.data, str):
        return shortened(slot.data)
    if slot.field.kind.holds_items and isinstance(slot.data, list) and slot.countable:
        return counted(len(slot.data), "item")
    if slot.field.kind.holds in {"fields", "pairs"} and slot.children:
        return ""
    if slot.field.kind.holds == "pairs" and isinstance(slot.data, dict):
        return counted(len(slot.data), "item")
    return plain(_FIRST_LINE.sub("", slot.raw.strip()))


def label_symbols(handoff: Handoff) -> Iterator[Symbol]:
    """The symbols of the labels of a Markdown handoff: fields, unknown labels and duplicates."""
    for slot in handoff.slots:
        if slot.written and slot.key is not None and slot.span is not None and slot.carrier in _WRITTEN:
            name = plain(handoff.source.slice(slot.key)) or slot.title
            deprecated = bool(slot.field.deprecated)
            yield Symbol(name, field_kind(slot), slot.span, slot.key, field_detail(slot), deprecated)
        if slot.parent is not None:
            for other in (*slot.unknown, *slot.duplicates):
                value = _SIGN.sub("", handoff.source.text[other.key.end : other.span.end])
                yield Symbol(plain(other.name) or "?", "string", other.span, other.key, plain(value))
