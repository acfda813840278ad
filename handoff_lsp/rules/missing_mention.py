"""A section does not name what it must name.

## What it does
Tells that a section which has to state something about certain files or parts says nothing of one of them, on the
section's heading.

## Why is this bad?
The next agent looks for the name to find out whether the thing exists. What is not mentioned is taken for forgotten,
and the document is refused.

## How to fix
Name it, even if only to say that it does not exist.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.block import Block
from handoff_lsp.rules.rule import Finding, Rule, sentence


def check(block: Block) -> Iterator[Finding]:
    """Names that a section must hold and does not."""
    for slot in block.slots:
        if not slot.field.mentions or slot.span is None or slot.data in (None, "", [], {}):
            continue
        text = block.source.slice(slot.span).casefold()
        for name in slot.field.mentions:
            if name.casefold() not in text:
                yield Finding(
                    RULE,
                    block,
                    slot.anchor(),
                    sentence(f"`{slot.title}` does not mention {name}", slot.field.because),
                    slot=slot,
                    upstream=slot.field.upstream.missing,
                )


RULE = Rule("missing-mention", "presence", "error", check)
