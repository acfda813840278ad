"""Unused suppression comment.

## What it does
Checks for `handoff-ignore` comments, and rules in them, that silence no finding.

## Why is this bad?
The comment would silence a later finding in the same place, although nobody meant it to.

## How to fix
Remove the comment, or the rule from it.
"""

from __future__ import annotations

from handoff_lsp.rules.rule import Rule, reported_elsewhere

RULE = Rule("unused-suppression", "internal", "warning", reported_elsewhere, fixable="sometimes", unfinished="here")
