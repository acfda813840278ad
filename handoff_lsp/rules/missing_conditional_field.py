"""A field that other values make necessary is not there, or is empty.

## What it does
Tells that a section or field is missing which the contract asks for under a condition that now holds, such as open
questions when the status is `blocked`.

## Why is this bad?
The orchestrator acts on the value that made it necessary and then looks for this field. It finds nothing to show to
the human, to hand to the next agent or to verify.

## How to fix
Fill the field in, or change the value that makes it necessary.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.rules.shared.absent import absence, absent, is_conditional, is_section, is_status, related_to
from handoff_lsp.rules.shared.declared import declared


def check(handoff: Handoff) -> Iterator[Finding]:
    """Absent fields that a condition requires now, and the contract's checks that name this rule."""
    yield from declared(RULE, handoff)
    for slot in absent(handoff):
        if is_conditional(slot) and not is_status(handoff, slot):
            kind = "section" if is_section(slot) else "field"
            state = "is empty" if slot.written else "is missing"
            asked = (slot.field.required, slot.field.filled)
            condition = next(one for one in asked if isinstance(one, str))
            cause = _cause(handoff, condition)
            finding = absence(
                RULE, handoff, slot, f"The {kind} `{slot.title}` {state}{_now(handoff, condition, cause)}"
            )
            finding.related = tuple(related_to([cause], "required because of")) if cause is not None else ()
            yield finding


def _cause(handoff: Handoff, condition: str) -> Slot | None:
    """The first field with a value that a condition reads."""
    found = (slot for path in handoff.spec.conditions.paths(condition) for slot in handoff.root.find(path))
    return next((slot for slot in found if slot.present and isinstance(slot.data, str | int)), None)


def _now(handoff: Handoff, condition: str, cause: Slot | None) -> str:
    """Why a field is required now, in words."""
    if cause is not None:
        value = str(cause.data).lower() if isinstance(cause.data, bool) else cause.data
        return f", but it is required now that `{cause.title}` is `{value}`"
    paths = handoff.spec.conditions.paths(condition)
    asked = next((name for name in handoff.spec.contract.settings if f"settings.{name}" in paths), None)
    return f", but the config says `{asked}`" if asked is not None else ", but it is required here"


RULE = Rule(
    "missing-conditional-field",
    "presence",
    "error",
    check,
    fixable="sometimes",
    needs_readable_handoff=True,
    unfinished="anywhere",
)
