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
from handoff_lsp.rules.rule import Finding, Related, Rule


def check(block: Block) -> Iterator[Finding]:
    """Headings that came before."""
    if block.json is not None:
        return
    for again in block.root.duplicates:
        first = next((slot for slot in block.root.children.values() if slot.title == again.name), None)
        related = [Related(first.key, "first here")] if first is not None and first.key is not None else []
        yield Finding(
            RULE,
            block,
            again.key,
            f"The section `{again.name}` is here a second time. Readers take the first and pass over this one",
            slot=first,
            related=related,
        )


RULE = Rule("duplicate-section", "shape", "warning", check, modes=("handoff", "template", "example"))
