"""The names that handoffs introduce, and their references to one another that may lead to no circle.

A field that introduces a name of a kind (``introduces``) defines it in the documents that the kind's ``inside`` has; a
field with ``acyclic`` beside it names what comes before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.introduced import Thing
from handoff_lsp.binding.slot import Slot
from handoff_lsp.names.mentions import Mention, names_in_slot
from handoff_lsp.text.named_tuple import NamedTuple


class OrderedMention(NamedTuple):
    """An acyclic reference of a document: the thing that comes after another one, and the other one's mention."""

    thing: str
    mention: Mention
    slot: Slot


def things_of(handoffs: Iterable[Handoff], kind: str) -> tuple[Thing, ...]:
    """The names of a kind that the handoffs of a document introduce, in order."""
    found: list[Thing] = []
    for handoff in handoffs:
        if handoff.mode != "handoff":
            continue
        before: dict[str, list[str]] = {}
        for reference in references_of(handoff, kind):
            before.setdefault(reference.thing, []).append(reference.mention.name)
        for mention, _ in introductions_of(handoff, kind):
            found.append(Thing(mention.name, mention.span, tuple(before.get(mention.name, ()))))
    return tuple(found)


def introductions_of(handoff: Handoff, kind: str) -> Iterator[tuple[Mention, Slot]]:
    """The names of a kind that a handoff introduces, each with its field."""
    for slot in handoff.to_judge:
        if slot.field.introduces and slot.field.names == kind and slot.present and slot.problem is None:
            yield from ((mention, slot) for mention in names_in_slot(handoff, slot))


def references_of(handoff: Handoff, kind: str) -> Iterator[OrderedMention]:
    """The names of a kind in acyclic fields, each with the thing that the object around it introduces."""
    holders: dict[int, str] = {}
    references = [slot for slot in handoff.to_judge if slot.field.acyclic and slot.field.names == kind]
    if not references:
        return
    for mention, slot in introductions_of(handoff, kind):
        if slot.parent is not None:
            holders.setdefault(id(slot.parent), mention.name)
    for slot in references:
        at = slot.parent
        while at is not None and id(at) not in holders:
            at = at.parent
        if at is not None:
            for mention in names_in_slot(handoff, slot):
                yield OrderedMention(holders[id(at)], mention, slot)
