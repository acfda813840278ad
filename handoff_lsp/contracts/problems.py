"""The problems of one file, a contract or a config: their places, and the limit on their number."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Protocol, Self, TypeVar

# The most problems of one file to report; the search stops there.
MOST_PROBLEMS = 100

# The place of a problem in a file of nested tables and lists: names and indexes from the top.
KeyPath = tuple[str | int, ...]


def leads_on(node: Any, step: str | int) -> bool:
    """Whether a mapping or list of a file's data has something at a key or index."""
    if isinstance(node, list):
        return isinstance(step, int) and 0 <= step < len(node)
    return isinstance(node, dict) and step in node


class _Problem(Protocol):
    def _replace(self, *, message: str) -> Self: ...


_AnyProblem = TypeVar("_AnyProblem", bound=_Problem)


def first_problems(problems: Iterator[_AnyProblem]) -> list[_AnyProblem]:
    """The first problems of a file; if there are more, the last item says so."""
    first = list(islice(problems, MOST_PROBLEMS + 1))
    if len(first) > MOST_PROBLEMS:
        first[-1] = first[-1]._replace(message=f"more problems follow; no more than {MOST_PROBLEMS} are told")
    return first
