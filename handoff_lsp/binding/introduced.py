"""The names that documents define in themselves, and how they hang together: which thing comes after which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Protocol

from handoff_lsp.text import Source, Span
from handoff_lsp.text.named_tuple import NamedTuple


class Thing(NamedTuple):
    """A name that a document introduces, its place, and the names that its acyclic fields have."""

    name: str
    span: Span
    after: tuple[str, ...] = ()


class DefinedAt(NamedTuple):
    """The place where another document introduces a name. ``document`` is its path from the folder of this one."""

    name: str
    document: str
    source: Source
    span: Span


# A name of this document, one that it comes after, and the way from there back to it, in names.
Circle = tuple[str, str, tuple[str, ...]]


class Introduced(Protocol):
    """What the documents of a workspace introduce, as seen from one of them."""

    @property
    def of_this(self) -> bool:
        """Whether this document is one of those that define names."""

    def names(self) -> frozenset[str] | None:
        """The names that the others introduce; None if not all of them are known."""

    def places(self, name: str) -> Sequence[DefinedAt]:
        """The places where the others introduce a name."""

    def circles(self, own: Sequence[Thing]) -> Sequence[Circle]:
        """The circles that the names of this document are in, one for each name that one comes after."""


class Nothing:
    """Nothing is known of other documents."""

    of_this = True

    def names(self) -> frozenset[str] | None:
        """Unknown."""
        return None

    def places(self, name: str) -> Sequence[DefinedAt]:
        """None."""
        return ()

    def circles(self, own: Sequence[Thing]) -> Sequence[Circle]:
        """Those within this document."""
        return circles(Links({"": own}), "", own)


class Links:
    """The things of several documents, by the documents' paths, and how they hang together."""

    def __init__(self, documents: Mapping[str, Sequence[Thing]]) -> None:
        self.documents = documents

    @cached_property
    def by_name(self) -> Mapping[str, Sequence[tuple[str, Thing]]]:
        """Each name with the documents that introduce it."""
        found: dict[str, list[tuple[str, Thing]]] = {}
        for document, things in self.documents.items():
            for thing in things:
                found.setdefault(thing.name, []).append((document, thing))
        return found

    @cached_property
    def all_names(self) -> frozenset[str]:
        """The names that the documents introduce."""
        return frozenset(self.by_name)

    @cached_property
    def after(self) -> Mapping[str, Sequence[str]]:
        """For each name, the names that it comes after."""
        found: dict[str, dict[str, None]] = {}
        for things in self.documents.values():
            for thing in things:
                found.setdefault(thing.name, {}).update(dict.fromkeys(thing.after))
        return {name: tuple(others) for name, others in found.items()}

    @cached_property
    def knots(self) -> Mapping[str, int]:
        """For each name that comes after itself, the number of its circle: names of one lead to one another."""
        return _knots(self.after)

    def with_own(self, document: str, things: Sequence[Thing]) -> Links:
        """The same with a document as it is now."""
        known = self.documents.get(document, ())
        if [(one.name, one.after) for one in known] == [(one.name, one.after) for one in things]:
            return self
        return Links({**self.documents, document: things})


def circles(links: Links, document: str, own: Sequence[Thing]) -> tuple[Circle, ...]:
    """The circles that the things of a document are in."""
    links = links.with_own(document, own)
    found: dict[Circle, None] = {}
    for thing in own:
        knot = links.knots.get(thing.name)
        for other in thing.after if knot is not None else ():
            if links.knots.get(other) == knot:
                found[thing.name, other, _way(links, other, thing.name)] = None
    return tuple(found)


def _way(links: Links, start: str, goal: str) -> tuple[str, ...]:
    """The shortest way from a name to another one of its circle, both included."""
    came_from: dict[str, str] = {start: start}
    now = [start]
    while now and goal not in came_from:
        following: list[str] = []
        for name in now:
            for other in links.after.get(name, ()):
                if other not in came_from and other in links.knots:
                    came_from[other] = name
                    following.append(other)
        now = following
    way = [goal]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return tuple(reversed(way))


def _knots(after: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """The strongly connected parts with more than one name, or with one that leads to itself (Tarjan, in a loop)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    found: dict[str, int] = {}
    for root in after:
        if root in order:
            continue
        work: list[tuple[str, Iterator[str]]] = []
        _enter(root, order, low, stack, on_stack)
        work.append((root, iter(after.get(root, ()))))
        while work:
            name, others = work[-1]
            other = next(others, None)
            if other is not None:
                if other not in order:
                    _enter(other, order, low, stack, on_stack)
                    work.append((other, iter(after.get(other, ()))))
                elif other in on_stack:
                    low[name] = min(low[name], order[other])
                continue
            work.pop()
            if work:
                above = work[-1][0]
                low[above] = min(low[above], low[name])
            if low[name] == order[name]:
                part = [stack.pop()]
                while part[-1] != name:
                    part.append(stack.pop())
                on_stack.difference_update(part)
                if len(part) > 1 or name in after.get(name, ()):
                    found.update(dict.fromkeys(part, order[name]))
    return found


def _enter(name: str, order: dict[str, int], low: dict[str, int], stack: list[str], on_stack: set[str]) -> None:
    order[name] = low[name] = len(order)
    stack.append(name)
    on_stack.add(name)
