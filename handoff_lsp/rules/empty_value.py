"""A field is there but nothing is written in it.

## What it does
Tells that a required label has no value, such as `outcome:` with nothing behind it, or that a required section which
holds one value has no content.

## Why is this bad?
An empty value is read as an absent one.

## How to fix
Write the value.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.placement import put_value
from handoff_lsp.binding.slot import Slot
from handoff_lsp.rules.absent import is_status
from handoff_lsp.rules.choices import choose_one
from handoff_lsp.rules.rule import Finding, Fix, Rule, sentence
from handoff_lsp.rules.vocabulary import own_values

_VALUES = {"line", "enum", "pattern", "integer", "number", "boolean"}


def check(block: Block) -> Iterator[Finding]:
    """Labels and one-value sections without a value."""
    for slot in block.slots:
        if not slot.present or slot.carrier in {None, "json"} or not _holds_one(slot):
            continue
        if slot.problem is None and not slot.data and not slot.raw.strip() and block.values.holds(slot.field.required):
            consequence = block.spec.contract.unread if is_status(block, slot) else slot.field.because
            yield Finding(
                RULE,
                block,
                slot.key or block.home(),
                sentence(f"`{slot.title}` is empty", consequence, choose_one(slot)),
                slot=slot,
                upstream=slot.field.upstream.missing,
                fixes=partial(_choices, block, slot),
            )


def _holds_one(slot: Slot) -> bool:
    """Whether a field holds one value, or many and its contract wants told when nothing is in it."""
    return slot.field.type in _VALUES or RULE.code in slot.field.severity


def _choices(block: Block, slot: Slot) -> Iterator[Fix]:
    if slot.field.judgement:
        return
    for value in own_values(block) if is_status(block, slot) else slot.field.values:
        edit = put_value(block, slot, value.value)
        if edit is not None:
            title = f"Set `{slot.title}` to `{value.value}`"
            yield Fix(title, (edit,), safe=False, preferred=False, sets=value.value)


RULE = Rule("empty-value", "presence", "error", check, fixable="sometimes", unfinished="anywhere", withholds=True)
