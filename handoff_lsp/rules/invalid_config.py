"""Wrong setting.

## What it does
Checks config files and modelines for unknown keys, values of the wrong type and unknown names, and suggests the
nearest known name. Also reports a modeline that names one contract in a document that looks like a handoff of another
one; such a document is not checked.

## Why is this bad?
A wrong setting has no effect, and a silent default would hide that.

## How to fix
Correct the setting.
"""

from __future__ import annotations

from handoff_lsp.rules.rule import Rule, reported_elsewhere

RULE = Rule("invalid-config", "internal", "error", reported_elsewhere, fixable="sometimes", unfinished="here")
