"""A comment silences a finding that is not there.

## What it does
Tells that a `handoff-ignore` comment, or one of the rules it names, has nothing to silence.

## Why is this bad?
The comment will silence the next real finding at its place without anybody having decided so.

## How to fix
Remove the comment, or the rule's name from it.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.block import Block
from handoff_lsp.rules.rule import Finding, Rule


def check(block: Block) -> Iterator[Finding]:
    """Nothing by block: what is unused is known when all rules have run (see ``suppression``)."""
    return iter(())


RULE = Rule("unused-suppression", "ourselves", "warning", check, fixable="sometimes")
