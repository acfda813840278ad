"""Who handed to whom: the hand-overs between agents, counted, and the agents in an order from first to last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from handoff_lsp.cli.report.data import HandoffRow
from handoff_lsp.contracts.model import RouteAction
from handoff_lsp.decide.words import needs_person, urgency
from handoff_lsp.features.decision.hand_over import Agent

# The receiver of a handoff that names no next agent and needs a person. No agent has an empty key.
PERSON = Agent("", "a person")


@dataclass
class HandOver:
    """The handoffs from one agent to another, counted by the decision about them, None if there is none."""

    sender: Agent
    receiver: Agent
    actions: Counter[RouteAction | None] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """The number of handoffs."""
        return self.actions.total()

    @property
    def goes_on(self) -> bool:
        """Whether all of them advance."""
        return set(self.actions) == {"advance"}


def hand_overs(handoffs: Iterable[HandoffRow]) -> list[HandOver]:
    """The hand-overs, in the order in which the agents work; those of an agent by the order of the receivers.

    A handoff that names no next agent goes to a person if it needs one. Otherwise it goes nowhere yet.
    """
    found: dict[tuple[str, str], HandOver] = {}
    for row in sorted(handoffs, key=lambda row: (row.path, row.line)):
        receivers = row.receivers or ((PERSON,) if needs_person(row.action) else ())
        for receiver in receivers:
            one = found.setdefault((row.sender.key, receiver.key), HandOver(row.sender, receiver))
            one.actions[row.action] += 1
    place = {agent.key: number for number, agent in enumerate(in_order(list(found.values())))}
    return sorted(found.values(), key=lambda one: (place[one.sender.key], place[one.receiver.key]))


def in_order(edges: Sequence[HandOver]) -> list[Agent]:
    """The agents, each before those to which it hands over; a cycle begins with the agent that gives most of all."""
    agents = {agent.key: agent for edge in edges for agent in (edge.receiver, edge.sender)}  # a sender's own spelling
    first = {
        key: number
        for number, key in enumerate(dict.fromkeys(k for e in edges for k in (e.sender.key, e.receiver.key)))
    }
    given, waits = Counter[str](), dict.fromkeys(agents, 0)
    into: dict[str, list[HandOver]] = {key: [] for key in agents}
    out: dict[str, list[HandOver]] = {key: [] for key in agents}
    for edge in edges:
        if edge.sender.key != edge.receiver.key:
            out[edge.sender.key].append(edge)
            into[edge.receiver.key].append(edge)
            waits[edge.receiver.key] += 1
            given[edge.sender.key] += edge.total
            given[edge.receiver.key] -= edge.total
    order: list[Agent] = []
    while waits:
        key = min(
            waits, key=lambda key: (key == PERSON.key, waits[key] > 0, -given[key] if waits[key] else 0, first[key])
        )
        del waits[key]
        order.append(agents[key])
        for edge in out[key]:
            if edge.receiver.key in waits:
                waits[edge.receiver.key] -= 1
    return order


def most_telling(edges: Sequence[HandOver], most: int) -> list[HandOver]:
    """The hand-overs for a drawing with room for ``most``: those that need a person first, then the most frequent."""
    ranked = sorted(edges, key=lambda one: (min(map(urgency, one.actions)), -one.total))
    kept = {id(edge) for edge in ranked[:most]}
    return [edge for edge in edges if id(edge) in kept]
