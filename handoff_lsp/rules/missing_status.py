"""Missing status.

## What it does
Checks for handoffs without a status: no `## Status` section, no `plan_status` key, or no other
status field of the contract.

## Why is this bad?
The orchestrator reads the status first. Without it the work counts as failed, and the next phase does not start.

## How to fix
Insert the Status block and choose a value. The quick fix keeps the contract's order.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.rules.shared.absent import absence, absent, is_section, is_status


def check(handoff: Handoff) -> Iterator[Finding]:
    """The status, if it is absent."""
    for slot in absent(handoff):
        if is_status(handoff, slot):
            yield absence(RULE, handoff, slot, _what(slot))


def _what(slot: Slot) -> str:
    """The message; it calls a status that has another name a section or a field."""
    if slot.written:
        return say("`{field}` is empty", field=slot.title)
    if "status" in slot.title.casefold():
        return say("Missing status `{field}`", field=slot.title)
    if is_section(slot):
        return say("Missing section `{field}`", field=slot.title)
    return say("Missing field `{field}`", field=slot.title)


RULE = Rule(
    "missing-status",
    "missing content",
    "error",
    check,
    fixable="sometimes",
    needs_readable_handoff=True,
    unfinished="anywhere",
)
