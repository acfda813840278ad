"""Shared by the rules about wrong values: a fix for each allowed value, and upstream's error tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.arguments import arguments_of
from handoff_lsp.contracts.model import Value
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Fix
from handoff_lsp.rules.shared.vocabulary import own_values
from handoff_lsp.text import Edit, Span
from handoff_lsp.writing.skeleton import MOST_VALUES


def upstream_tokens(tokens: Iterable[str], slot: Slot, found: str) -> list[str]:
    """Upstream's tokens for a wrong value, printed on one line and by the tolerance that it is compared with."""
    found = " ".join(found.strip('"').split()) if "\n" in found else found.strip('"')
    if "trailing-punctuation" in slot.field.tolerate:
        found = found.rstrip(".,;")
    if "case" in slot.field.tolerate:
        found = found.upper()
    return [token.replace("{value}", found) for token in tokens]


def choose_one(handoff: Handoff, slot: Slot) -> str:
    """The hint that lists the values when only the author can choose; empty for other types than enums."""
    values = [f"`{value.value}`" for value in _equal_values(handoff, slot)]
    return say("Choose one of {values}", values=", ".join(values)) if 1 < len(values) <= MOST_VALUES else ""


def _equal_values(handoff: Handoff, slot: Slot) -> list[Value]:
    """The values that the author may choose from; for a status, those of this handoff."""
    return own_values(handoff) if slot.path == handoff.spec.contract.status else slot.field.offered


def choices(handoff: Handoff, slot: Slot, span: Span, *, but: Value | None = None) -> Iterator[Fix]:
    """A fix for each value of an enum but one, in the place of a span. They choose for the author: none is safe."""
    if slot.field.judgement:
        return
    for value in _equal_values(handoff, slot):
        if value is not but and not arguments_of(value.value):
            edit = Edit(span, handoff.body.quote(value.value))
            title = say("Set `{field}` to `{value}`", field=slot.title, value=value.value)
            yield Fix(title, (edit,), safe=False, preferred=False, sets=value.value)
