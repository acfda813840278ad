"""A dataclass whose methods are generated at their first use is as one with all of them."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest

from handoff_lsp.text.lazy_dataclass import lazy_dataclass

OPTIONS: list[dict[str, bool]] = [
    {},
    {"frozen": True},
    {"slots": True},
    {"frozen": True, "slots": True},
    {"eq": False},
    {"order": True},
    {"slots": True, "kw_only": True, "repr": False, "unsafe_hash": True},
]


def _both(options: dict[str, bool]) -> tuple[Any, Any]:
    """The same class, lazy and not."""

    def define(make: Any) -> Any:
        @make(**options)
        class Example:
            """An example."""

            limit: ClassVar[int] = 5
            name: str
            size: int = 3
            tags: list[str] = field(default_factory=list, compare=False, repr=False)

            def __post_init__(self) -> None:
                if self.size < 0:
                    raise ValueError("too small")

            @property
            def twice(self) -> int:
                return self.size * 2

        return Example

    return define(lazy_dataclass), define(dataclass)


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
@pytest.mark.parametrize("first", ["new", "fields", "signature", "replace"])
def test_a_lazy_dataclass_is_one(options: dict[str, bool], first: str) -> None:
    found = []
    for cls in _both(options):
        if first == "fields":
            dataclasses.fields(cls)
        elif first == "signature":
            inspect.signature(cls)
        one, other = cls(name="a"), cls(name="a", size=4, tags=["x"])
        same = dataclasses.replace(one, tags=["y"])
        found.append(
            [
                inspect.signature(cls) == inspect.signature(cls.__init__) or str(inspect.signature(cls)),
                [(each.name, each.type, each.default, each.kw_only) for each in dataclasses.fields(cls)],
                str(cls.__dataclass_params__).partition("slots")[0],
                getattr(cls, "__match_args__", None),
                cls.limit,
                getattr(cls, "__slots__", None),
                hasattr(one, "__dict__"),
                cls.__name__,
                cls.__module__,
                cls.__qualname__,
                cls.__doc__,
                (one.name, one.size, one.tags, one.twice),
                (one == same, one == other, one == object()),
                _outcome(lambda one=one: repr(one).partition("<")[0].rpartition(" at ")[0] or repr(one)[:20]),
                _outcome(lambda one=one, same=same: hash(one) == hash(same)),
                _outcome(lambda one=one, other=other: one < other),
                _outcome(lambda cls=cls: cls()),
                _outcome(lambda cls=cls: cls("a", 2)),
                _outcome(lambda cls=cls: cls(name="a", size=-1)),
                _outcome(lambda cls=cls: cls(name="a", other=1)),
                _outcome(lambda one=one: setattr(one, "size", 7) or one.size),
                _outcome(lambda one=one: delattr(one, "size")),
                dataclasses.asdict(copy.deepcopy(other)),
            ]
        )
    assert found[0] == found[1]


def _outcome(made: Any) -> object:
    try:
        return made() if not dataclasses.is_dataclass(value := made()) else dataclasses.asdict(value)
    except Exception as error:
        return type(error), str(error).partition("(")[0]


@lazy_dataclass(frozen=True, slots=True)
class Base:
    """A class that another one extends."""

    name: str


@lazy_dataclass(frozen=True, slots=True)
class Extended(Base):
    """It has the fields of both."""

    size: int = 1


def test_a_class_may_extend_another() -> None:
    one = Extended("a", 2)
    assert (one.name, one.size, [each.name for each in dataclasses.fields(one)]) == ("a", 2, ["name", "size"])
    assert Extended.__slots__ == ("size",)  # type: ignore[attr-defined]
    assert pickle.loads(pickle.dumps(one)) == one == copy.copy(one)


def test_nothing_is_generated_before_it_is_used() -> None:
    code = "import handoff_lsp.contracts.model as m; print(type(vars(m.Contract)['__init__']).__name__)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "Later"
