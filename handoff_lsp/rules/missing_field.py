"""Missing required field.

## What it does
Checks blocks and sections for missing keys and labels, and tables for missing columns. If most of the keys
of a block are missing, one finding reports all of them.

## Why is this bad?
The orchestrator parses the field. Some validators reject the whole handoff without it.

## How to fix
Insert the field. The quick fix keeps the contract's order, for one field or for all missing ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Fix, Rule, severity_for
from handoff_lsp.rules.shared.absent import (
    absence,
    absent,
    holds_nothing,
    is_conditional,
    is_section,
    is_status,
    named_children,
)
from handoff_lsp.writing.placement import insertion
from handoff_lsp.writing.words import title_beside

# This many missing keys, if more than half of all, are reported as one finding.
_MOST_FORGOTTEN = 5


def check(handoff: Handoff) -> Iterator[Finding]:
    """Fields that are required without condition and are not sections."""
    unread: set[str] = set()
    together = _missing_together(handoff)
    if together:
        yield _one_finding(handoff, together)
    for slot in absent(handoff):
        if is_section(slot) or is_conditional(slot) or is_status(handoff, slot) or slot in together:
            continue
        parent = slot.parent
        table = parent.table if parent is not None else None
        if table is not None:
            missing = say("Missing column `{field}`", field=slot.title)
            yield absence(RULE, handoff, slot, missing + say(" in `{name}`", name=table.title))
            continue
        if parent is not None and holds_nothing(handoff, parent):
            # One defect, one finding: the section is not in a form that can be read.
            if parent.path not in unread:
                unread.add(parent.path)
                number = len(named_children(parent))
                yield absence(
                    RULE,
                    handoff,
                    slot,
                    say("`{field}` has none of its {number} fields", field=parent.title, number=number),
                )
            continue
        name = parent.title if parent is not None and handoff.body.prose else parent.path if parent else ""
        where = say(" in `{name}`", name=name) if parent is not None and parent.path else ""
        what = (
            say("`{field}` is empty", field=slot.title)
            if slot.written
            else say("Missing field `{field}`", field=title_beside(handoff, slot))
        )
        yield absence(RULE, handoff, slot, what + where)


def _missing_together(handoff: Handoff) -> list[Slot]:
    """The missing keys of `key: value` lines that lack most of their required keys; else none."""
    if handoff.form != "run":
        return []
    needed = [slot for slot in handoff.root.children.values() if slot.field.required is True]
    missing = [slot for slot in needed if not slot.written and not is_status(handoff, slot)]
    return missing if len(missing) >= _MOST_FORGOTTEN and len(missing) * 2 > len(needed) else []


def _one_finding(handoff: Handoff, missing: list[Slot]) -> Finding:
    needed = sum(slot.field.required is True for slot in handoff.root.children.values())
    names = say(
        "`{first}`, `{second}` and {rest} more",
        first=missing[0].title,
        second=missing[1].title,
        rest=len(missing) - 2,
    )
    what = say("{number} of {needed} fields are missing: {names}", number=len(missing), needed=needed, names=names)
    return Finding(
        RULE,
        handoff,
        handoff.home(),
        what,
        note=missing[0].field.because,
        severity=severity_for(RULE, missing[0]),
        upstream=[token for slot in missing for token in slot.field.upstream.get("missing", [])],
        fixes=partial(_insert_all, handoff, missing),
    )


def _insert_all(handoff: Handoff, missing: list[Slot]) -> Iterator[Fix]:
    edits = tuple(insertion(handoff, missing))
    if edits:
        title = say("Insert all {number} missing fields", number=len(missing))
        yield Fix(title, edits, safe=True, inserts=tuple(missing))


RULE = Rule(
    "missing-field",
    "missing content",
    "error",
    check,
    fixable="sometimes",
    needs_readable_handoff=True,
    unfinished="anywhere",
)
