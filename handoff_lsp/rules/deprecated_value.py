"""A value is still understood, but should not be written any more.

## What it does
Tells that an enum holds a value which the contract marks as deprecated, and what to write in its place.

## Why is this bad?
Today's readers take it; the next version may not.

## How to fix
Write the value that the message names.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.block import Block
from handoff_lsp.rules.rule import Finding, Rule, sentence


def check(block: Block) -> Iterator[Finding]:
    """Enums with a deprecated value."""
    for slot in block.slots:
        if slot.field.type != "enum" or slot.value is None or not isinstance(slot.data, str):
            continue
        value = next((value for value in slot.field.values if value.value == slot.data), None)
        if value is not None and value.deprecated:
            message = sentence(f"`{value.value}` is a deprecated value of `{slot.title}`", value.deprecated)
            yield Finding(RULE, block, slot.value, message, slot=slot, unnecessary=False)


RULE = Rule("deprecated-value", "values", "warning", check)
