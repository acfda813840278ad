"""Inlay hints: the action after a value, the right number after a wrong count, the age after a time.

Silence is a feature: a right count gets no hint, and of all values only the one that decides the action does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.put import nested
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.field_types import read_timestamp
from handoff_lsp.contracts.model import RouteAction, Value
from handoff_lsp.decide.routing import decision, is_made, status_of
from handoff_lsp.decide.words import isolated, line_of
from handoff_lsp.engine import Analysis
from handoff_lsp.features.counts import wrong_counts
from handoff_lsp.features.decision.lens import cause
from handoff_lsp.features.pages.decision_page import decision_page
from handoff_lsp.features.pages.markup import code, paragraphs, prose
from handoff_lsp.language import counted, later, say
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Edit, Span
from handoff_lsp.text.named_tuple import NamedTuple

# An editor cuts a longer label: VS Code at 43 characters by default.
MAX_LABEL = 30
_DAY = 86_400
_UNITS = (
    (later("year"), 365 * _DAY),
    (later("month"), 30 * _DAY),
    (later("day"), _DAY),
    (later("h"), 3600),
    (later("min"), 60),
)


class Hint(NamedTuple):
    """A text after ``offset`` (code points). ``key`` is unique among hints at one place; accepting makes the ``edits``.

    ``tooltip`` returns the Markdown page about it.
    """

    offset: int
    label: str
    key: str
    tooltip: Callable[[], str]
    edits: tuple[Edit, ...] = ()


def hints(analysis: Analysis, span: Span, now: datetime) -> list[Hint]:
    """The hints in a span, in text order. ``now`` is aware of its time zone."""
    every = [*_counts(analysis)]
    errors: dict[int, list[Finding]] = {}
    for finding in analysis.findings:
        if finding.severity == "error":
            errors.setdefault(id(finding.handoff), []).append(finding)
    for handoff in analysis.handoffs:
        if handoff.mode == "handoff" and handoff.span.overlaps(span):
            every += _triggered(handoff, errors.get(id(handoff), []))
            every += _ages(handoff, now)
    return sorted((hint for hint in every if span.holds(hint.offset)), key=lambda hint: hint.offset)


# Counts


def _counts(analysis: Analysis) -> Iterator[Hint]:
    lines = analysis.source.lines
    for count in wrong_counts(analysis):
        end, where = count.edit.span.end, say("≠ {right} in {where}", right=count.right, where=count.where)
        is_last = not analysis.source.text[end : lines.line_end(lines.line_of(end))].strip()
        label = where if count.where and is_last and len(where) <= MAX_LABEL else f"≠ {count.right}"
        yield Hint(end, label, "count", partial(prose, count.finding.message), (count.edit,))


# Actions


def _triggered(handoff: Handoff, errors: Sequence[Finding]) -> Iterator[Hint]:
    """The hint with the orchestrator's action, after the value that decides it; none if no single value does."""
    status = handoff.status
    if status is None or not status.field.kind.is_choice or status.value is None or status_of(handoff) is None:
        return
    route = decision(handoff)
    if route is None or is_made(handoff, route):
        return
    deciding = cause(handoff, route, errors)
    slot = next((slot for slot in _deciders(handoff) if slot.value == deciding), None)
    if slot is None and _alone(handoff, status.data) == route.action:
        slot = status
    if slot is not None and slot.value is not None:
        whole = f"→ {isolated(line_of(handoff, route))}"
        label = whole if len(whole) <= MAX_LABEL else f"→ {route.action}"
        yield Hint(slot.value.end, label, "then", partial(_about, handoff, slot))


def _alone(handoff: Handoff, status: object) -> RouteAction | None:
    """The action that a status alone leads to; None without a route."""
    values = handoff.values_of(nested(handoff.spec.contract.status, status))
    return next((route.action for route in handoff.spec.contract.routing if values.holds(route.when)), None)


def _deciders(handoff: Handoff) -> Iterator[Slot]:
    """The slots with a valid enum value, one of which may decide the action."""
    return (slot for slot in handoff.root.walk() if slot.field.kind.is_choice and slot.present and slot.problem is None)


def _about(handoff: Handoff, slot: Slot) -> str:
    value = _value(slot)
    meaning = f"{code(value.value)}: {prose(value.about)}" if value is not None and value.about else ""
    return paragraphs(meaning, decision_page(handoff))


def _value(slot: Slot) -> Value | None:
    return next((value for value in slot.field.values if value.value == slot.data), None)


# Ages


def _ages(handoff: Handoff, now: datetime) -> Iterator[Hint]:
    """The ages of a handoff's own times; a log has none, because its times only order its entries."""
    if handoff.body.append_only:
        return
    for slot in handoff.root.children.values():
        if slot.field.kind.is_time and slot.present and slot.value is not None and isinstance(slot.data, str):
            then = read_timestamp(slot.data)
            if then is not None:
                yield Hint(slot.value.end, age(now - then), "age", partial(_seen, slot.title, then, now))


def _seen(title: str, then: datetime, now: datetime) -> str:
    seen = now.astimezone(UTC)
    return say(
        "{title} is {then} UTC, seen at {now} UTC.",
        title=code(title),
        then=f"{then:%Y-%m-%d %H:%M:%S}",
        now=f"{seen:%Y-%m-%d %H:%M}",
    )


def age(since: timedelta) -> str:
    """The time since something, or until it if negative, in words and one unit."""
    seconds = since.total_seconds()
    for unit, length in _UNITS:
        count = int(abs(seconds) // length)
        if count:
            time = counted(count, unit, unit if length < _DAY else "")
            return say("in {time}", time=time) if seconds < 0 else say("{time} ago", time=time)
    return say("now")
