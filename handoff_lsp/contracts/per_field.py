"""Values computed once per field: a field is not hashable by content, and it never changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from handoff_lsp.contracts.model import Field

T = TypeVar("T")

# A changed contract of a workspace is loaded again: beyond this size, the values of old fields are dropped.
_MOST = 20_000


def once_per_field(make: Callable[[Field], T]) -> Callable[[Field], T]:
    """A function of a field that works its result out once for each field object."""
    known: dict[int, tuple[Field, T]] = {}

    def result(field: Field) -> T:
        # The field is kept with its result, so that no other one can get its id.
        found = known.get(id(field))
        if found is None:
            if len(known) >= _MOST:
                known.clear()
            found = known[id(field)] = (field, make(field))
        return found[1]

    return result
