"""Patterns mean the same on every Python: before 3.11.5, `(?:…)*+` may keep the text of a failed repetition."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import handoff_lsp
from handoff_lsp.text.lazy import LazyPattern

PARSER: Any = import_module("re._parser")


def patterns() -> Iterator[re.Pattern[str] | LazyPattern]:
    """The patterns of all modules of the package, alone or in a dictionary."""
    for info in pkgutil.walk_packages(handoff_lsp.__path__, "handoff_lsp."):
        if not info.name.endswith("__main__"):
            for value in vars(import_module(info.name)).values():
                inside = value.values() if isinstance(value, dict) else (value,)
                found = (each for each in inside if isinstance(each, re.Pattern | LazyPattern))
                yield from (each for each in found if isinstance(each.pattern, str))


def is_sound(parsed: Any) -> bool:
    """Whether each group that repeats possessively is atomic, `(?>…)*+`, or a single character."""
    for operation, argument in parsed:
        if operation is PARSER.POSSESSIVE_REPEAT:
            body = argument[2]
            if body[0][0] is PARSER.SUBPATTERN:
                body = body[0][1][3]
            if len(body) > 1 or body[0][0] not in {
                PARSER.ATOMIC_GROUP,
                PARSER.ANY,
                PARSER.IN,
                PARSER.LITERAL,
                PARSER.NOT_LITERAL,
            }:
                return False
        parts = argument if isinstance(argument, tuple | list) else [argument]
        inner = [part for each in parts for part in (each if isinstance(each, list) else [each])]
        if not all(is_sound(part) for part in inner if isinstance(part, PARSER.SubPattern)):
            return False
    return True


def test_what_repeats_possessively_is_atomic() -> None:
    found = list(patterns())
    assert len(found) > 100
    assert [each.pattern for each in found if not is_sound(PARSER.parse(each.pattern, each.flags))] == []


def test_the_test_sees_it() -> None:
    assert not is_sound(PARSER.parse(r"a(?:b(?:ab?c)++|d)"))
    assert not is_sound(PARSER.parse(r"(\.[0-9]++)?+"))
    assert is_sound(PARSER.parse(r"a(?:b(?>ab?c)++|d)((?>x[0-9]))?+[ab]*+.?+c++"))
