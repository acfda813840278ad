"""Wrong order of times.

## What it does
Checks for end times before their start times, and for log entries older than the preceding entry.

## Why is this bad?
Readers take the last time as the newest. A wrong clock or a line added by hand makes them use an old state.

## How to fix
Correct the wrong time.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.rules.shared.declared import declared


def check(handoff: Handoff) -> Iterator[Finding]:
    """The findings of the contract's checks that name this rule."""
    return declared(RULE, handoff)


RULE = Rule("time-order", "consistency", "warning", check, fixable="sometimes", unfinished="here")
