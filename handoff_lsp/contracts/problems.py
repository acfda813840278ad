"""The problems of one file, be it a contract or a config: where they are, and how many are reported."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Protocol, Self, TypeVar

# Problems of one file beyond these are not even looked for.
MOST_PROBLEMS = 100

# Where a problem is in a file of nested tables and lists: names and numbers from the top.
KeyPath = tuple[str | int, ...]


class _Problem(Protocol):
    def _replace(self, *, message: str) -> Self: ...


_AnyProblem = TypeVar("_AnyProblem", bound=_Problem)


def first_problems(problems: Iterator[_AnyProblem]) -> list[_AnyProblem]:
    """The first problems of a file; if there are more, one further item says so in place of the next."""
    first = list(islice(problems, MOST_PROBLEMS + 1))
    if len(first) > MOST_PROBLEMS:
        first[-1] = first[-1]._replace(message=f"more problems follow; no more than {MOST_PROBLEMS} are told")
    return first
