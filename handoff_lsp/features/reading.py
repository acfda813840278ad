"""What a handoff says, as plain data for programs: the values of its fields by their names."""

from __future__ import annotations

from typing import Any

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.slot import Slot

# Values nested deeper than this are null: readers of JSON have limits of their own.
_DEEPEST = 100


def fields_of(block: Block) -> dict[str, Any]:
    """The values of the fields that are there, by name and nested as the contract has them.

    An absent field is left out. One that is there with nothing to take from it (not filled in, outside its enum, of
    another type or form, without a value) is None, so that nobody takes a wrong value for a right one. Enums have
    the contract's spelling. A list in prose, whose items nobody can tell apart, is one item: the text.
    """
    return _children(block.root)


def _children(slot: Slot) -> dict[str, Any]:
    return {name: _value(child) for name, child in slot.children.items() if child.present}


def _value(slot: Slot) -> Any:
    if slot.problem is not None:
        return None
    field = slot.field
    if slot.children and field.type in {"object", "map"}:
        return _children(slot)
    if field.type in {"list", "rows", "table", "checklist"} and slot.data is None:
        return [slot.raw] if slot.raw.strip() else None
    if slot.items and field.items is not None and field.items.type != "any" and _one_each(slot):
        return [_value(item) for item in slot.items]
    return _bounded(slot.data)


def _one_each(slot: Slot) -> bool:
    return isinstance(slot.data, list) and len(slot.data) == len(slot.items)


def _bounded(value: Any, depth: int = 0) -> Any:
    if not isinstance(value, (dict, list)):
        return value
    if depth > _DEEPEST:
        return None
    if isinstance(value, dict):
        return {str(key): _bounded(item, depth + 1) for key, item in value.items()}
    return [_bounded(item, depth + 1) for item in value]
