"""A section that must hold a checklist holds none.

## What it does
Tells that a section which the contract wants as a list with boxes (`- [x]`, `- [ ]`) has no box in it, on its first
line.

## Why is this bad?
The reader counts what is done by the boxes. Without any it cannot tell, and refuses the document.

## How to fix
Write each point as `- [x]` when it is done and `- [ ]` when it is not.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.rules.shared.misshapen import misshapen


def check(handoff: Handoff) -> Iterator[Finding]:
    """Sections without the required checklist."""
    return misshapen(RULE, handoff, "boxed items", "a checklist")


RULE = Rule("missing-checklist", "presence", "error", check, unfinished="anywhere")
