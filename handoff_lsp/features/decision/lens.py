"""Code lenses: above each handoff the orchestrator's current decision, with a link to its cause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import GOES_ON, Route
from handoff_lsp.decide.routing import decision, doubts_of, is_disputed, is_made, reads_of, status_of
from handoff_lsp.decide.words import MAX_LINE, isolated, line_of, needs_person
from handoff_lsp.engine import Analysis
from handoff_lsp.features.unfilled import unfilled
from handoff_lsp.language import counted, say
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Span
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.writing.placement import insertion


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
            found.append(Lens(_above(handoff), say("{number} to fill in", number=len(open_here)), open_here[0].span))
    return found


def _of(handoff: Handoff, findings: Sequence[Finding]) -> Iterator[Lens]:
    place = _above(handoff)
    if handoff.mode == "template":
        status = handoff.status
        if status is not None:
            yield Lens(place, say("template of {contract}", contract=handoff.spec.name), spot(handoff, status))
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


def title_of(handoff: Handoff, route: Route) -> str:
    """The decision on one line, with what an agent reads next if there is room."""
    title = isolated(line_of(handoff, route))
    if not needs_person(route.action) and status_of(handoff) is not None and not is_made(handoff, route):
        names = ", ".join(reads_of(handoff, route))
        reads = say(" · reads {names}", names=names) if names else ""
        if len(title) + len(reads) <= MAX_LINE:
            return title + reads
    return title


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
