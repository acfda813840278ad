"""Shared by the rules about unreadable values: whether such a value leaves the decision open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.put import overlaid
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import AROUND_NOTHING, NO, is_nothing, tables
from handoff_lsp.contracts.model import GOES_ON
from handoff_lsp.contracts.names import key_name
from handoff_lsp.contracts.spec import JUDGING
from handoff_lsp.rules.shared.absent import is_acted_on, is_decisive
from handoff_lsp.text.lazy import lazy_pattern

# A number with a unit, or the whole of a number: `0件`, `12 tests`, `12/12`, `12 of 12`.
_COUNTED = lazy_pattern(r"(\d{1,18})(?:\s*[^\W\d_]*|\s*(?:/|of)\s*(\d{1,18}))")


def nothing_in(handoff: Handoff, found: str) -> Literal["nothing", "nothing, because", ""]:
    """Whether a value is a word for nothing, perhaps with a reason: in a list it would become an item."""
    word = found.strip(AROUND_NOTHING).casefold()
    if not word or word in NO or word in handoff.spec.empty_words:
        return "nothing"
    return "nothing, because" if is_nothing(found, handoff.spec.empty_words) else ""


def is_unclear(handoff: Handoff, slot: Slot) -> bool:
    """Whether the decision depends on an unreadable value and would not go on with its most likely meaning.

    ``slot``: one with a problem.
    """
    if not is_decisive(handoff, slot.path):
        return False
    likely = list(_likely(handoff, slot))
    return not likely or not all(goes_on_with(handoff, slot.path, value) for value in likely)


def _likely(handoff: Handoff, slot: Slot) -> Iterator[object]:
    """The meaning of an unreadable value, if it is certain: a spelling, another word, nothing, a number."""
    assert slot.problem is not None
    field, found = slot.field, slot.problem.found
    if field.kind.is_choice:
        _, loose, other_words = tables(field)
        value = {**other_words, **loose}.get(key_name(found.strip(" .,;:!*_`~\"'")))
        if value is not None:
            yield value.value
            return
    word = found.strip(AROUND_NOTHING)
    counted = _COUNTED.fullmatch(word)
    if field.kind.words and (word.casefold() in {"no", "0"} or nothing_in(handoff, found)):
        yield False
    elif field.kind.is_count and counted is not None and counted[2] in {None, counted[1]}:
        yield int(counted[1])
    elif nothing_in(handoff, found) and not _is_always_read(handoff, slot.path):
        yield field.kind.empty


def _is_always_read(handoff: Handoff, path: str) -> bool:
    return path in handoff.spec.contract.reads or is_acted_on(handoff, path)


def goes_on_with(handoff: Handoff, path: str, value: object) -> bool:
    """Whether the routes and the checks let the handoff go on with a value in place of the one at a path."""
    spec = handoff.spec
    values = handoff.values_of(overlaid(handoff.data, path, value))
    route = next((one for one in spec.contract.routing if values.holds(one.when)), None)
    return (route is None or route.action in GOES_ON) and not any(
        values.evaluate(check.check) is False
        for check in spec.contract.checks.values()
        if check.severity in JUDGING
        and "[]" not in check.at
        and (path in spec.paths_in(check.when) or path in spec.paths_in(check.check))
        and values.holds(check.when or "true")
    )
