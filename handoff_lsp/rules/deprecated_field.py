"""Deprecated field.

## What it does
Checks for keys, labels and sections that the contract marks as deprecated, and names their replacement.

## Why is this bad?
Readers still accept the field, but later versions may not, and newer tools read only its replacement.

## How to fix
Write the replacement. If the content stays the same, the quick fix renames the field.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.language import say
from handoff_lsp.rules.rule import EVERY_MODE, Finding, Fix, Rule
from handoff_lsp.rules.shared.absent import is_there
from handoff_lsp.text import Edit


def check(handoff: Handoff) -> Iterator[Finding]:
    """Deprecated fields that are present."""
    for slot in handoff.to_judge:
        if slot.field.deprecated and slot.present and slot.key is not None:
            yield Finding(
                RULE,
                handoff,
                slot.key,
                say("`{field}` is deprecated", field=slot.title),
                note=slot.field.deprecated,
                slot=slot,
                fixes=partial(_rename, handoff, slot),
            )


def _rename(handoff: Handoff, slot: Slot) -> Iterator[Fix]:
    new, parent = slot.field.replaced_by, slot.parent
    if not new or slot.key is None or parent is None:
        return
    if not is_there(parent, new):
        edit = Edit(slot.key, handoff.body.quote(new))
        yield Fix(say("Rename `{field}` to `{new}`", field=slot.title, new=new), (edit,), safe=True)


RULE = Rule("deprecated-field", "values", "warning", check, fixable="sometimes", modes=EVERY_MODE, unfinished="here")
