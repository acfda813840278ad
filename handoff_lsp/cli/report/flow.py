"""The hand-overs between agents, counted, and the agents in an order from first to last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from handoff_lsp.cli.report.data import HandoffRow
from handoff_lsp.contracts.model import RouteAction
from handoff_lsp.decide.words import needs_person, urgency
from handoff_lsp.features.decision.hand_over import NamedAgent

# The receiver of a handoff that names no next agent and needs a person. No agent has its key.
PERSON = NamedAgent(" ", "a person")


@dataclass
class HandOver:
    """The handoffs from one agent to another, counted by the decision about them; None without any."""

    sender: NamedAgent
    receiver: NamedAgent
    actions: Counter[RouteAction | None] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """The number of handoffs."""
        return self.actions.total()


def hand_overs(handoffs: Iterable[HandoffRow]) -> list[HandOver]:
    """The hand-overs, in the order of the paths.

    A handoff that names no next agent goes to a person if it needs one. Otherwise it goes nowhere yet.
    """
    found: dict[tuple[str, str], HandOver] = {}
    for row in sorted(handoffs, key=lambda row: (row.path, row.line)):
        receivers = row.receivers or ((PERSON,) if needs_person(row.action) else ())
        for receiver in receivers:
            one = found.setdefault((row.sender.key, receiver.key), HandOver(row.sender, receiver))
            one.actions[row.action] += 1
    return list(found.values())


def ordered(edges: Sequence[HandOver]) -> list[HandOver]:
    """The hand-overs in the order in which the agents work, with one spelling of each agent."""
    agents = {agent.key: (number, agent) for number, agent in enumerate(in_order(edges))}
    named = (replace(one, sender=agents[one.sender.key][1], receiver=agents[one.receiver.key][1]) for one in edges)
    return sorted(named, key=lambda one: (agents[one.sender.key][0], agents[one.receiver.key][0]))


def in_order(edges: Sequence[HandOver]) -> list[NamedAgent]:
    """The agents, each before those to which it hands over; to do something again is a way back, and does not count.

    In a cycle, the agents that others have reached come first, else the one that gives more than it receives.
    """
    agents = {edge.receiver.key: edge.receiver for edge in edges}
    agents |= {edge.sender.key: edge.sender for edge in edges}  # the spelling of the agent itself
    first = {key: number for number, key in enumerate(dict.fromkeys(_ends(edges)))}
    given, waits = Counter[str](), dict.fromkeys(agents, 0)
    out: dict[str, list[str]] = {key: [] for key in agents}
    for edge in edges:
        sender, receiver = edge.sender.key, edge.receiver.key
        if sender != receiver and set(edge.actions) != {"retry"}:
            out[sender].append(receiver)
            waits[receiver] += 1
            given[sender] += edge.total
            given[receiver] -= edge.total
    order: list[NamedAgent] = []
    reached: dict[str, int] = {}  # when an agent was reached: a chain stays together
    while waits:
        ready = [key for key in waits if not waits[key] and key != PERSON.key]
        if ready:
            key = min(ready, key=lambda key: (-reached.get(key, -1), first[key]))
        else:
            key = min(
                waits, key=lambda key: (key == PERSON.key, reached.get(key, len(agents)), -given[key], first[key])
            )
        del waits[key]
        order.append(agents[key])
        for receiver in out[key]:
            if receiver in waits:
                waits[receiver] -= 1
                reached[receiver] = len(order)
    return order


def _ends(edges: Sequence[HandOver]) -> Iterator[str]:
    for edge in edges:
        yield from (edge.sender.key, edge.receiver.key)


def most_urgent(edges: Sequence[HandOver], most: int) -> list[HandOver]:
    """At most ``most`` hand-overs: those that need a person first, then the most frequent; in the given order."""
    ranked = sorted(edges, key=lambda one: (min(map(urgency, one.actions)), -one.total))
    kept = {id(edge) for edge in ranked[:most]}
    return [edge for edge in edges if id(edge) in kept]
