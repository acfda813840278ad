"""Wrong count.

## What it does
Checks for numbers that differ from the number of things they count, such as `open_questions: 2` above one question.
A Markdown list is not counted if it has several parts, subsections, or an item that may be more than one thing, such as
a group with a list below it.

## Why is this bad?
The orchestrator acts on the number without reading the list. Some orchestrators treat a mismatch as a corrupt handoff.

## How to fix
Correct the number, or complete the list.
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
    "count-mismatch",
    "consistency",
    "error",
    check,
    fixable="sometimes",
    needs_readable_handoff=True,
    unfinished="anywhere",
)
