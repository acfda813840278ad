"""A named tuple whose class is made sooner is as one of `typing`."""

from __future__ import annotations

import copy
import inspect
import pickle
import typing
from collections.abc import Callable
from typing import Any

import pytest

from handoff_lsp.text.named_tuple import NamedTuple


class Sooner(NamedTuple):
    """An example."""

    name: str
    size: int = 3
    tags: tuple[str, ...] = ()

    @property
    def twice(self) -> int:
        return self.size * 2

    @classmethod
    def of(cls, name: str) -> Sooner:
        return cls(name)

    def __str__(self) -> str:
        return f"{self.name}!"


class Usual(typing.NamedTuple):
    """An example."""

    name: str
    size: int = 3
    tags: tuple[str, ...] = ()

    @property
    def twice(self) -> int:
        return self.size * 2

    @classmethod
    def of(cls, name: str) -> Usual:
        return cls(name)

    def __str__(self) -> str:
        return f"{self.name}!"


class Derived(Sooner):
    """A class that extends one."""


QUESTIONS: dict[str, Callable[[Any], object]] = {
    "one argument": lambda cls: cls("a"),
    "all arguments": lambda cls: cls("a", tags=("x",), size=4),
    "no argument": lambda cls: cls(),
    "one too many": lambda cls: cls("a", 1, (), 2),
    "an unknown one": lambda cls: cls("a", other=1),
    "methods": lambda cls: (cls.of("a").twice, str(cls("a"))),
    "its form in a log": lambda cls: repr(cls("a")).partition("(")[2],
    "a tuple": lambda cls: (cls("a") == ("a", 3, ()), hash(cls("a")) == hash(("a", 3, ())), cls("b") > cls("a", 5)),
    "a copy with changes": lambda cls: cls("a")._replace(size=7),
    "of a list": lambda cls: cls._make(["a", 1, ()]),
    "a dictionary": lambda cls: cls("a")._asdict(),
    "fields": lambda cls: (cls._fields, cls._field_defaults, cls.__match_args__, cls.__slots__),
    "nothing beside its fields": lambda cls: setattr(cls("a"), "other", 1),
    "unchangeable": lambda cls: setattr(cls("a"), "name", "b"),
    "words": lambda cls: (cls.__doc__, cls.__module__, cls.__qualname__.lower() == cls.__name__.lower()),
    "signature": lambda cls: [(each.name, each.default) for each in inspect.signature(cls).parameters.values()],
    "types": lambda cls: typing.get_type_hints(cls),
    "pickled": lambda cls: pickle.loads(pickle.dumps(cls("a"))),
    "copied": lambda cls: copy.deepcopy(cls("a", 1, ("x",))),
}


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_as_one_of_typing(question: Callable[[Any], object]) -> None:
    def answer(cls: type) -> object:
        try:
            return question(cls)
        except (TypeError, AttributeError) as error:
            return type(error), str(error).replace(cls.__name__, "")

    assert answer(Sooner) == answer(Usual)


def test_a_class_that_extends_one() -> None:
    assert (Derived("a").twice, type(Derived("a")._replace(size=1))) == (6, Derived)
