"""Invalid value.

## What it does
Checks for values that their enum does not list, and suggests the nearest one. Also checks the limits of numbers, texts
and lists, and lists for duplicate items.

## Why is this bad?
The orchestrator compares values exactly. An unknown status counts as failed; an unknown verdict is not routed.

## How to fix
Use the suggested value, or choose another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import correction, meant
from handoff_lsp.contracts.limits import has_limits
from handoff_lsp.contracts.model import Value
from handoff_lsp.contracts.names import key_name, nearest
from handoff_lsp.language import say
from handoff_lsp.rules.rule import MESSAGE_LENGTH, Finding, Fix, Rule, severity_for, shown
from handoff_lsp.rules.shared.absent import is_status, severity_now
from handoff_lsp.rules.shared.choices import choices, choose_one, upstream_tokens
from handoff_lsp.rules.shared.limits import beyond_limits
from handoff_lsp.rules.shared.unclear import is_unclear
from handoff_lsp.rules.shared.vocabulary import is_refused
from handoff_lsp.text import Edit
from handoff_lsp.text.lazy import lazy_pattern

# A word at least this similar to a value counts as a misspelling of it.
_SLIP = 0.8
# The longest value in a message that shows all its blanks, in code points.
_LONGEST_SHOWN = 60
_MARKUP = lazy_pattern(r"\*+|`+|(?<!\w)_+|(?<!_)_++(?!\w)")


def check(handoff: Handoff) -> Iterator[Finding]:
    """Enums with a value that they do not list, and values beyond the limits of their fields."""
    for slot in handoff.to_judge:
        if slot.problem is None and not has_limits(slot.field):
            continue
        for span, told in beyond_limits(slot):
            place = handoff.source.lines.first_line_of(span)
            severity = severity_now(RULE, handoff, slot)
            yield Finding(RULE, handoff, place, told, note=slot.field.because, slot=slot, severity=severity)
        problem = slot.problem
        if problem is None or problem.kind != "value":
            continue
        value = _meant(handoff, slot)
        offered = slot.field.offered
        values = [value, *offered] if value is not None and value not in offered else offered
        found = shown(_MARKUP.sub("", problem.found) if "markup" in slot.field.tolerate else problem.found)
        found = _with_blanks(found, problem.found, [each.value for each in values])
        room = MESSAGE_LENGTH - len(_message(slot, found, ""))
        message = _message(slot, found, _one_of([each.value for each in values], room))
        if slot.field.open and value is not None:
            message = say(
                '`{field}` is "{found}", which is almost `{value}`', field=slot.title, found=found, value=value.value
            )
        reason = value.because.get(key_name(problem.found), "") if value is not None else ""
        right = correction(slot.field, problem.found, value) or value.value if value is not None else ""
        near = say("Did you mean `{near}`?", near=shown(right)) if right else choose_one(handoff, slot)
        if right == problem.found.strip() != problem.found:
            message = say(
                '`{field}` has leading or trailing whitespace: "{found}"',
                field=slot.title,
                found=re.sub(r"\s+", " ", problem.found),
            )
            near = say("Remove the whitespace")
        hint = reason or near
        consequence = handoff.spec.contract.unread if is_status(handoff, slot) else ""
        severity = severity_now(RULE, handoff, slot)
        # The original validator ignores the field while nothing requires it.
        tokens = slot.field.upstream.get("value", []) if severity == severity_for(RULE, slot) else []
        yield Finding(
            RULE,
            handoff,
            problem.span,
            message,
            note=consequence,
            hint=hint,
            slot=slot,
            severity=severity,
            upstream=upstream_tokens(tokens, slot, problem.found),
            fixes=partial(_fixes, handoff, slot),
            withholds=is_unclear(handoff, slot),
        )


def _with_blanks(found: str, text: str, values: list[str]) -> str:
    """The value to quote in a message, with all its blanks if nothing else distinguishes it from a valid one."""
    return repr(text)[1:-1][:_LONGEST_SHOWN] if found in values else found


def _message(slot: Slot, found: str, values: str) -> str:
    return say(
        '`{field}` is "{found}", but must be {values}',
        field=slot.title,
        found=found,
        values=values,
    )


def _one_of(values: list[str], room: int) -> str:
    """The values that there may be, as many of them as there is room for."""
    if len(values) == 1:
        return f"`{values[0]}`"
    for count in range(len(values), 0, -1):
        listed = ", ".join(f"`{value}`" for value in values[:count])
        told = (
            say("one of {listed}", listed=listed)
            if count == len(values)
            else say("one of {number} values such as {listed}", number=len(values), listed=listed)
        )
        if len(told) <= room:
            return told
    return say("one of {number} values", number=len(values))


def _meant(handoff: Handoff, slot: Slot) -> Value | None:
    """The value that a wrong one most likely means; for a verdict only if they differ by a misspelling.

    None if that is a status with which no such handoff ends.
    """
    assert slot.problem is not None
    value, spelling = meant(slot.field, slot.problem.found)
    if value is not None and is_status(handoff, slot) and is_refused(handoff, value):
        return None
    if spelling or not slot.field.judgement or value is None:
        return value
    word = slot.problem.found.strip(" .,;:!*_`~")
    return value if len(word.split()) == 1 and nearest(word, [value.value], cutoff=_SLIP) is not None else None


def _fixes(handoff: Handoff, slot: Slot) -> Iterator[Fix]:
    """The nearest value, then every value. Only a change of spelling is safe."""
    problem = slot.problem
    assert problem is not None
    value, (_, spelling) = _meant(handoff, slot), meant(slot.field, problem.found)
    right = correction(slot.field, problem.found, value) if value is not None else ""
    if right:
        found = _with_blanks(shown(problem.found, 30), problem.found, [right])
        found = f"`{found}`" if '"' in found and "`" not in found else f'"{found}"'
        title = (
            say("Remove the whitespace")
            if right == problem.found.strip()
            else say("Change {found} to `{right}`", found=found, right=shown(right))
        )
        # In a log a colon may take the place of the blank behind the tag.
        gap = " " if handoff.log is not None and handoff.source.text[problem.span.start - 1] == "]" else ""
        yield Fix(title, (Edit(problem.span, gap + handoff.body.quote(right)),), safe=spelling)
    yield from choices(handoff, slot, problem.span, but=value)


RULE = Rule("invalid-value", "values", "error", check, fixable="sometimes", unfinished="here")
