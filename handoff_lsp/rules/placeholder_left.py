"""A placeholder of the template was not filled in.

## What it does
Tells that a value or the title still reads `<…>`, `{…}` or lists all values to choose from.

## Why is this bad?
The orchestrator takes the placeholder for the value. `complete | blocked | failed | incomplete` is none of the four.

## How to fix
Write the value. For an enum the quick fixes offer each.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.slot import Slot
from handoff_lsp.rules.absent import is_status
from handoff_lsp.rules.rule import Finding, Fix, Rule, sentence, shown
from handoff_lsp.text import Edit


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
            upstream=[token.replace("{value}", problem.found.upper()) for token in slot.field.upstream.value],
            fixes=lambda slot=slot: _fixes(block, slot),  # type: ignore[misc]
        )


def _fixes(block: Block, slot: Slot) -> Iterator[Fix]:
    problem = slot.problem
    assert problem is not None
    quote = partial(json.dumps, ensure_ascii=False) if block.json is not None else str
    for value in slot.field.values:
        yield Fix(
            f"Set `{slot.title}` to `{value.value}`",
            (Edit(problem.span, quote(value.value)),),
            safe=False,
            preferred=False,
        )


RULE = Rule("placeholder-left", "values", "error", check, fixable="sometimes")
