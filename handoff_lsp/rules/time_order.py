"""Two times are not in the order in which they must be.

## What it does
Tells that something ended before it began, or that an entry of a log is older than the one before it.

## Why is this bad?
What reads the times takes the last one for the newest. A wrong clock or a line written by hand makes it believe an old
state.

## How to fix
Correct the time that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.rules.shared.declared import declared


def check(handoff: Handoff) -> Iterator[Finding]:
    """The findings of the contract's checks that name this rule."""
    return declared(RULE, handoff)


RULE = Rule("time-order", "sense", "warning", check, fixable="sometimes", unfinished="here")
