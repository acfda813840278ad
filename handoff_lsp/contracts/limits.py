"""The limits of a field's values: smallest and largest number, number of items, length of texts, no item twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.language import later, say, translated

Limited = Literal["number", "items", "characters", ""]

_WORDS: Mapping[Limited, tuple[str, str, str]] = {
    "number": (later("be at least {}"), later("be at most {}"), later("be {} to {}")),
    "items": (later("have at least {} items"), later("have at most {} items"), later("have {} to {} items")),
    "characters": (
        later("have at least {} characters"),
        later("have at most {} characters"),
        later("have {} to {} characters"),
    ),
}


def limited_in(field: Field) -> Limited:
    """What `minimum` and `maximum` limit in a field's values; empty for a type without limits."""
    kind = field.kind
    if kind.json == "number":
        return "number"
    if kind.holds_items:
        return "items"
    return "characters" if kind.json == "string" and not kind.is_choice and not field.has_groups else ""


@once_per_field
def has_limits(field: Field) -> bool:
    """Whether a field has any."""
    return any(limits_of(field))


def limits_of(field: Field) -> Iterator[str]:
    """The limits of a field, each as the end of "it must …"."""
    words = _WORDS.get(limited_in(field))
    if words is not None:
        yield from _range(field.minimum, field.maximum, *words)
    if field.unique:
        yield say("have no item twice")


def _range(least: float | None, most: float | None, at_least: str, at_most: str, both: str) -> Iterator[str]:
    if least is not None and most is not None:
        yield translated(both).format(as_written(least), as_written(most))
    elif least is not None:
        yield translated(at_least).format(as_written(least))
    elif most is not None:
        yield translated(at_most).format(as_written(most))


def as_written(number: float) -> str:
    """A number as people write it: whole ones without a point."""
    return str(number).removesuffix(".0")
