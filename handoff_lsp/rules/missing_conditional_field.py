"""A field that other values make necessary is not there, or is empty.

## What it does
Tells that a section or field is missing which the contract asks for under a condition that now holds, such as open
questions when the status is `blocked`.

## Why is this bad?
The orchestrator acts on the value that made it necessary and then looks for this field. It finds nothing to show to
the human, to hand to the next agent or to verify.

## How to fix
Fill the field in, or change the value that makes it necessary.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.block import Block
from handoff_lsp.rules.absent import absence, absent, is_conditional, is_section, is_status, related_to
from handoff_lsp.rules.rule import Finding, Rule


def check(block: Block) -> Iterator[Finding]:
    """Fields whose condition holds."""
    status = block.status
    for slot in absent(block):
        if is_conditional(slot) and not is_status(block, slot):
            kind = "section" if is_section(slot) else "field"
            state = "is empty" if slot.written else "is missing"
            now = (
                f", but it is required now that `{status.title}` is `{status.data}`"
                if status is not None and status.data
                else ", but it is required here"
            )
            finding = absence(RULE, block, slot, f"The {kind} `{slot.title}` {state}{now}")
            finding.related = tuple(
                related_to([status], "required because of") if status is not None and status.data else []
            )
            yield finding


RULE = Rule("missing-conditional-field", "presence", "error", check, fixable="sometimes", about_absence=True)
