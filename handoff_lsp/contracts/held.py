"""The items of long lists for which a check is known to hold: at a keystroke, it is evaluated for no others."""

from __future__ import annotations

from collections.abc import Sequence

from handoff_lsp.text.edit import unchanged

# The most items to keep.
_MOST = 50_000


class Held:
    """The values of items, each with the value before it, for which a line of CEL is true, whatever is around them.

    ``paired``: the line is about the value before it as well; if not, that is None.
    """

    def __init__(self, *, paired: bool) -> None:
        self._paired = paired
        self._pairs: set[tuple[str | None, str | None]] = set()
        self._column: Sequence[str | None] = ()  # the last list in which it was false for no item

    def pair(self, column: Sequence[str | None], number: int) -> tuple[str | None, str | None]:
        """The value of an item of a list, and the value before it."""
        return column[number], column[number - 1] if self._paired and number else None

    def unknown(self, column: Sequence[str | None]) -> list[int]:
        """The numbers of the items for which it is not known, in order."""
        start, same = unchanged(self._column, column)
        # The item behind a change may have a different one before it.
        end = min(len(column) - same + 1, len(column))
        return [number for number in range(start, end) if self.pair(column, number) not in self._pairs]

    def add(self, pair: tuple[str | None, str | None]) -> None:
        """It is true for an item."""
        if len(self._pairs) >= _MOST:
            self._pairs.clear()
        self._pairs.add(pair)

    def add_all(self, column: Sequence[str | None]) -> None:
        """It is false for no item of a list."""
        self._column = column
