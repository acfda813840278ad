"""Functions on texts and lists that conditions have beside CEL's own, as CEL's extensions define them.

They are ours because those of the library build texts without a bound: ten of `replace` in a row make gigabytes. What
they read and build for one line is counted.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal

from handoff_lsp.text.named_tuple import NamedTuple

# The most characters that the functions of one line may read and build, where an item of a list is as many as these.
MAX_WORK = 20_000_000
_ITEM = 20
# The most items of a list that one makes: CEL iterates over no more for one line.
MAX_ITEMS = 10_000
_FLATTENED = 1

Type = Literal["text", "number", "list"]


class TooMuch(ValueError):
    """The functions of a line would read or build too much."""


class Way(NamedTuple):
    """One way to call a function: the types of the value before the dot and of its arguments, and that of its own."""

    takes: tuple[Type, ...]
    gives: Type
    make: Callable[..., Any]


class _Work(threading.local):
    """The work of the line that is being evaluated."""

    done = 0
    most = MAX_ITEMS
    over = False


_work = _Work()


def begin(done: int = 0, most: int = MAX_ITEMS) -> None:
    """Begin to count for a line, after some work for others. ``most``: the most items of a list that it may make."""
    _work.done, _work.most, _work.over = done, most, False


def done() -> int:
    """The work so far."""
    return _work.done


def gave_up() -> bool:
    """Whether the functions of the line were too much work."""
    return _work.over


def _count(*values: Any) -> None:
    for value in values:
        _work.done += len(value) if isinstance(value, str) else _ITEM * len(value) if isinstance(value, list) else 1
    _work.done += 1
    if _work.done > MAX_WORK:
        _work.over = True
        raise TooMuch("too much work")


def _counted(make: Callable[..., Any]) -> Callable[..., Any]:
    def counted(*given: Any) -> Any:
        _count(*given)
        made = make(*given)
        if isinstance(made, list) and len(made) > _work.most:
            _work.done += MAX_WORK
        _count(made)
        return made

    return counted


def _split(text: str, separator: str, most: int = -1) -> list[str]:
    if most == 0:
        return []
    if not separator:
        return list(text) if most < 0 or most >= len(text) else [*text[: most - 1], text[most - 1 :]]
    return text.split(separator, most - 1 if most > 0 else -1)


def _join(items: list[Any], separator: str = "") -> str:
    if any(not isinstance(item, str) for item in items):
        raise ValueError("only texts can be joined")
    _count("", *items)
    _work.done += len(separator) * len(items)
    _count()
    return separator.join(items)


def _replace(text: str, old: str, new: str, most: int = -1) -> str:
    places = text.count(old) if most < 0 else min(text.count(old), most)
    _work.done += places * len(new)
    _count()
    return text.replace(old, new, most)


def _substring(text: str, start: int, end: int | None = None) -> str:
    end = len(text) if end is None else end
    if not 0 <= start <= end <= len(text):
        raise ValueError("outside the text")
    return text[start:end]


def _char_at(text: str, at: int) -> str:
    if not 0 <= at <= len(text):
        raise ValueError("outside the text")
    return text[at : at + 1]


def _index_of(text: str, wanted: str, start: int = 0) -> int:
    if not 0 <= start <= len(text):
        raise ValueError("outside the text")
    return text.find(wanted, start)


def _last_index_of(text: str, wanted: str) -> int:
    return text.rfind(wanted)


def _ascii(text: str, change: Callable[[str], str]) -> str:
    return "".join(change(char) if char.isascii() else char for char in text)


def _key(value: Any) -> Any:
    """A value by which equal ones are found: CEL's `1` is `1.0`, but not `true`."""
    if isinstance(value, list):
        return ("list", *map(_key, value))
    if isinstance(value, Mapping):
        return ("map", frozenset((_key(name), _key(inner)) for name, inner in value.items()))
    return (isinstance(value, bool), value)


def _distinct(items: list[Any]) -> list[Any]:
    found: dict[Any, Any] = {}
    for item in items:
        if isinstance(item, list | Mapping):
            _count(*_all_in(item))
        found.setdefault(_key(item), item)
    return list(found.values())


def _all_in(value: Any) -> Iterator[Any]:
    stack = [value]
    while stack:
        one = stack.pop()
        yield one
        if isinstance(one, list | Mapping):
            stack += one.values() if isinstance(one, Mapping) else one


def _sort(items: list[Any]) -> list[Any]:
    kinds = {str if isinstance(item, str) else bool if isinstance(item, bool) else float for item in items}
    if len(kinds) > 1 or any(not isinstance(item, str | int | float) for item in items):
        raise ValueError("only texts, or only numbers, can be sorted")
    _count(*items)
    return sorted(items)


def _flatten(items: list[Any], depth: int = _FLATTENED) -> list[Any]:
    if depth < 0:
        raise ValueError("a depth below 0")
    found = items
    for _ in range(min(depth, 100)):
        if not any(isinstance(item, list) for item in found):
            break
        _count(*(item for item in found if isinstance(item, list)))
        found = [inner for item in found for inner in (item if isinstance(item, list) else [item])]
    return found


def _slice(items: list[Any], start: int, end: int) -> list[Any]:
    if not 0 <= start <= end <= len(items):
        raise ValueError("outside the list")
    return items[start:end]


class Function(NamedTuple):
    """A function with its description and the ways to call it."""

    about: str
    ways: tuple[Way, ...]


def _of(about: str, *ways: tuple[tuple[Type, ...], Type, Callable[..., Any]]) -> Function:
    return Function(about, tuple(Way(takes, gives, _counted(make)) for takes, gives, make in ways))


FUNCTIONS: Final[Mapping[str, Function]] = {
    "split": _of(
        "The parts of a text between separators: `text.split(', ')`.",
        (("text", "text"), "list", _split),
        (("text", "text", "number"), "list", _split),
    ),
    "join": _of(
        "The texts of a list as one text, optionally with a separator: `list.join(', ')`.",
        (("list",), "text", _join),
        (("list", "text"), "text", _join),
    ),
    "lowerAscii": _of("A text in lower case (A to Z).", (("text",), "text", lambda text: _ascii(text, str.lower))),
    "upperAscii": _of("A text in upper case (A to Z).", (("text",), "text", lambda text: _ascii(text, str.upper))),
    "trim": _of("A text without surrounding blanks.", (("text",), "text", str.strip)),
    "replace": _of(
        "A text with every occurrence of a part replaced, or the first N: `text.replace('-', ' ')`.",
        (("text", "text", "text"), "text", _replace),
        (("text", "text", "text", "number"), "text", _replace),
    ),
    "substring": _of(
        "A text from one position to the end, or to a second position: `text.substring(0, 3)`.",
        (("text", "number"), "text", _substring),
        (("text", "number", "number"), "text", _substring),
    ),
    "charAt": _of("The character at a position of a text: `text.charAt(0)`.", (("text", "number"), "text", _char_at)),
    "indexOf": _of(
        "The first position of a part in a text, -1 if absent: `text.indexOf('-')`.",
        (("text", "text"), "number", _index_of),
        (("text", "text", "number"), "number", _index_of),
    ),
    "lastIndexOf": _of(
        "The last position of a part in a text, -1 if absent.", (("text", "text"), "number", _last_index_of)
    ),
    "distinct": _of("A list without repeated items.", (("list",), "list", _distinct)),
    "sort": _of("A list of texts or numbers in order.", (("list",), "list", _sort)),
    "flatten": _of(
        "A list with the items of its nested lists: `list.flatten()`.",
        (("list",), "list", _flatten),
        (("list", "number"), "list", _flatten),
    ),
    "slice": _of(
        "The items of a list from one position up to another: `list.slice(0, 2)`.",
        (("list", "number", "number"), "list", _slice),
    ),
    "reverse": _of(
        "A text or a list in reverse order.",
        (("text",), "text", lambda text: text[::-1]),
        (("list",), "list", lambda items: items[::-1]),
    ),
}
# Functions that give items of the list before the dot.
SAME_ITEMS: Final = frozenset({"distinct", "sort", "slice", "reverse"})
