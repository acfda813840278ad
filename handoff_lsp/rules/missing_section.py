"""A section that every handoff of this contract has is not there.

## What it does
Tells that a required section is missing, on the title of the document or on a heading that was most likely meant.

## Why is this bad?
Readers look for a section by its heading. One that is not there is read as if its content did not exist.

## How to fix
Insert the section. The quick fix puts its skeleton where the contract's order wants it.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.rules.shared.absent import absence, absent, is_conditional, is_section, is_status


def check(handoff: Handoff) -> Iterator[Finding]:
    """Sections that are required without condition."""
    for slot in absent(handoff):
        if is_section(slot) and not is_conditional(slot) and not is_status(handoff, slot):
            state = "is empty" if slot.present else "is missing"
            where = f" in `{slot.parent.title}`" if slot.parent is not None and slot.parent.path else ""
            yield absence(RULE, handoff, slot, f"The section `{slot.title}` {state}{where}")


RULE = Rule(
    "missing-section",
    "presence",
    "error",
    check,
    fixable="sometimes",
    needs_readable_handoff=True,
    unfinished="anywhere",
)
