"""Names that documents introduce: which of them come after themselves."""

from __future__ import annotations

import itertools
import random

from cpu import at_most

from handoff_lsp.binding.introduced import Links, Nothing, Thing, circles
from handoff_lsp.text import Span

NO_SPAN = Span(0, 0)


def thing(name: str, *after: str) -> Thing:
    return Thing(name, NO_SPAN, after)


def test_a_name_that_comes_after_itself() -> None:
    assert Nothing().circles([thing("a", "a")]) == (("a", "a", ("a",)),)
    assert Nothing().circles([thing("a", "b"), thing("b")]) == ()


def test_the_document_counts_as_it_is_now() -> None:
    links = Links({"one": [thing("a", "b")], "two": [thing("b", "a")]})
    assert circles(links, "one", [thing("a", "b")]) == (("a", "b", ("b", "a")),)
    assert circles(links, "one", [thing("a")]) == ()
    assert circles(links, "three", [thing("c", "a")]) == (), "it only leads to a circle"


def test_exactly_the_references_that_lead_back() -> None:
    """Against the plain definition, on random graphs."""
    chance = random.Random(3)
    for _ in range(300):
        names = [f"n{number}" for number in range(chance.randint(1, 7))]
        things = [thing(name, *chance.choices(names, k=chance.randint(0, 2))) for name in names]
        documents = {name: [one] for name, one in zip(names, things, strict=True)}
        after = {one.name: one.after for one in things}
        for own in things:
            found = circles(Links(documents), own.name, [own])
            assert {(name, other) for name, other, _ in found} == {
                (own.name, other) for other in own.after if own.name in _reached(after, other)
            }
            for name, other, way in found:
                assert (way[0], way[-1]) == (other, name)
                assert all(to in after[one] for one, to in itertools.pairwise(way))


def _reached(after: dict[str, tuple[str, ...]], start: str) -> set[str]:
    seen, left = {start}, [start]
    while left:
        for other in after.get(left.pop(), ()):
            if other not in seen:
                seen.add(other)
                left.append(other)
    return seen


def test_a_chain_of_many_is_no_recursion_and_takes_no_time() -> None:
    chain = [thing(f"n{number}", f"n{number + 1}") for number in range(50_000)]
    with at_most(5):
        assert circles(Links({"one": chain}), "one", chain) == ()
        (found,) = circles(Links({"one": chain}), "two", [thing("n50000", "n49999", "n0")])[1:]
    assert len(found[2]) == 50_001
