"""The limits of a field's values: smallest and largest number, number of items, length of texts, no item twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from handoff_lsp.contracts.model import Field

Limited = Literal["number", "items", "characters", ""]

_WORDS: Mapping[Limited, tuple[str, str, str]] = {
    "number": ("be at least {}", "be at most {}", "be {} to {}"),
    "items": ("have at least {} items", "have at most {} items", "have {} to {} items"),
    "characters": ("have at least {} characters", "have at most {} characters", "have {} to {} characters"),
}


def limited_in(field: Field) -> Limited:
    """What `minimum` and `maximum` limit in a field's values; empty for a type without limits."""
    kind = field.kind
    if kind.json == "number":
        return "number"
    if kind.holds_items:
        return "items"
    return "characters" if kind.json == "string" and not kind.is_choice and not field.has_groups else ""


def limits_of(field: Field) -> Iterator[str]:
    """The limits of a field, each as the end of "it must …"."""
    words = _WORDS.get(limited_in(field))
    if words is not None:
        yield from _range(field.minimum, field.maximum, *words)
    if field.unique:
        yield "have no item twice"


def _range(least: float | None, most: float | None, at_least: str, at_most: str, both: str) -> Iterator[str]:
    if least is not None and most is not None:
        yield both.format(as_written(least), as_written(most))
    elif least is not None:
        yield at_least.format(as_written(least))
    elif most is not None:
        yield at_most.format(as_written(most))


def as_written(number: float) -> str:
    """A number as people write it: whole ones without a point."""
    return str(number).removesuffix(".0")
