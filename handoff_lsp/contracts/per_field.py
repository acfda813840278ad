"""What is worked out once for each part of a contract: one cannot be hashed by what it says, and it never changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
T = TypeVar("T")

# Contracts of a workspace are loaded anew when they change: what is known of their old parts is dropped from here on.
_MOST = 20_000


def once_per_field(make: Callable[[K], T]) -> Callable[[K], T]:
    """A function of a field, or of another part, that works its result out once for each such object."""
    known: dict[int, tuple[K, T]] = {}

    def result(part: K) -> T:
        # The part is kept with its result, so that no other one can get its id.
        found = known.get(id(part))
        if found is None:
            if len(known) >= _MOST:
                known.clear()
            found = known[id(part)] = (part, make(part))
        return found[1]

    return result
