"""A document is too large to be a handoff.

## What it does
Tells that a document is beyond the size that handoff-lsp looks at (5,000,000 characters, 100,000 lines, 100,000
commas and brackets); nothing else is said of it then. And tells where something was not looked at: what nests deeper
than 100 levels, more than 1,000 handoffs in a document, more than 200 findings of one rule, more than 1,000 unknown
names in one object; checks that were not run, because a list is too long for them (about 10,000 items, or 1,000 where
a check makes a new list of it). Such a handoff does not advance, and nesting too deep is an error. Where a handoff is
to be judged together with more other files than are looked at, that is information, told once in a folder.

## Why is this bad?
A handoff that nobody can check may hold anything, a missing status among it.

## How to fix
Keep what the orchestrator reads in the handoff, and move the rest to files that it names.
"""

from __future__ import annotations

from handoff_lsp.rules.rule import Rule, reported_elsewhere

RULE = Rule("too-large", "ourselves", "warning", reported_elsewhere)
