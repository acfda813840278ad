"""What the orchestrator does with a handoff as it is now, by its contract's routes."""

from __future__ import annotations

from typing import Any, NamedTuple

from handoff_lsp.binding.block import Block
from handoff_lsp.contracts.model import Action, Route
from handoff_lsp.rules.restated import Dispute, dispute_of
from handoff_lsp.rules.rule import counted, sentence

# Without a readable status the pipeline never does this.
_GOES_ON: Action = "advance"


class Routing(NamedTuple):
    """What is done and why, and the titles of the fields and sections that the orchestrator reads for it."""

    action: Action
    reason: str
    reads: tuple[str, ...]


def _route(block: Block) -> Route | None:
    """The first route whose condition holds; None where the contract has none that does.

    Where no status can be read, no route that advances counts, and there always is one. Where a strict contract's
    reader refuses the handoff for its errors, it does not advance either.
    """
    readable = status_of(block) is not None
    dispute = dispute_of(block) if readable else None
    if dispute is not None and dispute.acts:
        return _disputed(block, dispute)
    for route in block.spec.contract.routing:
        if (readable or route.action != _GOES_ON) and block.values.holds(route.when):
            if route.action == _GOES_ON and block.unseen:
                return Route(action="stop", reason="Not all of it was looked at, so nothing says that it may go on.")
            return _refused(block) if route.action == _GOES_ON and _is_refused(block) else route
    if readable or not block.spec.contract.routing:
        return None
    return Route(action="stop", reason=f"{sentence(block.spec.contract.unread)}.")


def _disputed(block: Block, dispute: Dispute) -> Route:
    """What is done with a handoff that states its status twice, each time another one."""
    title = block.spec.title(block.spec.contract.status)
    one, other = status_of(block), dispute.again.data
    return Route(action="ask", reason=f"{title} is both {one} and {other}, so the user is asked which one is right.")


def _is_refused(block: Block) -> bool:
    """Whether the reader refuses the handoff, for itself or for one that it reads together with it."""
    return block.spec.contract.strict and _errors(block) > 0


def _errors(block: Block) -> int:
    """The errors of a handoff and of those right behind it that belong to it."""
    companions = block.spec.contract.companions.items()
    near = [block.companion(name) for name, one in companions if not one.path and one.where == "behind"]
    return block.errors + sum(other.errors for other in near if other is not None)


def _refused(block: Block) -> Route:
    """What is done with a handoff whose reader refuses it: the same as with one that it cannot read."""
    contract = block.spec.contract
    last = contract.routing[-1]
    errors = counted(_errors(block), "error")
    return Route(
        action=last.action if last.when == "true" and last.action != _GOES_ON else "stop",
        reason=f"It has {errors} for which its reader refuses it: {contract.unread}.",
        brief=f"{errors} for which its reader refuses it",
    )


def status_of(block: Block) -> Any:
    """The status as the contract spells it; None where there is none, or something keeps its reader from it."""
    slot = block.status
    if not block.readable or slot is None or not slot.present or slot.problem is not None or slot.data in (None, ""):
        return None
    if slot.field.type == "enum" and all(slot.data != value.value for value in slot.field.values):
        return None
    return slot.data


def routing_of(block: Block) -> Routing | None:
    """What is done with a block now; None for what is no handoff, and where the contract does not say what is done.

    A contract that has routes, none of which holds, stops: nothing says that the pipeline may go on.
    """
    route = decision(block)
    return Routing(route.action, route.reason, reads_of(block, route)) if route is not None else None


def decision(block: Block) -> Route | None:
    """The route that is taken with a block now, the contract's own or one made for it; None where `routing_of` is."""
    if block.mode != "handoff":
        return None
    route = _route(block)
    if route is None and block.spec.contract.routing:
        return Route(action="stop", reason="No route of the contract holds for what the handoff says.")
    return route


def is_made(block: Block, route: Route) -> bool:
    """Whether a route is none of the contract's own, but one that stands in for them."""
    return all(route is not known for known in block.spec.contract.routing)


def reads_of(block: Block, route: Route) -> tuple[str, ...]:
    """The titles of what is read on a route: what always is, then what it adds. Whether it is there or not."""
    spec = block.spec
    paths = dict.fromkeys([*spec.contract.reads, *route.reads])
    return tuple(dict.fromkeys(path if spec.is_json else spec.title(path) for path in paths))
