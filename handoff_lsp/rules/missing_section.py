"""Missing section.

## What it does
Checks for missing required sections, and marks the document's title or the misspelled heading.

## Why is this bad?
Readers find a section by its heading. Without it they miss its content.

## How to fix
Insert the section. The quick fix keeps the contract's order.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.rules.shared.absent import absence, absent, is_conditional, is_section, is_status


def check(handoff: Handoff) -> Iterator[Finding]:
    """Sections that are required without condition."""
    for slot in absent(handoff):
        if is_section(slot) and not is_conditional(slot) and not is_status(handoff, slot):
            what = (
                say("Section `{field}` is empty", field=slot.title)
                if slot.present
                else say("Missing section `{field}`", field=slot.title)
            )
            where = say(" in `{name}`", name=slot.parent.title) if slot.parent is not None and slot.parent.path else ""
            yield absence(RULE, handoff, slot, what + where)


RULE = Rule(
    "missing-section",
    "missing content",
    "error",
    check,
    fixable="sometimes",
    needs_readable_handoff=True,
    unfinished="anywhere",
)
