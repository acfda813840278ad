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
from handoff_lsp.contracts.model import Field
from handoff_lsp.rules.rule import Finding, Rule, sentence, shown


def check(block: Block) -> Iterator[Finding]:
    """Slots whose value does not match the pattern, and rows without their mark."""
    for slot in block.slots:
        problem = slot.problem
        if problem is None or problem.kind not in {"format", "mark"}:
            continue
        if problem.kind == "mark":
            marks = ", ".join(value.value for value in slot.field.values)
            told = f'A row of `{slot.title}` bears none of the marks {marks}: "{shown(problem.found)}"'
        else:
            told = f'`{slot.title}` is "{shown(problem.found)}", but it must be {_wanted(slot.field)}'
        yield Finding(
            RULE,
            block,
            block.source.lines.first_line_of(problem.span),
            sentence(told, slot.field.because),
            slot=slot,
            upstream=slot.field.upstream.value,
        )


def _wanted(field: Field) -> str:
    if field.pattern_about:
        return field.pattern_about
    if field.type == "timestamp":
        return "a date and time in UTC such as 2026-02-08T10:00:00Z"
    return f"of the form {field.pattern}"


RULE = Rule("invalid-format", "values", "error", check, unfinished="here")
