"""Agents write a value that no orchestrator reads.

## What it does
Looks at the values of a field that prompts have agents write, where an orchestrator or a command of the
workspace lists the values of that field with its reactions. Reports those that none of them has, and to which no other
prompt reacts. A value that the contract does not have is reported by `unknown-value-in-prompt`, and one that the pages
about the field lack by `prompts-disagree`.

## Why is this bad?
The orchestrator has no reaction to this value: it stops, goes on without a reason, or guesses.

## How to fix
Add a reaction to the orchestrator's list, or use a value from it. If another program reads the value, allow it in the
config: `[[prompts.allow]]` with `field`, `value` and the reason, `because`.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.contracts.names import key_name
from handoff_lsp.language import say
from handoff_lsp.rules.prompts.drift import (
    LONGEST,
    comparable,
    consequence,
    file_name,
    in_pack,
    label_of,
    lacking,
    places,
    value_list,
)
from handoff_lsp.rules.prompts.prompted import PromptText
from handoff_lsp.rules.rule import Finding, Rule, reported_elsewhere, shown


def check_prompt(prompt: PromptText) -> Iterator[Finding]:
    """The values to write that no orchestrator has, although one lists the values of their field."""
    for one, field in comparable(prompt, "emits"):
        if one.speaker.kind in {"orchestrator", "page"}:
            continue
        found = in_pack(prompt, one, field)
        if not found.reactions or key_name(one.value) in found.handled or prompt.is_covered(one.span):
            continue
        if lacking(prompt, one, field) is not None:
            continue
        first = found.reactions[0]
        note, severity = consequence(prompt, one)
        yield Finding(
            RULE,
            None,
            one.span,
            say(
                "No orchestrator handles the `{field}` `{value}`: `{name}` does not list it",
                field=label_of(one, field),
                value=shown(one.value, LONGEST),
                name=file_name(first.by.path),
            ),
            note=note,
            hint=say("Its values: {listed}", listed=value_list(first.enumeration.values)),
            severity=severity,
            field=one.path,
            related=places(prompt, found.reactions),
        )


RULE = Rule(
    "value-nobody-handles",
    "prompts",
    "warning",
    reported_elsewhere,
    unfinished="here",
    of_prompt=check_prompt,
    own=True,
)
