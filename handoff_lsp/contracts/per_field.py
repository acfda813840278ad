"""Values computed once for each part of a contract. Parts are not hashable by content, and never change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
T = TypeVar("T")

# A changed contract of a workspace is loaded again: beyond this size, the values of old parts are dropped.
_MOST = 20_000


def once_per_field(make: Callable[[K], T]) -> Callable[[K], T]:
    """A function of a field or another part of a contract, with its result cached for each such object."""
    known: dict[int, tuple[K, T]] = {}

    def result(part: K) -> T:
        # The part is kept with its result, so that no other object can get its id.
        found = known.get(id(part))
        if found is None:
            if len(known) >= _MOST:
                known.clear()
            found = known[id(part)] = (part, make(part))
        return found[1]

    return result
