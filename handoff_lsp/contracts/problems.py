"""The problems of one file, a contract or a config: their places, their words, and the limit on their number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate, islice, takewhile
from typing import Any, Protocol, Self, TypeVar

from handoff_lsp.contracts.names import nearest

# The most problems of one file to report; the search stops there.
MOST_PROBLEMS = 100

# Only so many names are compared with an unknown one, and fewer letter by letter, of so many letters together.
MOST_COMPARED, _MOST_MEASURED, _MOST_LETTERS = 1_000, 200, 4_000
# All names are listed if there are no more than this, and none is similar.
_MOST_LISTED = 10
# The most characters of a text in a message.
_LONGEST_TEXT = 40

# The place of a problem in a file of nested tables and lists: names and indexes from the top.
KeyPath = tuple[str | int, ...]


def leads_on(node: Any, step: str | int) -> bool:
    """Whether a mapping or list of a file's data has something at a key or index."""
    if isinstance(node, list):
        return isinstance(step, int) and 0 <= step < len(node)
    return isinstance(node, dict) and step in node


def mapping_at(data: Any, path: KeyPath) -> dict[str, Any]:
    """The mapping at a path of a file's data; an empty one without it."""
    for step in path:
        if not leads_on(data, step):
            return {}
        data = data[step]
    return data if isinstance(data, dict) else {}


class _Problem(Protocol):
    def _replace(self, *, message: str) -> Self: ...


_AnyProblem = TypeVar("_AnyProblem", bound=_Problem)


def first_problems(problems: Iterator[_AnyProblem]) -> list[_AnyProblem]:
    """The first problems of a file; if there are more, the last item says so."""
    first = list(islice(problems, MOST_PROBLEMS + 1))
    if len(first) > MOST_PROBLEMS:
        first[-1] = first[-1]._replace(message=f"more problems follow; only {MOST_PROBLEMS} are reported")
    return first


def unknown(what: str, name: str, known: Iterable[str], of: str = "") -> str:
    """The message for a name that does not exist: with the likely one, or else with all of them if they are few."""
    names = list(dict.fromkeys(islice(known, MOST_COMPARED)))
    end = did_you_mean(name, names)
    if not end and 0 < len(names) <= _MOST_LISTED:
        end = f"; known are {listed(names)}"
    return f"unknown {what} `{name}`{of}{end}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a message with the likely name; empty if no name is similar."""
    names = list(dict.fromkeys(islice(known, MOST_COMPARED)))
    longer = (one for one in names if len(one) == len(name) + 1)
    near = next((one for one in longer if lacks_a_letter(name, one)), None)
    if near is None and len(name) >= 3:
        lower = name.lower()
        begun = [one for one in names if one.startswith(lower)]
        near = begun[0] if len(begun) == 1 else None
    if near is None:
        letters = accumulate(map(len, names))
        measured = takewhile(lambda pair: pair[1] <= _MOST_LETTERS, zip(names[:_MOST_MEASURED], letters, strict=False))
        near = nearest(name, [one for one, _ in measured], cutoff=0.6)
    return f"; did you mean `{near}`?" if near is not None and near != name else ""


def lacks_a_letter(name: str, other: str) -> bool:
    """Whether dropping one letter of another name gives this one."""
    if not name:
        return False
    at = next((index for index, (one, two) in enumerate(zip(name, other, strict=False)) if one != two), len(name))
    return name[at:] == other[at + 1 :]


def listed(names: Iterable[str]) -> str:
    """Names one after the other, as messages have them."""
    return ", ".join(f"`{name}`" for name in names)


def kind_of(value: Any, mapping: str = "a table") -> str:
    """A wrong value in words. ``mapping``: the word of the file's language for names with values."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    if isinstance(value, str):
        return f'the text "{value if len(value) <= _LONGEST_TEXT else value[: _LONGEST_TEXT - 1] + "…"}"'
    if isinstance(value, dict):
        return mapping
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number"  # Python refuses to write one of thousands of digits
    return f"`{value}`" if isinstance(value, (int, float)) else "a date or time"
