"""The size of the value of a line of CEL: terms that double one another thirty times would fill any memory.

It is bounded when a contract is read, by the terms alone, and when a line is evaluated, by the given values.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from handoff_lsp.contracts.cel_functions import FUNCTIONS
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# The largest value of a term by the contract alone, in characters.
MAX_TERM = 1_000_000
# The largest value of one line for a handoff, and of all terms of a contract together: characters and items.
MAX_GROWN = 20_000_000
# CEL iterates over no more items than this for one line.
_MOST_ITEMS = 10_000

_STRING = r"[rRbB]{0,2}(?:'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\"|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
STRING = lazy_pattern(_STRING, re.DOTALL)
_STRING_OR_COMMENT = lazy_pattern(rf"//[^\n]*|({_STRING})", re.DOTALL)
# A name that is neither a function nor a part of another name.
_NAME = lazy_pattern(r"(?<![\w.])([A-Za-z_]\w*)\b(?!\s*\()")
_WALK = lazy_pattern(r"\.\s*(?:map|filter|all|exists|exists_one)\s*\(")
# Expressions larger than their parts: sums, lists built from others, objects, lists with names in them, and what
# functions of ours make.
_BUILDS = lazy_pattern(
    rf"\.\s*(?:{'|'.join(FUNCTIONS)})\s*\(|"
    r"\+|\.\s*map\s*\(|\{|(?<![\w\])])\s*\[[^\]]*?(?<![\w.])(?!(?:int|uint|double|bool|string|list|map|"
    r"bytes|type|null_type|true|false|null|in)\b)[A-Za-z_]"
)


class _Shape(NamedTuple):
    """The parts of a CEL line that determine its value's size: ``names``, once for each use."""

    builds: bool
    walks: bool
    names: Mapping[str, int]


@lru_cache(maxsize=2048)
def _shape(line: str) -> _Shape:
    bare = without_strings(line)
    return _Shape(_BUILDS.search(bare) is not None, _WALK.search(bare) is not None, Counter(_NAME.findall(bare)))


def has_bounds(line: str) -> bool:
    """Whether a line can be too much for some values: it iterates over a list, or builds a larger value."""
    shape = _shape(line)
    return shape.walks or shape.builds


def builds(line: str) -> bool:
    """Whether a line may build a larger value than those that it is given."""
    return _shape(line).builds


def without_strings(line: str) -> str:
    """A line of CEL with empty strings and no comments. A quote in a comment starts no string."""
    if not any(sign in line for sign in ("'", '"', "//")):
        return line
    return _STRING_OR_COMMENT.sub(lambda found: "''" if found[1] else "", line)


def oversized(terms: Mapping[str, str]) -> str | None:
    """The first term with a value that can exceed ``MAX_TERM`` characters by the contract alone; None without one."""
    sizes: dict[str, int] = {}
    for name, line in terms.items():
        shape = _shape(line)
        known = [(sizes[other], often) for other, often in shape.names.items() if other in sizes]
        largest = max((size for size, _ in known), default=0)
        if shape.builds:
            # A variable of an iteration may be as large as the whole list.
            others = sum(often for other, often in shape.names.items() if other not in sizes) if shape.walks else 0
            sizes[name] = len(line) + sum(size * often for size, often in known) + largest * others
        else:
            sizes[name] = max(len(line), largest)
        if sizes[name] > MAX_TERM:
            return name
    return None


def grown(line: str, data: Mapping[str, Any]) -> int:
    """The most characters and items that a line can build from the given values; 0 if it builds nothing larger."""
    shape = _shape(line)
    if not shape.builds:
        return 0
    spoken_of = {name: data[name] for name in shape.names if name in data}
    sizes = {name: size_of(value) for name, value in spoken_of.items()}
    total = len(line) + sum(size * shape.names[name] for name, size in sizes.items())
    if shape.walks:
        # The list may be written in the line, or be in one of the values.
        items = max([line.count(","), *(_longest(value) for value in spoken_of.values())])
        others = sum(often for name, often in shape.names.items() if name not in data)
        total = total * (1 + others) + total * min(items, _MOST_ITEMS)
    return total


def size_of(value: Any) -> int:
    """The characters and items in a value."""
    total = 0
    for one in _parts(value):
        total += 1
        if isinstance(one, str):
            total += len(one)
        elif isinstance(one, Mapping):
            total += sum(map(len, one))
    return total


def _longest(value: Any) -> int:
    """The number of items of the longest list or object in a value."""
    return max((len(one) for one in _parts(value) if isinstance(one, (list, Mapping))), default=0)


def _parts(value: Any) -> Iterator[Any]:
    """A value and all that is in it, without recursion."""
    stack = [value]
    while stack:
        one = stack.pop()
        yield one
        if isinstance(one, (list, Mapping)):
            stack += one.values() if isinstance(one, Mapping) else one
