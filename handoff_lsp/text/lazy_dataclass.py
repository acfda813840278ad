"""Dataclasses whose methods are generated at their first use: Python takes half a millisecond for those of a class.

A short run of the command needs few of them. Apart from the time, nothing differs: `dataclasses` itself makes the
methods.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

__all__ = ["lazy_dataclass"]

# What an instance needs, and what else a dataclass may have.
_FIRST = ("__init__", "__match_args__", "__dataclass_fields__")
_OTHERS = ("__repr__", "__eq__", "__dataclass_params__")
_ORDERED = ("__lt__", "__le__", "__gt__", "__ge__")
# The options of a dataclass with nothing but the first.
_NO_OTHERS = {"repr": False, "eq": False, "order": False, "unsafe_hash": False}


class Later:
    """An attribute of a class that is made at its first use, with all others of the class that are made later."""

    def __init__(self, name: str, complete: Callable[[], None]) -> None:
        self._name = name
        self._complete = complete

    def __get__(self, one: Any, owner: type) -> Any:
        self._complete()
        return getattr(owner if one is None else one, self._name)


def _lazy_dataclass(cls: type | None = None, /, *, slots: bool = False, **options: bool) -> Any:
    """As ``dataclasses.dataclass``."""
    if cls is None:
        return lambda it: _lazy_dataclass(it, slots=slots, **options)
    given = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
    given["__qualname__"] = cls.__qualname__
    own = dict(given)
    names = [name for name, kind in given.get("__annotations__", {}).items() if not kind.startswith("ClassVar")]
    for name in names:
        default = own.pop(name, dataclasses.MISSING)
        if isinstance(default, dataclasses.Field):
            default = default.default
        if not slots and default is not dataclasses.MISSING:
            own[name] = default
    frozen, eq = options.get("frozen", False), options.get("eq", True)
    others = [*_OTHERS, *(_ORDERED if options.get("order") else ())]
    if eq and "__hash__" not in given:
        if frozen or options.get("unsafe_hash"):
            others.append("__hash__")
        else:
            own["__hash__"] = None
    if frozen:
        own |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
    if slots:
        inherited = {name for base in cls.__mro__[1:] for name in getattr(base, "__slots__", ())}
        own["__slots__"] = tuple(name for name in names if name not in inherited)
        if frozen:
            own |= {"__getstate__": _state, "__setstate__": _set_state}

    def complete(names: Sequence[str], options: Mapping[str, bool]) -> None:
        source: Any = dataclasses.dataclass(**options)(type(cls.__name__, cls.__bases__, dict(given)))
        for name in names:
            setattr(made, name, getattr(source, name))

    for few, chosen in ((_FIRST, {**options, **_NO_OTHERS}), (others, options)):
        missing = [name for name in few if name not in given and options.get(name.strip("_"), True)]
        own |= {name: Later(name, partial(complete, missing, chosen)) for name in missing}
    made = type(cls)(cls.__name__, cls.__bases__, own)
    return made


def _refuse_to_set(one: Any, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(one: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(one: Any) -> list[Any]:
    return [getattr(one, each.name) for each in dataclasses.fields(one)]


def _set_state(one: Any, state: list[Any]) -> None:
    for each, value in zip(dataclasses.fields(one), state, strict=True):
        object.__setattr__(one, each.name, value)


if TYPE_CHECKING:
    from dataclasses import dataclass as lazy_dataclass
else:
    lazy_dataclass = _lazy_dataclass
