"""Binding a JSON tree: members to slots, by the contract's fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from handoff_lsp.binding.put import put_arguments, start_of
from handoff_lsp.binding.silent import may_be_silent
from handoff_lsp.binding.slot import Problem, Slot, Unknown
from handoff_lsp.binding.values import group_values, is_of_form, is_placeholder, is_refused, read_text, remark_in
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.patterns import match_whole
from handoff_lsp.language import later, translated
from handoff_lsp.syntax.json.parse import JsonMember, JsonNode, python_value
from handoff_lsp.syntax.limits import MAX_DEPTH
from handoff_lsp.text import Fragment, Span

_KINDS = {
    "object": later("an object"),
    "array": later("a list"),
    "string": later("a string"),
    "number": later("a number"),
    "boolean": later("true or false"),
    "null": "null",
    "invalid": later("a bare word"),
}
# A longer text is no placeholder.
_LONGEST_PLACEHOLDER = 200


def kind_of(node: JsonNode) -> str:
    """The kind of a JSON value, in words for messages."""
    return translated(_KINDS[node.kind])


def bind_members(
    slot: Slot, node: JsonNode | None, fields: Mapping[str, Field], fragment: Fragment, *, any_case: bool = False
) -> None:
    """Make the children of ``slot`` from an object's members; every declared field gets a slot, present or not.

    ``any_case``: the reader accepts names in any case.
    """
    declared: dict[str, str] = {}
    for name, field in fields.items():
        declared[field.title] = name
        for alias in field.aliases:
            declared.setdefault(alias, name)
        slot.children[name] = Slot(name, field, slot)
    folded: dict[str, str] = {}
    for title, name in declared.items() if any_case else ():
        folded.setdefault(title.casefold(), name)
    if node is None or node.kind != "object":
        return
    for member in node.members:
        key = str(member.key.value)
        found = declared.get(key)
        if found is None and any_case:
            found = folded.get(key.casefold())
        key_span = fragment.outer_span(member.key.start, member.key.end)
        whole = fragment.outer_span(member.start, member.end)
        if found is None:
            slot.add_unknown(Unknown(key, key_span, whole))
            continue
        child = slot.children[found]
        if child.written:
            slot.add_duplicate(Unknown(key, child.key or key_span, child.span or whole))
            child = slot.children[found] = Slot(found, child.field, slot)
        _bind_member(child, member, fragment, key_span, whole, any_case)
    slot.data = {name: child.data for name, child in slot.children.items() if child.present and child.data is not None}
    for name, child in slot.children.items():
        # An explicit null is a value that conditions may test, unless the contract treats it as absence.
        if child.present and child.data is None and child.problem is None and child.raw == "null":
            slot.data[name] = None


def _bind_member(slot: Slot, member: JsonMember, fragment: Fragment, key: Span, whole: Span, any_case: bool) -> None:
    slot.carrier, slot.key, slot.span, slot.written = "json", key, whole, True
    node = member.value
    if node is None:
        slot.value = None
        return
    bind_value(slot, node, fragment, any_case=any_case)


def bind_value(slot: Slot, node: JsonNode, fragment: Fragment, *, any_case: bool = False) -> None:
    """Give a slot the value of a JSON node, by its field's type."""
    field = slot.field
    slot.value = fragment.outer_span(node.start, node.end)
    slot.raw = fragment.text[node.start : node.end]
    slot.written = True
    if _counts_as_absent(node, field.absent_when):
        slot.children = {name: Slot(name, child, slot) for name, child in field.fields.items()}
        return
    slot.present = True
    expected = field.kind.json
    if node.kind == "null":
        return  # the reader accepts a null that does not count as absent, whatever the type
    if expected is not None and node.kind != expected:
        unfilled = field.kind.unquoted and node.kind == "string" and is_placeholder(str(node.value))
        slot.problem = Problem("placeholder" if unfilled else "type", slot.raw, slot.value)
        slot.children = {name: Slot(name, child, slot) for name, child in field.fields.items()}
        return
    if expected == "object":
        bind_members(slot, node, field.fields, fragment, any_case=any_case)
    elif expected == "array":
        _bind_items(slot, node, fragment, any_case)
    elif expected == "string":
        _bind_string(slot, node)
    elif field.kind.holds == "pairs":
        _bind_pairs(slot, node, fragment, any_case)
    elif expected == "number" and not _is_number(node.value, whole=field.kind.is_count):
        slot.problem = Problem("type", slot.raw, slot.value)
    elif slot.field.kind.is_count and slot.field.pattern and match_whole(slot.field.pattern, slot.raw) is None:
        slot.problem = Problem("format", slot.raw, slot.value)
    else:
        slot.data = node.value if node.kind not in {"object", "array"} else python_value(node, MAX_DEPTH)


def _is_number(value: object, *, whole: bool) -> bool:
    """Whether a number of JSON is finite, unlike `1e400`; with ``whole``, whether it is an integer."""
    return isinstance(value, int) or (not whole and isinstance(value, float) and isfinite(value))


def _bind_items(slot: Slot, node: JsonNode, fragment: Fragment, any_case: bool) -> None:
    items = slot.field.items
    slot.data = python_value(node, MAX_DEPTH)
    if items is None or (items.kind.untyped and not items.fields):
        return
    if node.is_plain and items.kind.is_free and may_be_silent(items) and _are_filled(slot.data, slot.raw):
        slot.item_maker = lambda list_: _texts(list_, items, node, fragment)
        return
    for item in node.items:
        bind_value(slot.add_item(items, fragment.outer_span(*item.span)), item, fragment, any_case=any_case)


def _bind_pairs(slot: Slot, node: JsonNode, fragment: Fragment, any_case: bool) -> None:
    """Names with values: the members of an object, or of each object in a list."""
    objects = node.items if node.kind == "array" else [node]
    if any(one.kind != "object" for one in objects):
        unfilled = node.kind == "string" and is_placeholder(str(node.value))
        slot.problem = Problem("placeholder" if unfilled else "type", slot.raw, slot.value or slot.anchor())
        return
    values = [python_value(one, MAX_DEPTH) for one in objects]
    slot.data = {key: value for one in values if isinstance(one, dict) for key, value in one.items()}
    items = slot.field.items
    if items is None or (items.kind.untyped and not items.fields):
        return
    for member in (member for one in objects for member in one.members):
        key = str(member.key.value)
        child = slot.children[key] = Slot(key, items, slot)
        key_span = fragment.outer_span(member.key.start, member.key.end)
        _bind_member(child, member, fragment, key_span, fragment.outer_span(member.start, member.end), any_case)


def _are_filled(texts: Sequence[str], raw: str) -> bool:
    """Whether none of the texts in a list is blank or a placeholder. Most are not, at first sight."""
    if not all(map(str.strip, texts)):
        return False
    shown = any(sign in raw for sign in ("<", "{", "\\"))
    return not shown or not any(is_placeholder(text) for text in texts if "<" in text or "{" in text)


def _texts(slot: Slot, field: Field, node: JsonNode, fragment: Fragment) -> list[Slot]:
    """The items of a list of texts of which nothing is asked."""
    made = []
    for number, item in enumerate(node.items):
        made.append(slot.item(number, field, fragment.outer_span(*item.span)))
        bind_value(made[-1], item, fragment)
    return made


def _bind_string(slot: Slot, node: JsonNode) -> None:
    text = str(node.value)
    assert slot.value is not None
    if slot.field.kind.is_choice:
        read = read_text(slot.field, text)
        slot.data = read.data
        put_arguments(slot, read, text, start_of(slot.raw, text, slot.value))
        if read.problem:
            slot.problem = Problem(read.problem, text, slot.value)
        elif (remark := remark_in(text, read.end)) is not None:
            # Without escapes the text begins right after its quote.
            start = slot.value.start + 1
            plain = slot.value.end - slot.value.start == len(text) + 2
            slot.remark = Span(start + remark[0], start + remark[1]) if plain else slot.value
        return
    slot.data = text
    if len(text) < _LONGEST_PLACEHOLDER and is_placeholder(text):
        slot.data, slot.problem = None, Problem("placeholder", text, slot.value)
    elif is_refused(slot.field, text) or not is_of_form(slot.field, text):
        slot.data, slot.problem = None, Problem("format", text, slot.value)
    elif slot.field.kind.has_pattern:
        found = match_whole(slot.field.pattern, text)
        if found is None:
            slot.data, slot.problem = None, Problem("format", text, slot.value)
        else:
            slot.data = group_values(slot.field, text, found.groups, text)


def _counts_as_absent(node: JsonNode, absent_when: list[Any]) -> bool:
    for value in absent_when:
        if value is None:
            if node.kind == "null":
                return True
        elif isinstance(value, list):
            if node.kind == "array" and not node.is_plain and not node.items:
                return True
        elif isinstance(value, dict):
            if node.kind == "object" and not node.members:
                return True
        elif isinstance(value, bool):
            if node.kind == "boolean" and node.value is value:
                return True
        elif isinstance(value, str):
            if node.kind == "string" and (node.value == value or (value == " " and not str(node.value).strip())):
                return True
        elif node.kind == "number" and node.value == value:
            return True
    return False
