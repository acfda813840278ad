"""The work of each feature grows with the size of the document and no faster, in every syntax. No clock is asked."""

from __future__ import annotations

import pytest
from growing import DOCUMENTS, lines_run, slope, work_on

# Twice as large each, in characters. A feature that tries its answers out takes long in the second kind.
SIZES = (6_000, 12_000, 24_000, 48_000)
SMALLER = (1_000, 2_000, 4_000, 8_000)
SLOW = ("broken JSON fence", "handoffs")

# The power of the size. Work that is the same for any size is left out.
MOST = 1.1
# Lines that are run more often by chance: one for this many characters.
NEGLIGIBLE = 50


def steepest(name: str, sizes: tuple[int, ...]) -> dict[str, float]:
    """The slope of each feature. A step, such as a cache that is full, is in one of two doublings, growth in both."""
    list(work_on(name, sizes[0], lines_run))  # what is loaded at first use is no growth
    rows: dict[str, list[tuple[int, float]]] = {}
    for size in sizes:
        for feature, length, work in work_on(name, size, lines_run):
            rows.setdefault(feature, []).append((length, work))
    return {
        feature: min(
            slope([length for length, _ in three], [work for _, work in three], three[-1][0] / NEGLIGIBLE)
            for three in (measured[:-1], measured[1:])
        )
        for feature, measured in rows.items()
    }


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_work_grows_with_the_size_and_no_faster(name: str) -> None:
    found = steepest(name, SMALLER if name in SLOW else SIZES)
    assert len(found) > 20  # the check, an edit, the report, and each request of an editor
    assert {feature: round(power, 2) for feature, power in found.items() if power > MOST} == {}


def test_work_that_grows_faster_is_seen() -> None:
    def pairs(number: int) -> int:
        return sum(one == other for one in range(number) for other in range(number))

    sizes = [100, 200, 400]
    assert slope(sizes, [lines_run(lambda: pairs(size)) for size in sizes], 1) > 1.9  # noqa: B023  # called at once
    assert 0.9 < slope(sizes, [lines_run(lambda: [pairs(1) for _ in range(size)]) for size in sizes], 1) < MOST  # noqa: B023
