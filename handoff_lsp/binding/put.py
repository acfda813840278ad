"""Giving slots their values: read from a text, or empty if absent."""

from __future__ import annotations

from collections.abc import Mapping

from handoff_lsp.binding.slot import UNNAMED, Problem, Slot
from handoff_lsp.binding.values import ReadValue, remark_in
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
    for name, (start, end) in read.groups.items():
        child = slot.children[name] = Slot(name, UNNAMED, slot)
        child.present = child.written = True
        child.value = child.key = child.span = Span(span.start + start, span.start + end)
        child.raw = slot.raw[start:end]
        child.data = slot.data.get(name) if isinstance(slot.data, dict) else None


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
