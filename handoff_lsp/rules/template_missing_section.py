"""Template without a required section.

## What it does
Checks templates for missing sections.

## Why is this bad?
Agents write what the template shows. A missing section is missing from every handoff.

## How to fix
Insert the section into the template.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.rules.shared.absent import absence, in_template, is_section


def check(handoff: Handoff) -> Iterator[Finding]:
    """Sections that templates of this contract declare."""
    for slot in handoff.root.children.values() if not handoff.body.flat else ():
        if not slot.written and in_template(slot):
            kind = say("section") if is_section(slot) else say("field")
            yield absence(RULE, handoff, slot, say("Template lacks the {kind} `{field}`", kind=kind, field=slot.title))


RULE = Rule(
    "template-missing-section",
    "templates",
    "error",
    check,
    fixable="always",
    modes=("template",),
    needs_readable_handoff=True,
    unfinished="anywhere",
)
