"""Empty value.

## What it does
Checks for required labels without a value, such as `outcome:`, for empty or missing cells of required columns, and for
required sections of one value without content.

## Why is this bad?
Readers treat an empty value as a missing one.

## How to fix
Write the value.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.arguments import arguments_of
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Fix, Rule
from handoff_lsp.rules.shared.absent import is_status
from handoff_lsp.rules.shared.choices import choose_one
from handoff_lsp.rules.shared.vocabulary import own_values
from handoff_lsp.writing.placement import put_value


def check(handoff: Handoff) -> Iterator[Finding]:
    """Labels and one-value sections without a value."""
    for slot in handoff.to_judge:
        if slot.data or slot.problem is not None or not slot.present or slot.carrier in {None, "json"}:
            continue
        if _holds_one(slot) and not slot.raw.strip() and handoff.values.holds(slot.field.required):
            consequence = handoff.spec.contract.unread if is_status(handoff, slot) else slot.field.because
            yield Finding(
                RULE,
                handoff,
                slot.key or handoff.home(),
                say("`{field}` is empty", field=slot.title),
                note=consequence,
                hint=choose_one(handoff, slot),
                slot=slot,
                upstream=slot.field.upstream.get("missing", []),
                fixes=partial(_choices, handoff, slot),
            )


def _holds_one(slot: Slot) -> bool:
    """Whether an empty field is reported: it holds one value, or a list that its contract wants filled."""
    return slot.field.kind.holds == "value" or RULE.code in slot.field.severity


def _choices(handoff: Handoff, slot: Slot) -> Iterator[Fix]:
    if slot.field.judgement:
        return
    for value in own_values(handoff) if is_status(handoff, slot) else slot.field.offered:
        edit = put_value(handoff, slot, value.value) if not arguments_of(value.value) else None
        if edit is not None:
            title = say("Set `{field}` to `{value}`", field=slot.title, value=value.value)
            yield Fix(title, (edit,), safe=False, preferred=False, sets=value.value)


RULE = Rule(
    "empty-value", "missing content", "error", check, fixable="sometimes", unfinished="anywhere", withholds=True
)
