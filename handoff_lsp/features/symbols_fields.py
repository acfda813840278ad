"""The fields of a handoff in an outline: what kind of symbol they are and what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sized

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import LABEL_CARRIERS, FieldType
from handoff_lsp.features.symbol import Symbol, SymbolKind, plain_title, shortened

_KINDS: Mapping[FieldType, SymbolKind] = {
    "enum": "enum-member",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "list": "array",
    "rows": "array",
    "checklist": "array",
    "table": "array",
    "map": "object",
    "object": "object",
}
_LISTS = {"list", "rows", "checklist", "table"}
_WRITTEN = LABEL_CARRIERS | {"yaml"}


def field_kind(slot: Slot) -> SymbolKind:
    """The kind of symbol that a field is, by what it holds."""
    return _KINDS.get(slot.field.type, "string")


def field_detail(slot: Slot) -> str:
    """What a field holds, on one line: a value of the contract's as it spells it, another as written, or a count."""
    if slot.field.type == "enum" and isinstance(slot.data, str):
        return shortened(slot.data)
    if slot.field.type in _LISTS and isinstance(slot.data, list):
        return number_of(slot.data)
    if slot.field.type in {"object", "map"} and slot.children:
        return ""
    if slot.field.type == "map" and isinstance(slot.data, dict):
        return number_of(slot.data)
    return shortened(slot.raw.lstrip().split("\n", 1)[0].strip())


def number_of(items: Sized) -> str:
    """How many items there are, in words."""
    return f"{len(items)} item{'' if len(items) == 1 else 's'}"


def label_symbols(block: Block) -> Iterator[Symbol]:
    """The fields of a handoff in Markdown that are written as labels, with those that it has twice or does not know."""
    for slot in block.slots:
        if slot.written and slot.key is not None and slot.span is not None and slot.carrier in _WRITTEN:
            name = plain_title(block.source.slice(slot.key)) or slot.title
            deprecated = bool(slot.field.deprecated)
            yield Symbol(name, field_kind(slot), slot.span, slot.key, field_detail(slot), deprecated)
        if slot.parent is not None:
            for other in (*slot.unknown, *slot.duplicates):
                value = block.source.text[other.key.end : other.span.end].lstrip(" \t*`:：")
                yield Symbol(plain_title(other.name) or "?", "string", other.span, other.key, shortened(value))
