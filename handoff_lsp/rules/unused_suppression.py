"""A comment silences a finding that is not there.

## What it does
Tells that a `handoff-ignore` comment, or one of the rules it names, has nothing to silence.

## Why is this bad?
The comment will silence the next real finding at its place without anybody having decided so.

## How to fix
Remove the comment, or the rule's name from it.
"""

from __future__ import annotations

from handoff_lsp.rules.rule import Rule, reported_elsewhere

RULE = Rule("unused-suppression", "ourselves", "warning", reported_elsewhere, fixable="sometimes", unfinished="here")
