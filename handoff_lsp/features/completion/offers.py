"""The values to offer for a field in any syntax: its own, the one that other values require, names, the time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.model import Field
from handoff_lsp.features.completion.item import Offer
from handoff_lsp.features.completion.names import names_of
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.contract_pages import field_key
from handoff_lsp.rules.shared.vocabulary import is_refused


def correct(handoff: Handoff, path: str) -> Any:
    """The value that the contract's checks now require of a field; None without such a check."""
    for check in handoff.spec.contract.checks.values():
        if check.at == path and check.correct and (not check.when or handoff.values.holds(check.when)):
            right = handoff.values.evaluate(check.correct)
            if right is not None:
                return right
    return None


def text_offers(handoff: Handoff, path: str, field: Field, context: Context, offset: int) -> Iterator[Offer]:
    """The values of a field that are texts, best first, each once. ``offset``: the place where one is being typed."""
    seen: set[str] = set()
    for offer in _all(handoff, path, field, context, offset):
        if offer.word not in seen:
            seen.add(offer.word)
            yield offer


def _all(handoff: Handoff, path: str, field: Field, context: Context, offset: int) -> Iterator[Offer]:
    right = correct(handoff, path)
    if isinstance(right, str) and all(right != value.value for value in field.values):
        yield Offer(right, "What the rest of the handoff asks for", field_key(handoff.spec, path), right=True)
    for value in field.offered:
        if path == handoff.spec.contract.status and is_refused(handoff, value):
            continue
        key = field_key(handoff.spec, path, value.value)
        yield Offer(value.value, value.then or value.about, key, right=right == value.value)
    if field.kind.is_time:
        yield Offer(context.timestamp(), "Now", field_key(handoff.spec, path))
    if field.names:
        refused = {value.value for value in field.values}.difference(value.value for value in field.offered)
        yield from (one for one in names_of(handoff, field.names, context, offset) if one.word not in refused)
