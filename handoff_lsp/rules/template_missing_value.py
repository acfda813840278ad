"""Template without all status values.

## What it does
Checks that the status of a template lists every value.

## Why is this bad?
An agent that never sees `blocked` never asks a human.

## How to fix
List every value in the template.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.names import says
from handoff_lsp.language import say, say_count
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.rules.shared.absent import is_status


def check(handoff: Handoff) -> Iterator[Finding]:
    """The status's values, anywhere in its section."""
    for slot in handoff.to_judge:
        if not is_status(handoff, slot) or not slot.written or slot.span is None:
            continue
        if handoff.body.quoted and slot.data is not None:
            continue  # the value with which a handoff begins
        text = handoff.source.slice(slot.span)
        absent = [value.value for value in slot.field.offered if not says(text, value.value, any_case=False)]
        if absent:
            names = ", ".join(f"`{value}`" for value in absent)
            yield Finding(
                RULE,
                handoff,
                slot.token or handoff.home(),
                say_count(
                    "Template lacks the `{field}` value {names}",
                    "Template lacks the `{field}` values {names}",
                    len(absent),
                    field=slot.title,
                    names=names,
                ),
                note=say("Agents write only values that the template shows"),
                slot=slot,
            )


RULE = Rule("template-missing-value", "templates", "error", check, modes=("template",), unfinished="anywhere")
