"""The data of a handoff in an outline: members, entries and days, declared by the contract or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from handoff_lsp.binding.bodies.part import BodyPart, PartKind
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import LABEL_CARRIERS
from handoff_lsp.features.outline.field_symbols import field_detail, field_kind
from handoff_lsp.features.outline.symbol import Symbol, SymbolKind, shortened
from handoff_lsp.language import counted
from handoff_lsp.text import Span

# Below this depth an outline of data is useless.
_DEEPEST = 12
# The most entries of a log to list.
_MOST_ENTRIES = 1_000
# Parts of other kinds are strings.
_KINDS: Mapping[PartKind, SymbolKind] = {
    "object": "object",
    "array": "array",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
    "missing": "key",
    "map": "object",
    "list": "array",
    "empty": "key",
    "day": "day",
    "entry": "event",
}


def slots_by_key(handoff: Handoff) -> dict[int, Slot]:
    """The fields of a handoff by the offsets of their keys (code points of the document)."""
    return {slot.key.start: slot for slot in handoff.slots if slot.key is not None and slot.parent is not None}


def data_symbols(handoff: Handoff) -> Iterator[Symbol]:
    """The symbols of the named parts of a handoff.

    A log may have many thousands of lines, so only entries with the tag of a field are listed.
    """
    # The entries of a log show the values of its fields.
    slots = slots_by_key(handoff) if not handoff.body.append_only else {}
    tags = {slot.field.tag.casefold() for slot in handoff.root.children.values() if slot.field.tag}
    seen: set[int] = set()
    entries = 0
    stack = [(part, 0) for part in handoff.body.parts]
    while stack:
        part, depth = stack.pop()
        below: Sequence[BodyPart] = ()
        if part.kind != "entry":
            below = part.below
        elif entries < _MOST_ENTRIES and part.tag.casefold() in tags:
            entries += 1
        else:
            continue
        name, key = part.name, part.key
        if key is not None:
            seen.add(key.start)
        if name is not None:
            if depth < _DEEPEST:
                yield _symbol(part, name, key, slots.get(key.start) if key is not None else None)
            depth += 1
        if below:
            stack += [(child, depth) for child in below]
    # The labels in a literal text, which are not among the parts.
    for slot in slots.values():
        if slot.carrier in LABEL_CARRIERS and slot.key is not None and slot.span is not None:
            if slot.key.start not in seen:
                yield Symbol(slot.title, field_kind(slot), slot.span, slot.key, field_detail(slot))


def _symbol(part: BodyPart, name: str, key: Span | None, slot: Slot | None) -> Symbol:
    kind, detail = _KINDS.get(part.kind, "string"), _detail(part)
    if slot is not None and part.typed:
        named = field_kind(slot)
        kind = named if named == "enum-member" and kind == "string" else kind
    elif slot is not None:
        kind, detail = field_kind(slot), field_detail(slot)
    span = part.span
    selection = key if key is not None and key.end > key.start else span
    deprecated = slot is not None and bool(slot.field.deprecated)
    return Symbol(shortened(name) or ('""' if part.typed else "?"), kind, span, selection, detail, deprecated)


def _detail(part: BodyPart) -> str:
    """The value on one line, or the number of its items."""
    if part.length is None:
        return shortened(part.text)
    return counted(part.length, "entry", "entries") if part.kind == "day" else counted(part.length, "item")
