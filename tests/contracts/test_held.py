"""The items for which a check is known to hold: the others are the same as without anything known."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from handoff_lsp.contracts.held import Held

COLUMNS = st.lists(st.lists(st.sampled_from(("a", "b", "c", None)), max_size=8), max_size=6)


def failing(column: list[str | None], *, paired: bool) -> list[int]:
    """The items for which a check is false: those after a larger value, or those that are `b`."""
    before = [None, *column]
    return [
        number
        for number, (this, previous) in enumerate(zip(column, before, strict=False))
        if this is not None and (previous is not None and previous > this if paired else this == "b")
    ]


@given(COLUMNS, st.booleans())
def test_what_fails_is_never_known_to_hold(columns: list[list[str | None]], paired: bool) -> None:
    held = Held(paired=paired)
    for column in columns:
        wrong = failing(column, paired=paired)
        unknown = held.unknown(column)
        assert set(wrong) <= set(unknown) <= set(range(len(column))) and unknown == sorted(unknown)
        for number in unknown:
            if column[number] is not None and number not in wrong:
                held.add(held.pair(column, number))
        if not wrong:
            held.add_all(column)


def test_a_changed_item_alone_is_unknown() -> None:
    held = Held(paired=True)
    first = ["a", "b", "c", "d"]
    assert held.unknown(first) == [0, 1, 2, 3]
    held.add_all(first)
    assert held.unknown(first) == []
    assert held.unknown(["a", "b", "x", "d"]) == [2, 3]
    assert held.unknown(["a", "b", "c"]) == []
    assert held.unknown(["b", "c", "d"]) == [0]
    assert held.unknown([*first, "e"]) == [4]
