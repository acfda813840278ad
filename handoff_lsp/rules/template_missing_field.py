"""Template without a required field.

## What it does
Checks templates for missing fields.

## Why is this bad?
The orchestrator parses the field, and no handoff from this template will have it.

## How to fix
Insert the field into the template.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.rules.shared.absent import absence, in_template
from handoff_lsp.writing.words import title_beside


def check(handoff: Handoff) -> Iterator[Finding]:
    """Fields missing from the sections that are present, or from a handoff without sections."""
    for parent in handoff.to_judge:
        if parent.present and parent.table is None and (parent.path or handoff.body.flat):
            where = say(" in `{name}`", name=parent.title) if parent.path else ""
            for slot in parent.children.values():
                if not slot.written and in_template(slot):
                    yield absence(
                        RULE,
                        handoff,
                        slot,
                        say(
                            "Template lacks the field `{field}`{where}", field=title_beside(handoff, slot), where=where
                        ),
                    )


RULE = Rule(
    "template-missing-field",
    "templates",
    "error",
    check,
    fixable="always",
    modes=("template",),
    needs_readable_handoff=True,
    unfinished="anywhere",
)
