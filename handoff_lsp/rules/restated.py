"""What the rules and the routing share about a status that a handoff states twice, or takes back beside it."""

from __future__ import annotations

from typing import NamedTuple

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.put import nested
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Route
from handoff_lsp.text import Span


class Dispute(NamedTuple):
    """A second statement of the status that says something else; ``acts``: something else is done on it, too."""

    again: Slot
    acts: bool


def dispute_of(block: Block) -> Dispute | None:
    """The first other statement of the status on which the orchestrator would take another route."""
    slot = block.status
    if slot is None or not slot.others or slot.problem is not None or slot.data is None:
        return None
    mine = _route(block, slot.data)
    found: Dispute | None = None
    for other in slot.others:
        route = mine if other.problem is not None or other.data is None else _route(block, other.data)
        if route is not mine:
            acts = mine is None or route is None or route.action != mine.action
            if acts:
                return Dispute(other, acts)
            found = found or Dispute(other, acts)
    return found


def remark_of(block: Block) -> Span | None:
    """What a handoff says beside or below a status with which the pipeline would advance; None where that is usual.

    Beside a judgement, and where its field switches `contradiction` off, a remark is usual.
    """
    slot = block.status
    if slot is None or slot.remark is None or slot.problem is not None or slot.field.judgement:
        return None
    if slot.field.severity.get("contradiction") == "off":
        return None
    route = _route(block, slot.data)
    return slot.remark if route is not None and route.action == "advance" else None


def _route(block: Block, value: object) -> Route | None:
    values = block.values_of(block.data_with({**(block.root.data or {}), **nested(block.spec.contract.status, value)}))
    return next((route for route in block.spec.contract.routing if values.holds(route.when)), None)
