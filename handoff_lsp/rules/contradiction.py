"""Two fields say things that cannot both be true.

## What it does
Tells what no schema can say: `COMPLETE` with a failed verification, `APPROVED` with an open row.

## Why is this bad?
The orchestrator believes the field it routes on, and the other one is what really happened.

## How to fix
Make the two agree.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.block import Block
from handoff_lsp.rules.declared import declared
from handoff_lsp.rules.rule import Finding, Rule


def check(block: Block) -> Iterator[Finding]:
    """The contract's checks that name this rule."""
    return declared(RULE, block)


RULE = Rule("contradiction", "sense", "error", check, fixable="sometimes", unfinished="here")
