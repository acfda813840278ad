"""A contract file is wrong.

## What it does
Reports a mistake in a contract of the workspace at its token: an unknown key, a condition that is not CEL, a field that
does not exist. In an open file it appears while typing, with a quick fix for a name that is almost right.

## Why is this bad?
Handoffs are checked by the contract as it was when it was last right; if it never was, they are not checked at all.

## How to fix
Correct the contract file; its JSON Schema is `schemas/contract.schema.json`.
"""

from __future__ import annotations

from handoff_lsp.rules.rule import Rule, reported_elsewhere

RULE = Rule("invalid-contract", "ourselves", "error", reported_elsewhere, fixable="sometimes", unfinished="anywhere")
