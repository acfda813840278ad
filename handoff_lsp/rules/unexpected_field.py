"""Unexpected content.

## What it does
Checks for fields with content under a condition that forbids it, such as a Status reason beside `complete`.

## Why is this bad?
The field and the condition contradict each other, and different readers believe different ones. The handoff does not
advance, unless the finding is only information.

## How to fix
Remove the content, or change the value that forbids it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.spec import JUDGING
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Fix, Rule, severity_for, shown
from handoff_lsp.rules.shared.absent import related_to
from handoff_lsp.text import Edit, Span


def check(handoff: Handoff) -> Iterator[Finding]:
    """Fields that are filled though their condition forbids it."""
    for slot in handoff.to_judge:
        if not slot.field.forbidden or slot.data in (None, "", [], {}) or slot.value is None:
            continue
        if handoff.values.holds(slot.field.forbidden):
            status = handoff.status
            span, severity = slot.value, severity_for(RULE, slot)
            yield Finding(
                RULE,
                handoff,
                handoff.source.lines.line_span(handoff.source.lines.line_of(span.start)) if "\n" in slot.raw else span,
                say(
                    '`{field}` must be empty, but is "{raw}"',
                    field=slot.title,
                    raw=shown(slot.data if isinstance(slot.data, str) else slot.raw, 40),
                ),
                note=slot.field.forbidden_because,
                slot=slot,
                related=related_to([status] if status is not None else [], say("because of")),
                fixes=partial(_empty, slot, span),
                withholds=severity in JUDGING,
            )


def _empty(slot: Slot, span: Span) -> list[Fix]:
    return [Fix(say("Clear `{field}`", field=slot.title), (Edit(span, ""),), safe=False, preferred=False)]


RULE = Rule("unexpected-field", "missing content", "error", check, fixable="always")
