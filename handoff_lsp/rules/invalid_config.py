"""A setting of handoff-lsp is wrong.

## What it does
Tells an unknown key, a value of the wrong type or a name that does not exist, in a config file or in a modeline, with
the nearest known one. Also tells that a modeline names one contract where the document as a whole looks like a handoff
of another, which is then not checked.

## Why is this bad?
A setting that is not understood cannot be followed, and silently taking the defaults would hide it.

## How to fix
Correct the setting.
"""

from __future__ import annotations

from handoff_lsp.rules.rule import Rule, reported_elsewhere

RULE = Rule("invalid-config", "ourselves", "error", reported_elsewhere, fixable="sometimes", unfinished="here")
