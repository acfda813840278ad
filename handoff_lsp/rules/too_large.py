"""The document is too large.

## What it does
Reports documents and parts of them that are not checked: more than 5,000,000 characters, 100,000 lines or 100,000
commas and brackets (nothing else is reported then); more than 100 levels of nesting (an error), 1,000 handoffs in a
document, 200 findings of one rule, or 1,000 unknown names in one object; checks of very long lists (about 10,000 items,
or 1,000 if a check builds a new list of it). Such a handoff does not advance. A folder with more files than are
compared is reported once, as information.

## Why is this bad?
A part that is not checked may have any defect, such as a missing status.

## How to fix
Keep in the handoff what the orchestrator reads, and move the rest to files that it names.
"""

from __future__ import annotations

from handoff_lsp.rules.rule import Rule, reported_elsewhere

RULE = Rule("too-large", "internal", "warning", reported_elsewhere)
