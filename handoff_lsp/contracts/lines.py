"""The text of lines of CEL, and of messages with CEL in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from handoff_lsp.contracts.growth import STRING, without_strings
from handoff_lsp.contracts.stated import Stated
from handoff_lsp.text.lazy import lazy_pattern

_WORD = lazy_pattern(r"[A-Za-z_]\w*")
# CEL copies the list so far for each item that these add: 8,000 items take seconds.
_COPIES = lazy_pattern(r"\.(?:filter|map)\(")
_FIRST = lazy_pattern(r"!?([A-Za-z_]\w*)\b(?!\s*\()")
_TOKEN = lazy_pattern(rf"{STRING.pattern}|//|&&|\|\||[()\[\]{{}}?]", re.DOTALL)
_SIZE = lazy_pattern(r"(?<![\w.])size\(\s*([A-Za-z_]\w*)\s*\)")


def names_in(*lines: str) -> frozenset[str]:
    """The words in lines of CEL or messages: a superset of the names that they use."""
    return frozenset().union(*map(_words, lines))


def names_of(line: str) -> frozenset[str]:
    """The words in a line of CEL outside its strings. `names_in` also returns those inside, as in a pattern."""
    return line.roots if isinstance(line, Stated) else _bare_words(line)


@lru_cache(maxsize=2048)
def _bare_words(line: str) -> frozenset[str]:
    return _words(without_strings(line))


@lru_cache(maxsize=2048)
def _words(line: str) -> frozenset[str]:
    return frozenset(_WORD.findall(line))


@lru_cache(maxsize=2048)
def copies(line: str) -> bool:
    """Whether CEL copies lists for a line."""
    return _COPIES.search(line) is not None


@lru_cache(maxsize=2048)
def first_name(line: str) -> str:
    """The first name of a line, if the line has no value without it; empty if an `&&` or `||` could skip it."""
    first, signs = _FIRST.match(without_strings(line)), signs_in(line)
    skips = signs is None or any(sign in {"&&", "||"} for sign, _ in signs)
    return first[1] if first is not None and not skips else ""


def signs_in(line: str) -> list[tuple[str, int]] | None:
    """Each `&&`, `||` and `?` outside brackets, with its offset in code points.

    None with a comment or a bracket that is not paired.
    """
    depth = 0
    found: list[tuple[str, int]] = []
    for token in _TOKEN.finditer(line):
        text = token[0]
        if text == "//":
            return None
        depth += 1 if text in {"(", "[", "{"} else -1 if text in {")", "]", "}"} else 0
        if depth < 0:
            return None
        if not depth and text in {"&&", "||", "?"}:
            found.append((text, token.start()))
    return found if not depth else None


@lru_cache(maxsize=2048)
def members(line: str, name: str) -> frozenset[str]:
    """The members of an object that a line reads; none if it may read more, such as the object as a whole."""
    found = re.findall(rf"\b{name}\b(?:\.([A-Za-z_]\w*)\b(?!\s*\())?", line)
    return frozenset(found) if all(found) else frozenset()


@lru_cache(maxsize=2048)
def only_sized(line: str) -> frozenset[str]:
    """The names in a line that are nowhere but in `size(…)`."""
    bare = without_strings(line)
    return frozenset(_SIZE.findall(bare)) - _words(_SIZE.sub("", bare))


def split_message(message: str) -> Iterator[tuple[bool, str]]:
    """A message's parts in order: (True, literal text) and (False, CEL expression)."""
    for index, part in enumerate(re.split(r"\{([^{}]*)\}", message)):
        if part:
            yield index % 2 == 0, part
