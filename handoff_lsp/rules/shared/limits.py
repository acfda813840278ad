"""Values beyond the limits of their fields."""

from __future__ import annotations

import json
from collections.abc import Iterator

from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.limits import as_written, has_limits, limited_in
from handoff_lsp.language import say, say_count
from handoff_lsp.text import Span


def beyond_limits(slot: Slot) -> Iterator[tuple[Span, str]]:
    """The places where a slot's value breaks a limit of its field, each with the message."""
    field, data = slot.field, slot.data
    if data is None or slot.problem is not None or not has_limits(field):
        return
    limited = limited_in(field)
    if limited == "number" and isinstance(data, int | float) and not isinstance(data, bool):
        told = _number(slot, data)
    elif limited == "characters" and isinstance(data, str):
        told = _length(slot, len(data))
    elif limited == "items" and isinstance(data, list):
        told = _items(slot, len(data))
        yield from _doubled(slot, data)
    else:
        return
    if told:
        yield slot.token or slot.anchor(), told


def _number(slot: Slot, number: float) -> str:
    """The message about a number; empty if it is within the limits of its field."""
    least, most = slot.field.minimum, slot.field.maximum
    found = as_written(number)
    if least is not None and number < least:
        return say(
            "`{field}` is {found}, but must be at least {least}", field=slot.title, found=found, least=as_written(least)
        )
    if most is not None and number > most:
        return say(
            "`{field}` is {found}, but must be at most {most}", field=slot.title, found=found, most=as_written(most)
        )
    return ""


def _length(slot: Slot, number: int) -> str:
    """The same about a number of characters."""
    least, most = slot.field.minimum, slot.field.maximum
    if least is not None and number < least:
        return say_count(
            "`{field}` has {number} character, but must have at least {least}",
            "`{field}` has {number} characters, but must have at least {least}",
            number,
            field=slot.title,
            least=as_written(least),
        )
    if most is not None and number > most:
        return say_count(
            "`{field}` has {number} character, but must have at most {most}",
            "`{field}` has {number} characters, but must have at most {most}",
            number,
            field=slot.title,
            most=as_written(most),
        )
    return ""


def _items(slot: Slot, number: int) -> str:
    """The same about a number of items."""
    least, most = slot.field.minimum, slot.field.maximum
    if least is not None and number < least:
        return say_count(
            "`{field}` has {number} item, but must have at least {least}",
            "`{field}` has {number} items, but must have at least {least}",
            number,
            field=slot.title,
            least=as_written(least),
        )
    if most is not None and number > most:
        return say_count(
            "`{field}` has {number} item, but must have at most {most}",
            "`{field}` has {number} items, but must have at most {most}",
            number,
            field=slot.title,
            most=as_written(most),
        )
    return ""


def _doubled(slot: Slot, data: list[object]) -> Iterator[tuple[Span, str]]:
    seen: set[str] = set()
    parts = slot.parts if slot.field.unique and slot.carrier == "json" else slot.items
    for index, item in enumerate(data if slot.field.unique else ()):
        key = json.dumps(item, sort_keys=True, default=str)
        if key in seen:
            place = parts[index] if index < len(parts) else slot
            yield place.token or place.anchor(), say("`{field}` has this item twice", field=slot.title)
        seen.add(key)
