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
    """A line, or a part of it: ``parts`` with a ``sign`` between them, or else a text: a name or CEL.

    The parts are in the order of their cost: names first, and all CEL in one part at the end. CEL's `&&` and `||` have
    the same value in any order.
    """

    text: str
    kind: Literal["name", "cel", "&&", "||"]
    negated: bool = False
    parts: tuple[Logic, ...] = ()

    @property
    def cost(self) -> int:
        """0 if it consists of names, 2 if it is CEL, 1 if it has both."""
        if self.parts:
            return 1 if any(part.cost for part in self.parts) else 0
        return 2 if self.kind == "cel" else 0


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
    at = [-2, *(start for text, start in signs if text == sign), len(line)]
    parts = [logic_of(line[start + 2 : end], names) for start, end in pairwise(at)]
    in_cel = [part.text for part in parts if part.kind == "cel"]
    if len(in_cel) == len(parts):
        return Logic(line, "cel")
    others = sorted((part for part in parts if part.kind != "cel"), key=lambda part: part.cost)
    return Logic(line, sign, False, (*others, *([Logic(sign.join(in_cel).strip(), "cel")] if in_cel else [])))


def _signs(line: str) -> list[tuple[str, int]] | None:
    """Each `&&`, `||` and `?` outside brackets, and its offset; None with a comment or a bracket that is not paired."""
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
