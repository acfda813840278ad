"""A value is not one of those that the contract has.

## What it does
Tells that an enum holds something else, names the values there are, and offers the one that was most likely meant.
Tells too that a number, a list or a text is beyond the limits of its field, or that a list has an item twice.

## Why is this bad?
The orchestrator compares values letter by letter. An unrecognised status counts as failed; an unrecognised verdict
routes nothing.

## How to fix
Take the nearest value, or choose another from the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import meant
from handoff_lsp.contracts.model import Value
from handoff_lsp.contracts.names import key_name, nearest
from handoff_lsp.rules.rule import Finding, Fix, Rule, sentence, severity_for, shown
from handoff_lsp.rules.shared.absent import is_status, severity_now
from handoff_lsp.rules.shared.choices import choices, upstream_tokens
from handoff_lsp.rules.shared.limits import beyond_limits
from handoff_lsp.text import Edit

# A word at least this similar to a value counts as a misspelling of it.
_SLIP = 0.8
_MARKUP = re.compile(r"\*+|`+|(?<!\w)_+|(?<!_)_++(?!\w)")


def check(handoff: Handoff) -> Iterator[Finding]:
    """Enums with a value that they do not list, and values beyond the limits of their fields."""
    for slot in handoff.slots:
        for span, told in beyond_limits(slot):
            place = handoff.source.lines.first_line_of(span)
            severity = severity_now(RULE, handoff, slot)
            yield Finding(RULE, handoff, place, sentence(told, slot.field.because), slot=slot, severity=severity)
        problem = slot.problem
        if problem is None or problem.kind != "value":
            continue
        values = slot.field.offered
        known = ", ".join(f"`{value.value}`" for value in values)
        value = _meant(slot)
        blanks = ", with blanks around it" if problem.found != problem.found.strip() else ""
        found = shown(_MARKUP.sub("", problem.found) if "markup" in slot.field.tolerate else problem.found)
        message = (
            f'`{slot.title}` is "{found}"{blanks}, but it must be one of {known}'
            if len(values) > 1
            else f'`{slot.title}` is "{found}", but here it must be {known}'
        )
        if slot.field.open and value is not None:
            message = f'`{slot.title}` is "{found}", which is almost one of the known values'
        reason = value.because.get(key_name(problem.found), "") if value is not None else ""
        hint = reason or (f"Did you mean `{value.value}`?" if value is not None else "")
        consequence = handoff.spec.contract.unread if is_status(handoff, slot) else ""
        severity = severity_now(RULE, handoff, slot)
        # The original validator ignores the field while nothing requires it.
        tokens = slot.field.upstream.get("value", []) if severity == severity_for(RULE, slot) else []
        yield Finding(
            RULE,
            handoff,
            problem.span,
            sentence(message, consequence, hint),
            slot=slot,
            severity=severity,
            upstream=upstream_tokens(tokens, slot, problem.found),
            fixes=partial(_fixes, handoff, slot),
        )


def _meant(slot: Slot) -> Value | None:
    """The value that a wrong one most likely means; for a verdict only if they differ by a misspelling."""
    assert slot.problem is not None
    value, spelling = meant(slot.field, slot.problem.found)
    if spelling or not slot.field.judgement or value is None:
        return value
    word = slot.problem.found.strip(" .,;:!*_`~")
    return value if len(word.split()) == 1 and nearest(word, [value.value], cutoff=_SLIP) is not None else None


def _fixes(handoff: Handoff, slot: Slot) -> Iterator[Fix]:
    """The nearest value, then every value. Only a change of spelling is safe."""
    problem = slot.problem
    assert problem is not None
    value, (_, spelling) = _meant(slot), meant(slot.field, problem.found)
    if value is not None:
        found = shown(problem.found, 30)
        found = f"`{found}`" if '"' in found and "`" not in found else f'"{found}"'
        title = f"Change {found} to `{value.value}`"
        yield Fix(title, (Edit(problem.span, handoff.body.quote(value.value)),), safe=spelling)
    yield from choices(handoff, slot, problem.span, but=value)


RULE = Rule("invalid-value", "values", "error", check, fixable="sometimes", unfinished="here")
