"""The `&&`, `||` and `!` between the parts of a line of CEL.

A part that is a name has a value without CEL, and where one part decides, the others are not evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Container
from itertools import pairwise
from typing import Literal

from handoff_lsp.contracts.growth import STRING
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

_TOKEN = lazy_pattern(rf"{STRING.pattern}|//|&&|\|\||[()\[\]{{}}?]", re.DOTALL)


class Logic(NamedTuple):
    """A line, or a part of it: a name, CEL, or ``parts`` with the sign ``kind`` between them.

    Of the parts, those of names come first, and all that are CEL are one part at the end: CEL's `&&` and `||` have the
    same value in any order.
    """

    text: str
    kind: Literal["name", "cel", "&&", "||"]
    negated: bool = False
    parts: tuple[Logic, ...] = ()

    @property
    def in_cel(self) -> int:
        """The number of its parts that are CEL."""
        return sum(part.in_cel for part in self.parts) if self.parts else int(self.kind == "cel")


def logic_of(line: str, names: Container[str]) -> Logic:
    """A line by its logic. ``names``: all variables and terms."""
    signs = _signs(line)
    found = {text for text, _ in signs or ()}
    if signs is None or "?" in found:
        return Logic(line, "cel")
    if found:
        return _joined(line, "||" if "||" in found else "&&", signs, names)
    bare = line.strip()
    inner = bare.removeprefix("!").strip()
    if inner.startswith("(") and inner.endswith(")") and _signs(inner[1:-1]) is not None:
        whole = logic_of(inner[1:-1], names)
        return whole._replace(negated=whole.negated != (inner != bare)) if whole.kind != "cel" else Logic(line, "cel")
    return Logic(inner, "name", inner != bare) if inner in names else Logic(line, "cel")


def _joined(line: str, sign: Literal["&&", "||"], signs: list[tuple[str, int]], names: Container[str]) -> Logic:
    size = len(sign)
    at = [-size, *(start for text, start in signs if text == sign), len(line)]
    parts = [logic_of(line[start + size : end], names) for start, end in pairwise(at)]
    in_cel = [part.text for part in parts if part.kind == "cel"]
    if len(in_cel) == len(parts):
        return Logic(line, "cel")
    others = sorted((part for part in parts if part.kind != "cel"), key=lambda part: part.in_cel > 0)
    return Logic(line, sign, False, (*others, *([Logic(sign.join(in_cel).strip(), "cel")] if in_cel else [])))


def _signs(line: str) -> list[tuple[str, int]] | None:
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
