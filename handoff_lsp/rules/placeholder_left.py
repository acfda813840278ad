"""A placeholder of the template was not filled in.

## What it does
Tells that a value or the title still reads `<…>`, `{…}` or lists all values to choose from.

## Why is this bad?
The orchestrator takes the placeholder for the value. `complete | blocked | failed | incomplete` is none of the four.

## How to fix
Write the value. For an enum the quick fixes offer each.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.block import Block
from handoff_lsp.rules.absent import is_status
from handoff_lsp.rules.choices import choices, upstream_tokens
from handoff_lsp.rules.rule import Finding, Rule, sentence, shown


def check(block: Block) -> Iterator[Finding]:
    """Slots whose value is a placeholder."""
    for slot in block.slots:
        problem = slot.problem
        if problem is None or problem.kind != "placeholder":
            continue
        consequence = block.spec.contract.unread if is_status(block, slot) else ""
        yield Finding(
            RULE,
            block,
            problem.span,
            sentence(f'`{slot.title}` still holds the placeholder "{shown(problem.found)}"', consequence),
            slot=slot,
            upstream=upstream_tokens(slot.field.upstream.value, slot, problem.found),
            fixes=partial(choices, block, slot, problem.span),
        )


RULE = Rule("placeholder-left", "values", "error", check, fixable="sometimes")
