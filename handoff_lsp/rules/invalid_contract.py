"""Invalid contract.

## What it does
Checks contract files of the workspace: unknown keys, conditions that are not CEL, fields that do not exist. In an open
file the findings appear while typing, with a quick fix for a misspelled name.

## Why is this bad?
Handoffs are checked by the last valid version of the contract. Without one they are not checked.

## How to fix
Correct the contract file. `schemas/contract.schema.json` is its JSON Schema.
"""

from __future__ import annotations

from handoff_lsp.rules.rule import Rule, reported_elsewhere

RULE = Rule("invalid-contract", "internal", "error", reported_elsewhere, fixable="sometimes", unfinished="anywhere")
