"""Wrong type.

## What it does
Checks for values of the wrong type, such as a string instead of a list, an object or a number.

## Why is this bad?
A reader that expects a list fails on a string, or iterates over its characters.

## How to fix
Write the value in the required type. A quick fix wraps a single string in a list.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.language import say, translated
from handoff_lsp.rules.invalid_yaml import broken_front_matter
from handoff_lsp.rules.rule import Finding, Fix, Rule, severity_for, shown
from handoff_lsp.rules.shared.absent import severity_now
from handoff_lsp.rules.shared.choices import upstream_tokens
from handoff_lsp.rules.shared.unclear import is_unclear, nothing_in
from handoff_lsp.text import Edit


def check(handoff: Handoff) -> Iterator[Finding]:
    """Values of a wrong type."""
    broken = broken_front_matter(handoff)
    for slot in handoff.refused:
        problem = slot.problem
        if problem is None or problem.kind != "type":
            continue
        if broken is not None and broken[0].outer_span(0, len(broken[0].text))[1] >= problem.span.start:
            continue  # what a text that is no YAML holds is not known
        severity = severity_now(RULE, handoff, slot)
        # The original validator ignores the field while nothing requires it.
        tokens = slot.field.upstream.get("type", []) if severity == severity_for(RULE, slot) else []
        yield Finding(
            RULE,
            handoff,
            handoff.source.lines.first_line_of(problem.span),
            say(
                "`{field}` is {found}, but must be {must_be}",
                field=slot.title,
                found=_quoted(handoff, shown(problem.found, 40)),
                must_be=translated(slot.field.kind.must_be),
            ),
            note=slot.field.because if severity == "error" else "",
            slot=slot,
            severity=severity,
            upstream=upstream_tokens(tokens, slot, problem.found),
            fixes=partial(_fixes, handoff, slot),
            withholds=is_unclear(handoff, slot),
        )


def _quoted(handoff: Handoff, found: str) -> str:
    """A value in quotes, unless it has some already or is a list, an object or a word of JSON."""
    return found if handoff.body.quoted or not found or found[0] in "\"'[{" else f'"{found}"'


def _fixes(handoff: Handoff, slot: Slot) -> Iterator[Fix]:
    problem = slot.problem
    assert problem is not None
    found = problem.found.strip()
    if slot.field.kind.holds == "plain items" and (said := nothing_in(handoff, found)):
        if said == "nothing" and not handoff.values.holds(slot.field.filled):
            yield Fix(say("Change `{field}` to `[]`", field=slot.title), (Edit(problem.span, "[]"),), safe=False)
    elif slot.field.kind.holds == "plain items" and _may_be_item(slot, found):
        yield Fix(
            say("Wrap the value of `{field}` in a list", field=slot.title),
            (Edit(problem.span, f"[{found}]"),),
            safe=True,
        )
    elif slot.field.kind.json == "number" and found.startswith('"') and found.strip('"').strip().lstrip("-").isdigit():
        yield Fix(
            say("Write `{field}` as a number", field=slot.title),
            (Edit(problem.span, found.strip('"').strip()),),
            safe=True,
        )


def _may_be_item(slot: Slot, found: str) -> bool:
    """Whether a value can be one item of the list: an object, a text, or any scalar if the items are untyped."""
    item = slot.field.items.kind.holds if slot.field.items is not None else "anything"
    if found[:1] == "{":
        return item == "fields"
    plain = item != "fields" and found not in {"true", "false", "null"}
    return found[:1] not in "[" and (item == "anything" or plain)


RULE = Rule("invalid-type", "values", "error", check, fixable="sometimes", unfinished="here")
