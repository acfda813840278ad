"""Values beyond the limits of their fields."""

from __future__ import annotations

import json
from collections.abc import Iterator

from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.limits import as_written, limited_in, limits_of
from handoff_lsp.contracts.model import Field
from handoff_lsp.text import Span


def beyond_limits(slot: Slot) -> Iterator[tuple[Span, str]]:
    """The places where a slot's value breaks a limit of its field, each with the message."""
    field, data = slot.field, slot.data
    if data is None or slot.problem is not None or not any(limits_of(field)):
        return
    limited = limited_in(field)
    if limited == "number" and isinstance(data, int | float) and not isinstance(data, bool):
        told = _told(data, field, "is", "be", "")
    elif limited == "characters" and isinstance(data, str):
        told = _told(len(data), field, "has", "have", " character")
    elif limited == "items" and isinstance(data, list):
        told = _told(len(data), field, "has", "have", " item")
        yield from _doubled(slot, data)
    else:
        return
    if told:
        yield slot.token or slot.anchor(), f"`{slot.title}` {told}"


def _told(number: float, field: Field, verb: str, must: str, unit: str) -> str:
    """What is wrong with a number; empty if it is within the limits of a field."""
    least, most = field.minimum, field.maximum
    units = unit if number == 1 or not unit else f"{unit}s"
    if least is not None and number < least:
        return f"{verb} {as_written(number)}{units}, but must {must} at least {as_written(least)}"
    if most is not None and number > most:
        return f"{verb} {as_written(number)}{units}, but must {must} at most {as_written(most)}"
    return ""


def _doubled(slot: Slot, data: list[object]) -> Iterator[tuple[Span, str]]:
    seen: set[str] = set()
    for index, item in enumerate(data if slot.field.unique else ()):
        key = json.dumps(item, sort_keys=True, default=str)
        if key in seen:
            place = slot.items[index] if index < len(slot.items) else slot
            yield place.token or place.anchor(), f"`{slot.title}` has this item twice"
        seen.add(key)
