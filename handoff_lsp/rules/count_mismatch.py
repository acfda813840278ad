"""A count does not agree with what it counts.

## What it does
Tells that a number in the handoff is not the number of things it stands for, such as `open_questions: 2` above one
question.

## Why is this bad?
The orchestrator acts on the number without reading what it counts; some take a mismatch for a corrupt handoff.

## How to fix
Take the counted number, or mend the list.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.rules.shared.declared import declared


def check(handoff: Handoff) -> Iterator[Finding]:
    """The findings of the contract's checks that name this rule."""
    return declared(RULE, handoff)


RULE = Rule(
    "count-mismatch", "sense", "error", check, fixable="sometimes", needs_readable_handoff=True, unfinished="anywhere"
)
