"""A document is too large to be a handoff.

## What it does
Tells that a document is beyond the size that handoff-lsp looks at; nothing else is said of it then. And tells where a
handoff is to be judged together with more other files than are looked at, and which checks of its contract were not run
because a list in it is too long for them (about 10,000 items, or 1,000 where a check makes
a new list of it).

## Why is this bad?
A handoff that nobody can check may hold anything, a missing status among it.

## How to fix
Keep what the orchestrator reads in the handoff, and move the rest to files that it names.
"""

from __future__ import annotations

from handoff_lsp.rules.rule import Rule, told_elsewhere

RULE = Rule("too-large", "ourselves", "warning", told_elsewhere)
