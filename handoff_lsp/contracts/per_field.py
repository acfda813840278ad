"""Values computed once for each part of a contract. Parts are not hashable by content, and never change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

K = TypeVar("K", bound="ContractPart")
T = TypeVar("T")


class ContractPart:
    """A contract, or a part of one, with the values computed for it: a contract that has changed takes them along."""

    __slots__ = ("__weakref__", "known")

    known: dict[Callable[..., object], Any]


def once_per_field(make: Callable[[K], T]) -> Callable[[K], T]:
    """A function of a field or another part of a contract, with its result kept in each such object."""

    def result(part: K) -> T:
        try:
            known = part.known
        except AttributeError:
            known = part.known = {}
        if make not in known:
            known[make] = make(part)
        found: T = known[make]
        return found

    return result
