"""Shared by rules and routing: a status that a handoff states twice or retracts beside its value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.put import nested, overlaid
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import tables
from handoff_lsp.contracts.model import Route
from handoff_lsp.contracts.names import fold_name, key_name, without_parenthesis
from handoff_lsp.contracts.spec import shared_names
from handoff_lsp.rules.shared.remark_words import CONTRAST, FOR_A_PART, denies, lacks_part, takes_back
from handoff_lsp.syntax.lines.keyvalue import read_pairs
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple


class Dispute(NamedTuple):
    """A second, different statement of the status; ``acts``: its action is different, too."""

    again: Slot
    acts: bool


def dispute_of(handoff: Handoff) -> Dispute | None:
    """The first other statement of the status on which the orchestrator would take another route."""
    slot = handoff.status
    if slot is None or not slot.others or slot.problem is not None or slot.data is None:
        return None
    mine = _route(handoff, slot.data)
    found: Dispute | None = None
    for other in slot.others:
        route = mine if other.problem is not None or other.data is None else _route(handoff, other.data)
        if route is not mine:
            acts = mine is None or route is None or route.action != mine.action
            if acts:
                return Dispute(other, acts)
            if not _has_shared_name(handoff, other):
                found = found or Dispute(other, acts)
    return found


def _has_shared_name(handoff: Handoff, slot: Slot) -> bool:
    """Whether the label of a value is a name that other things may have, too."""
    return slot.key is not None and fold_name(handoff.source.slice(slot.key)) in shared_names(slot.field)


def remark_of(handoff: Handoff) -> Span | None:
    """The remark beside or below a status that would advance; None if such a remark is usual.

    A different value is never usual. Any other remark is usual where the field switches `contradiction` off. Where the
    field tolerates sentences, a remark is usual unless it takes the value back; beside a verdict, unless it denies it.
    """
    slot = handoff.status
    if slot is None or slot.remark is None or slot.problem is not None:
        return None
    said = handoff.source.slice(slot.remark)
    if not _is_another_value(slot, said):
        if slot.field.severity.get("contradiction") == "off":
            return None
        against = denies(said) or _is_another_for_a_part(slot, said)
        if slot.field.judgement:
            against = against or lacks_part(slot.data, said)
        elif "sentence" in slot.field.tolerate:
            against = against or takes_back(said)
        else:
            against = True
        if not against:
            return None
    route = _route(handoff, slot.data)
    return slot.remark if route is not None and route.action == "advance" else None


class Doubt(NamedTuple):
    """The retractions of a field's value in a handoff: words beside it, a different value, or a sign."""

    slot: Slot
    span: Span
    words: str


def doubts_beside(handoff: Handoff) -> Iterator[Doubt]:
    """Signs against values that would advance, and retractions in fields other than the status."""
    status = handoff.status
    yield from _doubts_below(handoff)
    for slot in handoff.chosen:
        if slot.problem is not None or slot.value is None:
            continue
        if slot.field.severity.get("contradiction") == "off":
            continue
        sign = _AGAINST.search(_STRUCK.sub("", slot.raw)) if not slot.raw.isascii() else None
        if sign is not None and _AGAINST.search(str(slot.data)) is None and _advances_on(handoff, slot):
            yield Doubt(slot, slot.value, sign[0])
        titled = _in_heading(handoff, slot)
        if slot.key is not None and _is_another_value(slot, titled) and _advances_on(handoff, slot):
            yield Doubt(slot, slot.key, titled)
        if slot is status:
            continue
        if slot.others and not slot.field.restated:
            again = next((one for one in slot.others if one.problem is None and one.data != slot.data), None)
            if again is not None and again.value is not None:
                yield Doubt(slot, again.value, str(again.data))
                continue
        said = handoff.source.slice(slot.remark) if slot.remark is not None else ""
        if slot.remark is not None and (
            _is_another_value(slot, said)
            or _turns_to_another(slot, said)
            or (
                (denies(said) or takes_back(said) or _is_another_for_a_part(slot, said)) and _advances_on(handoff, slot)
            )
        ):
            yield Doubt(slot, slot.remark, said)


def _doubts_below(handoff: Handoff) -> Iterator[Doubt]:
    """The line below the status, if it is no pair and takes the status back. Markdown shows both as one paragraph."""
    slot = handoff.status
    if slot is None or slot.problem is not None or slot.value is None:
        return
    span = _line_below(handoff, slot.value)
    if span is not None and any(other.value is not None and other.value.overlaps(span) for other in slot.others):
        return  # a second status
    said = handoff.source.slice(span).strip(" ()（）*_`") if span is not None else ""
    # A capital begins a sentence of its own: `Only the docs changed.` qualifies nothing.
    retracts = not said[:1].isupper() and takes_back(said)
    if span is not None and (_is_another_value(slot, said) or denies(said) or retracts):
        if _advances_on(handoff, slot):
            yield Doubt(slot, span, said)


def _line_below(handoff: Handoff, value: Span) -> Span | None:
    """The first line between a value and the next pair; outside of outlines, only in the value's own paragraph."""
    if handoff.outline is not None:
        fragment, outline = handoff.outline.fragment, handoff.outline.lines
        starts = (fragment.outer(entry.span.start) for entry in outline.entries)
        after = next((start for start in starts if start > value.end), value.end)
        stray = (Span(*fragment.outer_span(*span)) for span in outline.stray)
        return next((span for span in stray if value.end <= span.start < after), None)
    lines = handoff.source.lines
    number = lines.line_of(value.end) + 1
    if handoff.json is not None or number >= lines.count:
        return None
    span = lines.line_span(number)
    block = handoff.tree.block_at(value.start)
    below = (
        block is not None and block.kind == "paragraph" and block.span.start < value.start < span.end <= block.span.end
    )
    return span if below and not read_pairs(handoff.source.text, span) else None


def _in_heading(handoff: Handoff, slot: Slot) -> str:
    """The words in parentheses at the end of a field's heading, as in `Status (blocked)`; empty without any."""
    title = handoff.source.slice(slot.key).strip() if slot.headed and slot.key is not None else ""
    return title[len(without_parenthesis(title)) :].strip(" ()（）`*_")


# Signs against a value, or that it is not reached yet, except beside a 0.
_AGAINST = lazy_pattern(
    r"(?<!\b0 )"
    "[\u274c\u2715\u2716\u2717\u2718\u2753\u2754\u26d4\u231b\u23f3\U0001f534\U0001f6a7\U0001f6ab\U0001f6d1\U0001f44e]"
    r"(?!\ufe0f?[ :：]*0\b)"
)
_STRUCK = lazy_pattern(r"~~[^~\n]+~~")


def _advances_on(handoff: Handoff, slot: Slot) -> bool:
    """Whether the pipeline would advance, and on another value of a field it would not."""
    root = handoff.root.data or {}
    if handoff.status is None or "[" in slot.path:
        return False
    route = _route(handoff, handoff.status.data)
    if route is None or route.action != "advance":
        return False
    if slot is handoff.status:
        return True
    others = (value.value for value in slot.field.values if value.value != slot.data)
    routes = (_route_with(handoff, overlaid(root, slot.path, value)) for value in others)
    return any(other is None or other.action != "advance" for other in routes)


def _turns_to_another(slot: Slot, remark: str) -> bool:
    """Whether a remark begins with a contrast and names another value of the field."""
    if CONTRAST.match(remark) is None:
        return False
    others = (value.value for value in slot.field.values if value.value != slot.data)
    return any(re.search(rf"(?<!\w){re.escape(one)}(?!\w)", remark) for one in others)


def _is_another_for_a_part(slot: Slot, remark: str) -> bool:
    """Whether a remark is a different value for some rows, tasks or scenarios, such as `REQUEST_CHANGES for BE-014`."""
    part = FOR_A_PART.search(remark)
    return part is not None and _is_another_value(slot, remark[: part.start()])


def _is_another_value(slot: Slot, remark: str) -> bool:
    """Whether a remark is only a different value of the field, or a synonym of one."""
    exact, loose, wrong = tables(slot.field)
    known = exact.get(remark) or loose.get(key_name(remark)) or wrong.get(key_name(remark))
    return known is not None and known.value != slot.data


def _route(handoff: Handoff, value: object) -> Route | None:
    return _route_with(handoff, {**(handoff.root.data or {}), **nested(handoff.spec.contract.status, value)})


def _route_with(handoff: Handoff, said: Mapping[str, object]) -> Route | None:
    values = handoff.values_of(handoff.data_with(said))
    return next((route for route in handoff.spec.contract.routing if values.holds(route.when)), None)
