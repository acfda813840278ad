"""The `&&`, `||` and `!` between the parts of a line of CEL.

A part that is a name has a value without CEL, and where one part decides, the others are not evaluated.
"""

from __future__ import annotations

from collections.abc import Container
from itertools import pairwise
from typing import Literal

from handoff_lsp.contracts.lines import signs_in
from handoff_lsp.text.named_tuple import NamedTuple


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
    signs = signs_in(line)
    found = {text for text, _ in signs or ()}
    if signs is None or "?" in found:
        return Logic(line, "cel")
    if found:
        return _joined(line, "||" if "||" in found else "&&", signs, names)
    bare = line.strip()
    inner = bare.removeprefix("!").strip()
    if inner.startswith("(") and inner.endswith(")") and signs_in(inner[1:-1]) is not None:
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
