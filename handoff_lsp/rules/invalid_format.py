"""A value is not written in the form that the contract wants.

## What it does
Tells that a line does not match its pattern, such as `files: two` where `2 created, 0 modified, 0 deleted` is wanted.

## Why is this bad?
The reader takes the line apart by its form and gets nothing out of another one.

## How to fix
Write the value in the form that the message names.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.block import Block
from handoff_lsp.rules.rule import Finding, Rule, sentence, shown


def check(block: Block) -> Iterator[Finding]:
    """Slots whose value does not match the pattern."""
    for slot in block.slots:
        problem = slot.problem
        if problem is not None and problem.kind == "format":
            wanted = slot.field.pattern_about or f"of the form {slot.field.pattern}"
            yield Finding(
                RULE,
                block,
                problem.span,
                sentence(f'`{slot.title}` is "{shown(problem.found)}", but it must be {wanted}', slot.field.because),
                slot=slot,
                upstream=slot.field.upstream.value,
            )


RULE = Rule("invalid-format", "values", "error", check)
