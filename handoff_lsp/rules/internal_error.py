"""handoff-lsp failed.

## What it does
Reports that a rule crashed on this document. All other rules have run.

## Why is this bad?
The findings of that rule are missing, so the handoff does not advance.

## How to fix
Report the bug with the document. The log contains the traceback.
"""

from __future__ import annotations

from handoff_lsp.rules.rule import Rule, reported_elsewhere

RULE = Rule("internal-error", "internal", "warning", reported_elsewhere, withholds=True)
