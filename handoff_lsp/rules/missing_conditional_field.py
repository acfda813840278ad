"""Missing field that another value requires.

## What it does
Checks for missing or empty fields and sections that the contract requires under a condition, such as open questions
when the status is `blocked`.

## Why is this bad?
The orchestrator acts on the condition and then needs the field: to show it to a human, to pass it to the next agent,
or to verify the work.

## How to fix
Fill in the field, or change the value that requires it.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.rules.shared.absent import absence, absent, is_conditional, is_section, is_status, related_to
from handoff_lsp.rules.shared.condition_words import condition_text
from handoff_lsp.rules.shared.declared import declared

# The longest condition that a message quotes.
_LONGEST = 80


def check(handoff: Handoff) -> Iterator[Finding]:
    """Absent fields that a condition requires now, and the contract's checks that name this rule."""
    yield from declared(RULE, handoff)
    for slot in absent(handoff):
        if is_conditional(slot) and not is_status(handoff, slot):
            kind = say("section") if is_section(slot) else say("field")
            what = (
                say("{kind} `{field}` is empty", kind=kind.title(), field=slot.title)
                if slot.written
                else say("Missing {kind} `{field}`", kind=kind, field=slot.title)
            )
            asked = (slot.field.required, slot.field.filled)
            condition = next(one for one in asked if isinstance(one, str))
            cause = _cause(handoff, condition)
            finding = absence(
                RULE, handoff, slot, say("{what}, required {now}", what=what, now=_now(handoff, condition))
            )
            finding.related = tuple(related_to([cause], say("required because of"))) if cause is not None else ()
            yield finding


def _cause(handoff: Handoff, condition: str) -> Slot | None:
    """The first field with a value that a condition reads."""
    found = (slot for path in handoff.spec.conditions.paths(condition) for slot in handoff.root.find(path))
    return next((slot for slot in found if slot.present and isinstance(slot.data, str | int)), None)


def _now(handoff: Handoff, condition: str) -> str:
    """Why a field is required now, in words."""
    when = condition_text(handoff.spec, condition)
    if 0 < len(when) <= _LONGEST:
        return say("when {condition}", condition=when)
    paths = handoff.spec.conditions.paths(condition)
    asked = next((name for name in handoff.spec.contract.settings if f"settings.{name}" in paths), None)
    return say("by the setting `{name}`", name=asked) if asked is not None else say("now")


RULE = Rule(
    "missing-conditional-field",
    "missing content",
    "error",
    check,
    fixable="sometimes",
    needs_readable_handoff=True,
    unfinished="anywhere",
)
