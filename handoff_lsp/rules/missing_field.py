"""A field that is always required is not there.

## What it does
Tells that a key or label is missing where its block or section must have it, on the name of what it belongs to.

## Why is this bad?
The orchestrator parses the field. Some validators refuse the whole handoff without it.

## How to fix
Insert the field; the quick fix puts it in the contract's order, alone or with all others that are missing.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.block import Block
from handoff_lsp.rules.absent import absence, absent, holds_nothing, is_conditional, is_section, is_status
from handoff_lsp.rules.rule import Finding, Rule


def check(block: Block) -> Iterator[Finding]:
    """Fields that are required without condition and are not sections."""
    unread: set[str] = set()
    for slot in absent(block):
        if is_section(slot) or is_conditional(slot) or is_status(block, slot):
            continue
        parent = slot.parent
        if parent is not None and parent.path and block.json is None and holds_nothing(parent):
            # One defect, one finding: the section is not in a form that can be read.
            if parent.path not in unread:
                unread.add(parent.path)
                names = ", ".join(f"`{child.title}`" for child in parent.children.values())
                yield absence(RULE, block, slot, f"`{parent.title}` has none of its fields {names}")
            continue
        name = parent.title if parent is not None and block.syntax == "markdown" else parent.path if parent else ""
        where = f" in `{name}`" if parent is not None and parent.path else ""
        what = f"`{slot.title}` has no value" if slot.written else f"The field `{slot.title}` is missing"
        yield absence(RULE, block, slot, what + where)


RULE = Rule("missing-field", "presence", "error", check, fixable="sometimes", about_absence=True, unfinished="anywhere")
