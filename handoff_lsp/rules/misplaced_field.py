"""A key stands in the wrong object.

## What it does
Tells that a key which the contract knows elsewhere stands here, and names its place.

## Why is this bad?
The reader looks for it at its place and finds nothing.

## How to fix
Move it.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.slot import Unknown
from handoff_lsp.rules.rule import Finding, Rule


def check(block: Block) -> Iterator[Finding]:
    """Unknown keys of closed objects that are known at another level."""
    if block.syntax not in {"json", "outline"}:
        return
    for slot in block.slots:
        if not slot.field.closed:
            continue
        for unknown in slot.unknown:
            home = home_of(block, unknown)
            if home is not None:
                path = f"{slot.path}.{unknown.name}" if slot.path else unknown.name
                yield Finding(
                    RULE,
                    block,
                    unknown.key,
                    f"`{unknown.name}` belongs at `{home}`, not here. The reader does not find it",
                    field=path,
                    upstream=slot.field.upstream.misplaced,
                )


def home_of(block: Block, unknown: Unknown) -> str | None:
    """The path at which the contract knows a misplaced key; None where it knows none or several."""
    paths = [path for path, _ in block.spec.walk() if path.rsplit(".", 1)[-1] == unknown.name]
    return paths[0] if len(paths) == 1 else None


RULE = Rule("misplaced-field", "shape", "error", check)
