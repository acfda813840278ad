"""The agents between which a handoff goes: the one that wrote it, and the next ones that it names."""

from __future__ import annotations

from collections.abc import Mapping

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.kinds import Kind
from handoff_lsp.contracts.names import key_name
from handoff_lsp.names.mentions import names_in_slot
from handoff_lsp.text.named_tuple import NamedTuple


class NamedAgent(NamedTuple):
    """An agent: ``key`` is the form of its name for comparison, ``name`` a spelling."""

    key: str
    name: str


def sender_of(handoff: Handoff, name: str, kinds: Mapping[str, Kind]) -> NamedAgent:
    """The agent with a name that wrote a handoff, comparable with the next agents that other handoffs name."""
    spec = handoff.spec
    fields = (spec.field(path) for path in spec.contract.overview.next_agent)
    kind = next((kinds[field.names] for field in fields if field is not None and field.names in kinds), None)
    return NamedAgent(kind.key(name) if kind is not None else key_name(name), name)


def next_agents(handoff: Handoff, kinds: Mapping[str, Kind]) -> tuple[NamedAgent, ...]:
    """The agents to which a handoff goes, as it states them itself; none if it names none, such as `done`."""
    for path in handoff.spec.contract.overview.next_agent:
        found: dict[str, NamedAgent] = {}
        for slot in handoff.root.find(path):
            for mention in names_in_slot(handoff, slot) if slot.present else ():
                kind = kinds.get(mention.kind)
                if kind is not None and not kind.is_word(mention.name):
                    key = kind.key(mention.name)
                    found.setdefault(key, NamedAgent(key, mention.name))
        if found:
            return tuple(found.values())
    return ()
