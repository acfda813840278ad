"""A section is there twice.

## What it does
Tells that a heading of the contract stands in the document a second time.

## Why is this bad?
A reader takes the first or the last of them, and nobody can tell which.

## How to fix
Merge the two, or remove one.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.block import Block
from handoff_lsp.rules.repeated import repeated
from handoff_lsp.rules.rule import EVERY_MODE, Finding, Rule


def check(block: Block) -> Iterator[Finding]:
    """Headings that came before."""
    if block.syntax == "markdown":
        what = "The section {} is here a second time. Readers take the first and pass over this one"
        yield from repeated(RULE, block, block.root, what)


RULE = Rule("duplicate-section", "shape", "warning", check, modes=EVERY_MODE, unfinished="here")
