"""handoff-lsp itself failed.

## What it does
Tells that a rule crashed on this document. All other rules have still been run.

## Why is this bad?
What the rule would have told is not known.

## How to fix
Report it with the document, please; the log has the traceback.
"""

from __future__ import annotations

from handoff_lsp.rules.rule import Rule, reported_elsewhere

RULE = Rule("internal-error", "ourselves", "warning", reported_elsewhere)
