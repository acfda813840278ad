"""The figures of a run, as they are kept in `docs/speed.json`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from statistics import median
from typing import TypedDict


class Figure(TypedDict):
    """The median, the 95th percentile and the least of some runs: milliseconds, or megabytes for memory."""

    median: float
    p95: float
    least: float
    runs: int


Row = dict[str, Figure]  # by the program's name
Table = dict[str, Row]  # by the row's name


class Part(TypedDict):
    """The tables of one part, and the circumstances of its run."""

    date: str
    load: str
    commit: str
    commands: dict[str, list[str]]
    tables: dict[str, Table]


class Data(TypedDict):
    """All figures."""

    machine: dict[str, str]
    versions: dict[str, str]
    parts: dict[str, Part]


def figure(values: Iterable[float]) -> Figure:
    """The figure of some measured values."""
    ordered = sorted(values)
    high = ordered[min(int(len(ordered) * 0.95), len(ordered) - 1)]
    return Figure(median=round(median(ordered), 2), p95=round(high, 2), least=round(ordered[0], 2), runs=len(ordered))


def by_turns(runs: dict[str, Callable[[], float]], rounds: int, warm: int = 1) -> Row:
    """Run each in turn for some rounds, after some that do not count."""
    values: dict[str, list[float]] = {name: [] for name in runs}
    for number in range(rounds + warm):
        for name, run in runs.items():
            value = run()
            if number >= warm:
                values[name].append(value)
    return {name: figure(found) for name, found in values.items()}
