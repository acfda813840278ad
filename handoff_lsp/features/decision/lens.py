"""Code lenses: above each handoff the orchestrator's current decision, with a link to its cause."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import is_nothing
from handoff_lsp.contracts.conditions import split_message
from handoff_lsp.contracts.model import GOES_ON, Route, RouteAction
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.decide.routing import decision, doubts_of, is_disputed, is_made, reads_of, status_of
from handoff_lsp.engine import Analysis
from handoff_lsp.features.unfilled import unfilled
from handoff_lsp.rules.rule import Finding, counted, shown
from handoff_lsp.text import Span
from handoff_lsp.writing.placement import insertion

# A title with more characters pushes the lens beside it out of sight.
MAX_TITLE = 80

_VERBS: dict[RouteAction, str] = {
    "advance": "advances",
    "continue": "continues",
    "retry": "retries",
    "ask": "asks",
    "stop": "stops",
}
# Actions after which another agent reads the handoff; after the others, a person must look at it.
_READ_BY_AGENTS: frozenset[RouteAction] = GOES_ON | {"retry"}
_WORD = re.compile(r"[A-Z][a-z-]*\b")
# The places where a reason may be cut, and the code spans in which it must not be.
_CLAUSE = re.compile(r"`[^`]*`|[;.,]\s|\s(?:so|though|(?:for )?which|and|but)\s")


class Lens(NamedTuple):
    """A line of text above ``span``; a click on it leads to ``target``. Spans in code points."""

    span: Span
    title: str
    target: Span


def lenses(analysis: Analysis, findings: Sequence[Finding]) -> list[Lens]:
    """The lenses of a document, in the order of its handoffs. ``findings``: the findings now on display."""
    left = unfilled(analysis)
    waiting = {id(finding) for finding in left}
    shown_now = [finding for finding in findings if id(finding) not in waiting]
    found: list[Lens] = []
    for handoff in analysis.handoffs:
        found += _of(handoff, shown_now)
        open_here = [finding for finding in left if finding.handoff is handoff]
        if open_here:
            found.append(Lens(_above(handoff), f"{len(open_here)} to fill in", open_here[0].span))
    return found


def _of(handoff: Handoff, findings: Sequence[Finding]) -> Iterator[Lens]:
    place = _above(handoff)
    if handoff.mode == "template":
        status = handoff.status
        if status is not None:
            yield Lens(place, f"template of {handoff.spec.name}", spot(handoff, status))
        return
    route = decision(handoff)
    if route is None:
        return
    errors = [item for item in findings if item.handoff is handoff and item.severity == "error"]
    target = cause(handoff, route, errors)
    yield Lens(place, title_of(handoff, route), target)
    is_one = route.action not in GOES_ON and [item.span for item in errors] == [target]
    if errors and not is_one and (is_disputed(handoff) or not doubts_of(handoff, route)):
        yield Lens(place, counted(len(errors), "error"), errors[0].span)


def _above(handoff: Handoff) -> Span:
    """The place on one line above which a handoff's lenses are shown."""
    lines = handoff.source.lines
    return lines.first_line_of(handoff.span if handoff.form == "file" else handoff.home())


# The title


def brief_of(handoff: Handoff, route: Route) -> str:
    """The reason for a route, in a few words."""
    return _filled(handoff, route.brief) or _beginning(route.reason.rstrip("."))


def title_of(handoff: Handoff, route: Route) -> str:
    """The action of a route and its reason, in a few words."""
    brief = _filled(handoff, route.brief)
    title = _joined(handoff.spec, route.action, brief) if brief else _action_and_reason(handoff.spec, route)
    if route.action in _READ_BY_AGENTS and status_of(handoff) is not None and not is_made(handoff, route):
        names = ", ".join(reads_of(handoff, route))
        reads = f" · reads {names}" if names else ""
        if len(title) + len(reads) <= MAX_TITLE:
            return title + reads
    return shown(title, MAX_TITLE)


def _filled(handoff: Handoff, brief: str) -> str:
    """A message with its values filled in; empty if one of them is missing or an empty word."""
    values = (handoff.values.evaluate(part) for literal, part in split_message(brief) if not literal)
    if any(
        value is None or (isinstance(value, str) and is_nothing(value, handoff.spec.empty_words)) for value in values
    ):
        return ""
    return shown(handoff.values.fill(brief), MAX_TITLE)


def _action_and_reason(spec: Spec, route: Route) -> str:
    """A route's action and reason, cut after the last clause that fits."""
    return _beginning(_joined(spec, route.action, route.reason.rstrip(".")))


def _beginning(whole: str) -> str:
    """A sentence, cut after the last clause that fits."""
    ends = [len(whole), *(match.start() for match in _CLAUSE.finditer(whole) if not match[0].startswith("`"))]
    parts = [whole[:end].replace("`", "") for end in ends]
    return max((part for part in parts if len(part) <= MAX_TITLE), key=len, default=parts[0])


def _joined(spec: Spec, action: RouteAction, reason: str) -> str:
    """``stops: the failure is …``, without a repeated verb; the title of a field keeps its capital."""
    verb = _VERBS[action]
    first = _WORD.match(reason)
    titles = (field.title for field in spec.fields.values())
    if first is not None and not any(title and reason.startswith(title) for title in titles):
        reason = reason[:1].lower() + reason[1:]
    return reason if reason.split(" ", 1)[0] == verb else f"{verb}: {reason}"


# The target


def cause(handoff: Handoff, route: Route, errors: Sequence[Finding]) -> Span:
    """The place that causes a route: a value, a section, or the place of a missing field."""
    status = handoff.status
    doubts = doubts_of(handoff, route)
    if doubts and not is_disputed(handoff):
        return handoff.source.lines.first_line_of(doubts[0].span)
    if status is not None and (status_of(handoff) is None or is_made(handoff, route)):
        return spot(handoff, status)
    named = list(_asked(handoff, route.when))
    asked = [slot for slot in named if slot.present]
    if route.action in GOES_ON and asked:  # such conditions mostly exclude the other slots that they name
        return spot(handoff, status if status in asked else asked[0])
    missing = [slot for slot in named if not slot.present and any(item.slot is slot for item in errors)]
    if missing:
        return spot(handoff, missing[0])
    if not asked:
        return spot(handoff, status) if status is not None else handoff.home()
    # The last slot decides among handoffs of the same status. A counted section explains more than its count.
    read = [slot for path in route.reads for slot in handoff.root.find(path) if slot.present]
    return spot(handoff, next((slot for slot in read if slot.name == asked[-1].name), asked[-1]))


def _asked(handoff: Handoff, condition: str) -> Iterator[Slot]:
    """The slots that a condition names, directly or in a term."""
    for path in handoff.spec.paths_in(condition):
        slot = handoff.root.down(path)
        if slot is not handoff.root:
            yield slot


def spot(handoff: Handoff, slot: Slot) -> Span:
    """The place of a slot on one line: its value, the heading or key of a long value, or its place if it is missing."""
    if slot.problem is not None:
        return handoff.source.lines.first_line_of(slot.problem.span)
    if slot.written:
        value = slot.value
        if value is not None and value.end > value.start and not _is_long(handoff, value):
            return value
        return handoff.source.lines.first_line_of(slot.anchor())
    edits = insertion(handoff, [slot])
    return Span(edits[0].span.start, edits[0].span.start) if edits else slot.anchor()


def _is_long(handoff: Handoff, span: Span) -> bool:
    return handoff.source.lines.line_of(span.start) != handoff.source.lines.line_of(span.end)
