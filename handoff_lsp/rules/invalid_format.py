"""Wrong format.

## What it does
Checks for values that do not match the pattern of their field, such as `files: two` instead of
`2 created, 0 modified, 0 deleted`.

## Why is this bad?
The reader takes the value apart by its pattern. Without a match it gets nothing.

## How to fix
Write the value in the format that the message names.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import is_refused
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.patterns import match_whole
from handoff_lsp.language import say, translated
from handoff_lsp.rules.rule import MESSAGE_LENGTH, Finding, Fix, Rule, shown
from handoff_lsp.rules.shared.declared import declared
from handoff_lsp.rules.shared.unclear import is_unclear
from handoff_lsp.syntax.lines.keyvalue import read_pairs
from handoff_lsp.text import Edit, Span
from handoff_lsp.text.lazy import lazy_pattern

# The fewest characters to quote of a value.
_SHORTEST = 12


def check(handoff: Handoff) -> Iterator[Finding]:
    """Values that do not match the pattern, rows without their mark, and the contract's checks of forms."""
    for slot in handoff.refused:
        problem = slot.problem
        if problem is None or problem.kind not in {"format", "mark", "nested"}:
            continue
        boxed = slot.field.kind.has_boxes
        if boxed:
            message = say(
                'Point of `{field}` without a box to read: "{found}"', field=slot.title, found=shown(problem.found, 40)
            )
        elif problem.kind == "mark":
            marks = ", ".join(f"`{value.value}`" for value in slot.field.values)
            message = say(
                'Row of `{field}` without one of the marks {marks}: "{found}"',
                field=slot.title,
                marks=marks,
                found=shown(problem.found, 40),
            )
        elif problem.kind == "nested":
            message = say(
                "The value of `{field}` is below it, but must be on the same line{form}",
                field=slot.title,
                form=_form(slot.field),
            )
        else:
            room = MESSAGE_LENGTH - len(_message(slot, problem.found, ""))
            found = _with_outer_blanks(problem.found, shown(problem.found, max(min(room, 40), _SHORTEST)))
            message = _message(slot, problem.found, found)
        yield Finding(
            RULE,
            handoff,
            (slot.key if problem.kind == "nested" else None) or handoff.source.lines.first_line_of(problem.span),
            message,
            note=say("It counts as open; a box is `[x]` or `[ ]`") if boxed else slot.field.because,
            slot=slot,
            severity=slot.field.severity.get("invalid-format", "warning") if boxed else None,
            upstream=slot.field.upstream.get("value", []),
            fixes=partial(_on_one_line, slot) if problem.kind == "nested" else None,
            withholds=is_unclear(handoff, slot),
        )
    yield from declared(RULE, handoff)


def _message(slot: Slot, text: str, found: str) -> str:
    """The message about a text; ``found`` is the text as the message quotes it."""
    field = slot.field
    if is_refused(field, text) and not field.pattern_about:
        return say(
            '`{field}` is "{found}", but must not contain {pattern}',
            field=slot.title,
            found=found,
            pattern=field.refused,
        )
    return say('`{field}` is "{found}", but must be {wanted}', field=slot.title, found=found, wanted=_wanted(field))


def _with_outer_blanks(text: str, found: str) -> str:
    """A quoted text that keeps a blank at each end with blanks: these may be its only defect."""
    return " " * text[:1].isspace() + found + " " * text[-1:].isspace() if found else found


def _on_one_line(slot: Slot) -> Iterator[Fix]:
    """If the lines below name the parts of the value: write the parts on one line."""
    problem, key = slot.problem, slot.key
    assert problem is not None
    assert key is not None
    written = {pair.key_text: pair.value_text for pair in read_pairs(problem.found, Span(0, len(problem.found)))}
    text = _GROUP.sub(lambda group: written.pop(group[1], ""), slot.field.pattern)
    if not written and match_whole(slot.field.pattern, text) is not None:
        edit = Edit(Span(key.end, problem.span.end), f": {text}")
        yield Fix(say("Write `{field}: {text}`", field=slot.title, text=text), (edit,), safe=False)


_GROUP = lazy_pattern(r"\(\?P<(\w+)>[^()]*\)")


def _form(field: Field) -> str:
    return f": {field.pattern_about}" if field.pattern_about else ""


def _wanted(field: Field) -> str:
    if field.pattern_about:
        return field.pattern_about
    if field.kind.form is not None:
        return translated(field.kind.form.wanted)
    return say("of the form {pattern}", pattern=field.pattern)


RULE = Rule("invalid-format", "values", "error", check, fixable="sometimes", unfinished="here")
