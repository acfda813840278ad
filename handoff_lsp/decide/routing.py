"""The orchestrator's decision about a handoff in its current state, by its contract's routes.

Nothing untrue, and nothing that kills it. A decision never contradicts a finding:

- ``advance`` and ``continue`` need a valid status, and a handoff without an error and without a doubt about the status
  or a field that every advancing route reads. Neither may be in the next companion, and no error in one above. The
  config's severities count for this; comments that silence findings do not.
- A field on which the decision depends (``Spec.deciding``) must be readable and not contradicted: if a gate has a value
  that nobody can read, it does not count as closed, unless what it most likely means (`PASS`, `no`, `0件`) goes on.
- A finding that withholds a handoff is the reason of the decision. It is the first that the reader meets: a defect of
  the notation before any other, and if JSON cannot be parsed, that alone.
- ``retry``, ``ask`` and ``stop`` may be beside errors that are not their reason, since a person or an agent looks at
  the handoff anyway. The number of these errors is shown with the decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from handoff_lsp.binding.handoff import Fault, Handoff
from handoff_lsp.contracts.model import GOES_ON, Route, RouteAction
from handoff_lsp.language import counted, later, say
from handoff_lsp.rules import placeholder_left
from handoff_lsp.rules.rule import sentence
from handoff_lsp.rules.shared.restated import Dispute, dispute_of
from handoff_lsp.text.named_tuple import NamedTuple


class Routing(NamedTuple):
    """The decision and its reason, with the titles of the fields and sections that the orchestrator reads next.

    ``doubts`` are the findings that withhold the handoff although the contract's route would advance it.
    """

    action: RouteAction
    reason: str
    reads: tuple[str, ...]
    doubts: tuple[Fault, ...]


def _route(handoff: Handoff) -> Route | None:
    """The first route whose condition is true; None if none is.

    Without a readable status, routes that advance do not count, and there is always a result.
    """
    if not handoff.readable:
        return _unread(handoff)
    readable = status_of(handoff) is not None
    dispute = dispute_of(handoff) if readable else None
    if dispute is not None and dispute.acts:
        return _disputed(handoff, dispute)
    for route in handoff.spec.contract.routing:
        if (readable or route.action not in GOES_ON) and handoff.values.holds(route.when):
            return _withheld(handoff, route)
    if readable:
        return None
    return Route(action="stop", reason=_without_status(handoff))


def is_disputed(handoff: Handoff) -> bool:
    """Whether a handoff states its status twice, with statuses that lead to different actions."""
    dispute = dispute_of(handoff) if status_of(handoff) is not None else None
    return dispute is not None and dispute.acts


def _disputed(handoff: Handoff, dispute: Dispute) -> Route:
    """The decision about a handoff that states two different statuses."""
    title = handoff.spec.title(handoff.spec.contract.status)
    one, other = status_of(handoff), dispute.again.data
    return Route(
        action="ask",
        reason=say(
            "{title} is both {one} and {other}, so the user is asked which one is right.",
            title=title,
            one=one,
            other=other,
        ),
    )


def _withheld(handoff: Handoff, route: Route) -> Route:
    """A route of the contract, or the one that replaces it where errors or doubts withhold the handoff."""
    faults = _faults(handoff)
    if route.action not in GOES_ON or not faults:
        return route
    return Route(action=_instead(handoff) if faults[0].is_error else "ask", reason=_first_and_count(faults))


def _unread(handoff: Handoff) -> Route:
    """The decision about a handoff that its reader cannot read."""
    faults = _faults(handoff)
    errors = sum(fault.is_error and fault.judges_form for fault in faults)
    if is_broken_json(handoff) and errors:
        reason = say("The JSON cannot be parsed ({errors}).", errors=counted(errors, "error"))
    else:
        reason = _first_and_count(faults) if faults else _without_status(handoff)
    return Route(action=_instead(handoff), reason=reason)


def _without_status(handoff: Handoff) -> str:
    """The reason for a decision about a handoff without a readable status."""
    return sentence(handoff.spec.contract.unread or say("the status cannot be read")) + say(".")


def is_broken_json(handoff: Handoff) -> bool:
    """Whether a handoff is JSON that cannot be parsed, so that its status is unreadable."""
    return handoff.json is not None and handoff.json.tree.fatal


def _instead(handoff: Handoff) -> RouteAction:
    """The decision in place of advancing: the same as for a handoff without a readable status."""
    routing = handoff.spec.contract.routing
    last = routing[-1] if routing else None
    return last.action if last is not None and last.when == "true" and last.action not in GOES_ON else "stop"


def _first_and_count(faults: Sequence[Fault]) -> str:
    """The subject of the first of some findings, and the number of findings of its kind."""
    alike = [fault for fault in faults if fault.is_error == faults[0].is_error]
    # An editor shows the placeholders of a draft as hints, and counts them as such.
    is_draft = all(fault.rule == placeholder_left.RULE.code for fault in alike)
    noun = later("placeholder") if is_draft else later("error") if faults[0].is_error else later("doubt")
    more = say("{faults}; the first: ", faults=counted(len(alike), noun)) if len(alike) > 1 else ""
    return f"{more}{faults[0].message}" + say(".")


def _faults(handoff: Handoff) -> list[Fault]:
    """The errors of a handoff and the doubts about its status, and those of the next one if it is its continuation.

    Also the errors of a handoff above it on which its decision depends.
    The most important come first: unreadable parts, then errors, each in the order of the text.
    """
    found = list(handoff.faults)
    if (behind := handoff.next_companion) is not None:
        found += behind.faults
    for leading in handoff.leading:
        found += [fault for fault in leading.faults if fault.is_error and fault not in handoff.faults]
    return sorted(found, key=lambda fault: (handoff.readable or not fault.judges_form, not fault.is_error))


def doubts_of(handoff: Handoff, route: Route) -> tuple[Fault, ...]:
    """The findings that override the contract's route, the most important first."""
    return tuple(_faults(handoff)) if is_made(handoff, route) else ()


def status_of(handoff: Handoff) -> Any:
    """The status in the contract's spelling; None if it is missing or unreadable."""
    slot = handoff.status
    if not handoff.readable or slot is None or not slot.present or slot.problem is not None or slot.data in (None, ""):
        return None
    if slot.field.kind.is_choice and all(slot.data != value.value for value in slot.field.values):
        return None
    return slot.data


def routing_of(handoff: Handoff) -> Routing | None:
    """The decision about a handoff now; None for templates and examples, and for contracts without routes or status.

    If a contract has routes and none applies, the decision is to stop: nothing allows the pipeline to advance.
    """
    route = decision(handoff)
    if route is None:
        return None
    return Routing(route.action, route.reason, reads_of(handoff, route), doubts_of(handoff, route))


def decision(handoff: Handoff) -> Route | None:
    """The route of a handoff now, the contract's own or a replacement; None where `routing_of` is None."""
    if handoff.mode != "handoff" or not handoff.spec.contract.routing or not handoff.spec.contract.status:
        return None
    route = _route(handoff)
    if route is None:
        return Route(action="stop", reason=say("No route of the contract holds for what the handoff says."))
    return route


def is_made(handoff: Handoff, route: Route) -> bool:
    """Whether a route is a replacement and not one of the contract's own."""
    return all(route is not known for known in handoff.spec.contract.routing)


def reads_of(handoff: Handoff, route: Route) -> tuple[str, ...]:
    """The titles of the parts read on a route, present or not: those that are always read, then the route's own."""
    spec = handoff.spec
    paths = [path for path in (*spec.contract.reads, *route.reads) if spec.field(path) is not None]
    return tuple(dict.fromkeys(path if spec.is_json else spec.title(path) for path in paths))
