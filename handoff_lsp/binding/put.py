"""Giving slots their values: read from a text, or empty if absent."""

from __future__ import annotations

from collections.abc import Mapping

from handoff_lsp.binding.slot import UNNAMED, Problem, Slot
from handoff_lsp.binding.values import ReadValue, read_text, remark_in
from handoff_lsp.contracts.model import Field
from handoff_lsp.text import Span


def put(slot: Slot, read: ReadValue, span: Span) -> None:
    """Give a slot the value that was read from the text of ``span``."""
    slot.value = Span(span.start + read.start, span.start + read.end)
    if read.problem:
        slot.problem = Problem(read.problem, slot.raw[read.start : read.end], slot.value)
        return
    slot.data = read.data
    if slot.field.kind.is_choice:
        remark = remark_in(slot.raw, read.end)
        slot.remark = Span(span.start + remark[0], span.start + remark[1]) if remark is not None else None
        put_arguments(slot, read, slot.raw, span.start)
        return
    for name, (start, end) in read.groups.items():
        child = slot.children[name] = Slot(name, UNNAMED, slot)
        child.present = child.written = True
        child.value = child.key = child.span = Span(span.start + start, span.start + end)
        child.raw = slot.raw[start:end]
        child.data = slot.data.get(name) if isinstance(slot.data, dict) else None


# An argument of a value that its enum says nothing of.
_LINE = Field(type="line")


def put_arguments(slot: Slot, read: ReadValue, text: str, start: int) -> None:
    """Give an enum the arguments of its value, each as a child. ``start``: the offset of the text; -1 for unknown."""
    for name, (first, last) in read.groups.items():
        child = slot.children[name] = Slot(name, slot.field.fields.get(name, _LINE), slot)
        child.present = child.written = True
        child.raw = text[first:last]
        child.span = slot.value
        if start >= 0:
            child.value = child.span = Span(start + first, start + last)
        inner = read_text(child.field, child.raw)
        child.data = inner.data
        if inner.problem:
            child.problem = Problem(inner.problem, child.raw, child.value or slot.anchor())


def start_of(raw: str, text: str, place: Span) -> int:
    """The offset of a text that is written between quotes without escapes; -1 if it is written otherwise."""
    return place.start + 1 if raw[1:-1] == text else -1


def with_empties(root: Slot) -> dict[str, object]:
    """The values of a root's children by name, with empty ones for those that are absent."""
    data: dict[str, object] = {}
    for name, slot in root.children.items():
        value = slot.data
        if value is None and not slot.present:
            value = slot.field.kind.empty
        elif value is None and slot.raw == "null" and slot.problem is None:
            value = _null(slot)
        if value is not None:
            data[name] = value
    return data


def _null(slot: Slot) -> object:
    """The value of an explicit null that does not count as absence: the empty value of its field's type."""
    kind = slot.field.kind
    if kind.has_pattern:
        return {} if slot.field.has_groups else ""
    return "" if kind.is_free else kind.empty


def overlaid(data: Mapping[str, object], path: str, value: object) -> dict[str, object]:
    """A copy of the data with ``value`` at a path; the other members of the objects on the way are kept."""
    root, _, rest = path.partition(".")
    inner = data.get(root)
    return {**data, root: overlaid(inner if isinstance(inner, dict) else {}, rest, value) if rest else value}


def nested(path: str, value: object) -> dict[str, object]:
    """A value in the objects that its path leads through: ``a.b`` gives ``{"a": {"b": value}}``."""
    root, _, rest = path.partition(".")
    return {root: nested(rest, value) if rest else value}
