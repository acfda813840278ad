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
    edges = list(found.values())
    agents = {agent.key: (number, agent) for number, agent in enumerate(in_order(edges))}
    for one in edges:  # one spelling of each agent
        one.sender, one.receiver = agents[one.sender.key][1], agents[one.receiver.key][1]
    return sorted(edges, key=lambda one: (agents[one.sender.key][0], agents[one.receiver.key][0]))


def in_order(edges: Sequence[HandOver]) -> list[Agent]:
    """The agents, each before those to which it hands over; a cycle begins with the agent that gives most of all."""
    agents = {edge.receiver.key: edge.receiver for edge in edges}
    agents |= {edge.sender.key: edge.sender for edge in edges}  # the spelling of the agent itself
    first = {
        key: number
        for number, key in enumerate(dict.fromkeys(k for e in edges for k in (e.sender.key, e.receiver.key)))
    }
    given, waits = Counter[str](), dict.fromkeys(agents, 0)
    out: dict[str, list[HandOver]] = {key: [] for key in agents}
    for edge in edges:
        if edge.sender.key != edge.receiver.key:
            out[edge.sender.key].append(edge)
            waits[edge.receiver.key] += 1
            given[edge.sender.key] += edge.total
            given[edge.receiver.key] -= edge.total
    order: list[Agent] = []
    last: list[str] = []  # the agents to which the last ones hand over: a chain stays together
    while waits:
        ready = [key for key in waits if not waits[key] and key != PERSON.key]
        if ready:
            key = min(ready, key=lambda key: (-last.index(key) if key in last else 1, first[key]))
        else:
            key = min(waits, key=lambda key: (key == PERSON.key, -given[key], first[key]))
        del waits[key]
        order.append(agents[key])
        for edge in out[key]:
            if edge.receiver.key in waits:
                waits[edge.receiver.key] -= 1
                last.append(edge.receiver.key)
    return order


def most_telling(edges: Sequence[HandOver], most: int) -> list[HandOver]:
    """The hand-overs for a drawing with room for ``most``: those that need a person first, then the most frequent."""
    ranked = sorted(edges, key=lambda one: (min(map(urgency, one.actions)), -one.total))
    kept = {id(edge) for edge in ranked[:most]}
    return [edge for edge in edges if id(edge) in kept]
