"""One walk over a contract: every text that refers to something, by the annotations of ``model``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from handoff_lsp.contracts.model import Reference
from handoff_lsp.contracts.problems import KeyPath
from handoff_lsp.contracts.stated import PATH_RELATIONS, PATTERN_RELATIONS, Derived, Stated
from handoff_lsp.text.named_tuple import NamedTuple


class Found(NamedTuple):
    """A text of a contract that refers to something.

    ``path`` leads to it from the root; ``is_key``: it is the last key there, not the value. ``kind`` is that of the
    annotation. ``owners`` are the objects that it is in, the innermost last. Of a value in a condition as data,
    ``about`` is the path of what is compared with it, and ``value`` the value of which ``text`` is the text; of a path
    there, ``value`` is all that it is compared with.
    """

    path: KeyPath
    kind: str
    text: str
    owners: tuple[Any, ...]
    is_key: bool = False
    about: str = ""
    value: Any = None


def references(part: Any, path: KeyPath = (), leave: frozenset[str] = frozenset()) -> Iterator[Found]:
    """Every reference in a part of a contract, in the order of the model's attributes.

    Empty texts refer to nothing. ``leave``: attributes of the part itself that are passed over.
    """
    stack: list[tuple[KeyPath, Any, Any, tuple[Any, ...]]] = []
    _push(stack, part, path, (), leave)
    while stack:
        where, kind, value, owners = stack.pop()
        if isinstance(kind, _Leaf):
            yield from texts_of(where, kind.reference, value, owners)
        elif isinstance(kind, _List):
            stack += [((*where, index), kind.item, each, owners) for index, each in reversed(list(enumerate(value)))]
        elif isinstance(kind, _Map):
            if kind.key is not None:
                for key in value:
                    yield Found((*where, key), kind.key.reference, key, owners, True)
            if kind.value is not None:
                stack += [((*where, key), kind.value, each, owners) for key, each in reversed(value.items())]
        else:
            _push(stack, value, where, owners, frozenset())


def texts_of(where: KeyPath, kind: str, value: Any, owners: tuple[Any, ...], about: str = "") -> Iterator[Found]:
    """The references in a value of a kind: a text, values of a list, the paths and values of a condition as data."""
    if isinstance(value, Stated) and value.data is not None:
        for path, asked in value.data.items():
            yield Found((*where, path), "value path", path, owners, True, value=asked)
            relations = asked if isinstance(asked, dict) else {"": asked}
            for relation, operand in relations.items():
                inner = "value path" if relation in PATH_RELATIONS else "compared value"
                inner = "pattern" if relation in PATTERN_RELATIONS else inner
                at = (*where, path, relation) if relation else (*where, path)
                yield from texts_of(at, inner, operand, owners, path)
    elif isinstance(value, list):
        for index, one in enumerate(value):
            yield from texts_of((*where, index), kind, one, owners, about)
    elif kind == "compared value" or (kind == "value path" and isinstance(value, int | float)):
        if value is not None:
            yield Found(where, "compared value", str(value), owners, about=about, value=value)
    elif isinstance(value, str) and value and not isinstance(value, Derived):
        yield Found(where, kind, value, owners, about=about)


class _Leaf(NamedTuple):
    reference: str


class _List(NamedTuple):
    item: Any


class _Map(NamedTuple):
    key: _Leaf | None
    value: Any


class _Object(NamedTuple):
    of: type[Any]


def _push(stack: list[Any], part: Any, path: KeyPath, owners: tuple[Any, ...], leave: frozenset[str]) -> None:
    inside = (*owners, part)
    owner: Any = type(part)
    for name, kind in reversed(_plan(owner)):
        value = getattr(part, name)
        if (value or isinstance(value, Stated)) and name not in leave:  # one without a value is an empty text
            stack.append(((*path, name), kind, value, inside))


@cache
def _plan(owner: Any) -> tuple[tuple[str, Any], ...]:
    """The attributes of a class in which there may be references, each with their places in its value."""
    hints = hints_of(owner)
    found = ((each.name, _kind(hints[each.name])) for each in fields(owner))
    return tuple((name, kind) for name, kind in found if kind is not None)


@cache
def hints_of(owner: Any) -> dict[str, Any]:
    """The types of a class's attributes, with their annotations."""
    return get_type_hints(owner, include_extras=True)


def _kind(hint: Any) -> Any:
    """The place of references in values of a type; None without any."""
    if get_origin(hint) is Annotated:
        found = next((each for each in get_args(hint) if isinstance(each, Reference)), None)
        return _Leaf(str(found)) if found is not None else None
    inner = get_args(hint)
    if get_origin(hint) is list:
        item = _kind(inner[0])
        return _List(item) if item is not None else None
    if get_origin(hint) is dict:
        key, value = _kind(inner[0]), _kind(inner[1])
        return _Map(key, value) if key is not None or value is not None else None
    if is_dataclass(hint) and isinstance(hint, type):
        return _Object(hint)
    return next((kind for kind in map(_kind, inner) if kind is not None), None)


def hint_at(owner: type[Any], path: KeyPath) -> Any:
    """The type of the value at a path of a contract's data; None where the model has none, as below a text."""
    hint: Any = owner
    for part in path:
        many = isinstance(part, int)
        hint = next((one for one in options(hint) if _holds_parts(one, many)), None)
        if hint is None:
            return None
        inner = get_args(hint)
        hint = inner[-1] if inner else hints_of(hint).get(str(part))
    return hint


def _holds_parts(hint: Any, many: bool) -> bool:
    return get_origin(hint) is list if many else is_dataclass(hint) or get_origin(hint) is dict


def options(hint: Any) -> tuple[Any, ...]:
    """The types of a union, or the type itself; without annotations."""
    if get_origin(hint) is Annotated:
        return options(get_args(hint)[0])
    if get_origin(hint) in {None, list, dict, Literal}:
        return (hint,)
    return tuple(option for one in get_args(hint) for option in options(one))


def owner_of(hint: Any) -> type[Any] | None:
    """The class of a mapping with keys of the language; None for a value of another type."""
    return next((one for one in options(hint) if is_dataclass(one) and isinstance(one, type)), None)


def is_required(attribute: Field[Any]) -> bool:
    """Whether the key of an attribute must be there."""
    return attribute.default is MISSING and attribute.default_factory is MISSING
