"""Missing checklist.

## What it does
Checks for sections that must contain a checklist (`- [x]`, `- [ ]`) and have no boxes.

## Why is this bad?
The reader counts the boxes. Without any it rejects the document.

## How to fix
Write each point as `- [x]` if it is done and as `- [ ]` if it is not.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.rules.shared.misshapen import misshapen


def check(handoff: Handoff) -> Iterator[Finding]:
    """Sections without the required checklist."""
    return misshapen(RULE, handoff, "boxed items", say("a checklist"))


RULE = Rule("missing-checklist", "missing content", "error", check, unfinished="anywhere")
