"""The members of JSON and the entries of ``key: value`` lines in an outline, known to the contract or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from handoff_lsp.binding.bodies.json import JsonBody
from handoff_lsp.binding.bodies.outline import OutlineBody
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.features.outline.field_symbols import field_detail, field_kind
from handoff_lsp.features.outline.symbol import Symbol, SymbolKind, shortened
from handoff_lsp.rules.rule import counted
from handoff_lsp.syntax.json.parse import JsonKind, JsonNode
from handoff_lsp.syntax.lines.outline import OutlineEntry, OutlineValue

# Below this depth the outline of data is of no use to anybody.
_DEEPEST = 12
_JSON_KINDS: Mapping[JsonKind, SymbolKind] = {
    "object": "object",
    "array": "array",
    "string": "string",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
    "invalid": "string",
}


def slots_by_key(handoff: Handoff) -> dict[int, Slot]:
    """The fields of a handoff by where their keys begin (code points of the document)."""
    return {slot.key.start: slot for slot in handoff.slots if slot.key is not None and slot.parent is not None}


def json_symbols(handoff: Handoff, body: JsonBody) -> Iterator[Symbol]:
    """The members of all objects, and the objects in lists."""
    slots = slots_by_key(handoff)
    fragment = body.fragment
    stack = [(body.tree.root, 0)] if body.tree.root is not None else []
    while stack:
        node, depth = stack.pop()
        if depth >= _DEEPEST:
            continue
        for member in node.members:
            key, value = fragment.outer_span(*member.key.span), member.value
            slot = slots.get(key.start)
            detail = _json_detail(body, value)
            if value is None:
                kind: SymbolKind = "key"
            else:
                enum = slot is not None and slot.field.type == "enum" and value.kind == "string"
                kind = "enum-member" if enum else _JSON_KINDS[value.kind]
                stack.append((value, depth + 1))
            name = shortened(str(member.key.value)) or '""'
            deprecated = slot is not None and bool(slot.field.deprecated)
            span = fragment.outer_span(*member.span)
            yield Symbol(name, kind, span, key if key.end > key.start else span, detail, deprecated)
        for number, item in enumerate(node.items):
            if item.kind in {"object", "array"}:
                span = fragment.outer_span(*item.span)
                yield Symbol(f"[{number}]", _JSON_KINDS[item.kind], span, span, _json_detail(body, item))
                stack.append((item, depth + 1))


def _json_detail(body: JsonBody, node: JsonNode | None) -> str:
    """A value on one line; of a list how many items it has, of an object its first text, by which it is known."""
    if node is None:
        return ""
    if node.kind == "array":
        return counted(len(node.items), "item")
    if node.kind == "object":
        if node.parent is None or node.parent.kind != "array":
            return ""
        texts = (member.value for member in node.members if member.value is not None)
        node = next((value for value in texts if value.kind == "string"), None)
        if node is None:
            return ""
    return shortened(str(node.value) if node.kind == "string" else body.fragment.text[node.start : node.end])


def outline_symbols(handoff: Handoff, body: OutlineBody) -> Iterator[Symbol]:
    """The entries of all maps, those that stand in a literal text among them."""
    slots = slots_by_key(handoff)
    seen: set[int] = set()
    for entry, depth in _entries(body.lines.entries):
        key = body.fragment.outer_span(*entry.key)
        seen.add(key.start)
        slot = slots.get(key.start)
        span = body.fragment.outer_span(min(entry.span.start, entry.key.start), max(entry.span.end, entry.key.end))
        kind = field_kind(slot) if slot is not None else _outline_kind(entry.value)
        detail = field_detail(slot) if slot is not None else _outline_detail(entry.value)
        name = shortened(entry.key_text) or "?"
        if depth < _DEEPEST:
            yield Symbol(name, kind, span, key, detail, slot is not None and bool(slot.field.deprecated))
    for slot in slots.values():
        if slot.carrier is not None and slot.key is not None and slot.span is not None and slot.key.start not in seen:
            yield Symbol(slot.title, field_kind(slot), slot.span, slot.key, field_detail(slot))


def _entries(entries: tuple[OutlineEntry, ...]) -> Iterator[tuple[OutlineEntry, int]]:
    stack = [(entry, 0) for entry in entries]
    while stack:
        entry, depth = stack.pop()
        yield entry, depth
        values = [entry.value]
        while values:
            value = values.pop()
            stack += [(inner, depth + 1) for inner in value.entries]
            values += [item.value for item in value.items]


def _outline_kind(value: OutlineValue) -> SymbolKind:
    kinds: dict[str, SymbolKind] = {"list": "array", "map": "object", "empty": "key"}
    return kinds.get(value.kind, "string")


def _outline_detail(value: OutlineValue) -> str:
    if value.kind == "list":
        return counted(len(value.items), "item")
    return "" if value.kind == "map" else shortened(value.text)
