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
from handoff_lsp.rules.restated import dispute_of
from handoff_lsp.rules.rule import Finding, Related, Rule


def check(block: Block) -> Iterator[Finding]:
    """The contract's checks that name this rule, and a status that is stated twice."""
    yield from declared(RULE, block)
    dispute = dispute_of(block)
    slot = block.status
    if dispute is not None and slot is not None and slot.token is not None:
        line = block.source.lines.line_of(slot.token.start) + 1
        yield Finding(
            RULE,
            block,
            block.source.lines.first_line_of(dispute.again.token or dispute.again.anchor()),
            f"`{slot.title}` is `{dispute.again.data}` here, but `{slot.data}` in line {line}; only one can be right",
            severity="error" if dispute.acts else "warning",
            slot=slot,
            related=[Related(slot.token, f"`{slot.title}` is `{slot.data}` here")],
        )


RULE = Rule("contradiction", "sense", "error", check, fixable="sometimes", unfinished="here")
