"""The status is not the first section.

## What it does
Checks for sections before the one that must be first.

## Why is this bad?
The orchestrator reads the status first, and an agent that is cut off has at least written it.

## How to fix
Move the status to the top.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.language import say
from handoff_lsp.rules.rule import EVERY_MODE, Finding, Related, Rule


def check(handoff: Handoff) -> Iterator[Finding]:
    """A section that must be first and is not."""
    for slot in handoff.root.children.values():
        if not slot.field.first or slot.key is None or not slot.headed:
            continue
        before = [
            other
            for other in handoff.root.children.values()
            if other.key is not None and other.key.start < slot.key.start and other.headed
        ]
        if before:
            first = min(before, key=lambda other: other.key.start if other.key else 0)
            assert first.key is not None
            yield Finding(
                RULE,
                handoff,
                slot.key,
                say(
                    "`{field}` must be the first section, but `{first}` comes before it",
                    field=slot.title,
                    first=first.title,
                ),
                slot=slot,
                related=[Related(first.key, say("`{field}` is here", field=first.title))],
            )


RULE = Rule("status-not-first", "structure", "warning", check, modes=EVERY_MODE, unfinished="anywhere")
