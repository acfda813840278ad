"""A section that must hold a table holds none.

## What it does
Tells that a section which the contract wants as a table is written as prose or as a list, on its first line.

## Why is this bad?
The reader takes the section apart by rows and columns. Without a table it finds nothing in it and refuses the
document.

## How to fix
Write the content as a table, with a line of headings and a line of dashes below it.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.rules.shared.misshapen import misshapen


def check(handoff: Handoff) -> Iterator[Finding]:
    """Sections without the required table."""
    return misshapen(RULE, handoff, "table rows", "a table")


RULE = Rule("missing-table", "presence", "error", check, unfinished="anywhere")
