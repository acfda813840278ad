"""Missing table.

## What it does
Checks for sections that must contain a table, but are written as prose or as a list.

## Why is this bad?
The reader takes the section apart by rows and columns. Without a table it rejects the document.

## How to fix
Write the content as a table.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.rules.shared.misshapen import misshapen


def check(handoff: Handoff) -> Iterator[Finding]:
    """Sections without the required table."""
    return misshapen(RULE, handoff, "table rows", say("a table"))


RULE = Rule("missing-table", "missing content", "error", check, unfinished="anywhere")
