"""A contract file is wrong.

## What it does
Tells what is wrong with a contract of the workspace, at its token: an unknown key, a condition that is not CEL, a
field that does not exist.

## Why is this bad?
Handoffs of that contract are not checked at all until it can be read.

## How to fix
Correct the contract file; its JSON Schema is `schemas/contract.schema.json`.
"""

from __future__ import annotations

from handoff_lsp.rules.rule import Rule, reported_elsewhere

RULE = Rule("invalid-contract", "ourselves", "error", reported_elsewhere)
