"""A prompt names a value that its contract does not have.

## What it does
Reads the values that agent definitions, commands, skills and pages about a contract give for one of its fields: in
code, in tables and lists, and in the handoffs that they show. Reports those that no profile of the contract has.

Of a format that handoff-lsp knows, a pack may have its own variety. A value counts as known if a page, skill or
template of the workspace lists it, and a prompt of another name has it, too; if one of these has it three times; or if
an orchestrator lists it and names it twice more. A list in which at least half of the fields are not the contract's is
about something else. A contract of the workspace is never overruled.

In pages for people, those in `docs` or `wiki`, only the values of lists count.

## Why is this bad?
Agents write the words of their prompts. The orchestrator does not know this one: it stops, or takes the work as failed.

## How to fix
Use a value of the contract, or add the value to the contract and to the orchestrator.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

from handoff_lsp.contracts.names import places_of
from handoff_lsp.language import say
from handoff_lsp.prompts.statement import PromptStatement
from handoff_lsp.rules.prompts.drift import is_own
from handoff_lsp.rules.prompts.fixes import change
from handoff_lsp.rules.prompts.listed import field_lists
from handoff_lsp.rules.prompts.prompted import PromptText
from handoff_lsp.rules.rule import Finding, Rule, reported_elsewhere, shown

# The most values that a message lists.
_MOST = 6
# A word that a prompt has so often is no slip.
_USUAL = 3


def check_prompt(prompt: PromptText) -> Iterator[Finding]:
    """The values that no profile of the contract has."""
    stated = _listed(prompt) if prompt.is_documentation else prompt.said.statements
    own_objects = [
        (one.listed.contract, one.span) for one in field_lists(prompt) if not one.parent and one.is_own_object
    ]
    for one in stated:
        field = prompt.field(one)
        if field is None or not one.value or one.act == "forbids" or not one.sure or one.value in field.values:
            continue
        if is_own(prompt, one, field) or (prompt.registry[one.contract].origin is None and _is_usual(prompt, one)):
            continue
        if field.field.names:
            continue  # `unknown-agent` is about these
        if any(one.contract == contract and span.covers(one.span) for contract, span in own_objects):
            continue
        if any(prompt.words(contract).named(one.value) for contract in prompt.said.contracts):
            continue  # the name of a field, perhaps of another contract
        near = field.meant(one.value)
        if (near is None and field.field.open) or prompt.is_covered(one.span) or prompt.is_allowed(one):
            continue
        contract = prompt.registry[one.contract].contract
        values = list(field.values)
        listed = ", ".join(f"`{value}`" for value in values[:_MOST]) + (", …" if len(values) > _MOST else "")
        yield Finding(
            RULE,
            None,
            one.span,
            say(
                "The {title} has no `{field}` `{value}`",
                title=contract.title,
                field=one.label or field.field.title,
                value=shown(one.value, 30),
            ),
            note=contract.unread if one.path == contract.status else "",
            hint=say("Did you mean `{near}`?", near=near.value)
            if near is not None
            else say("Known values: {listed}", listed=listed),
            severity="error" if one.path == contract.status else None,
            field=one.path,
            fixes=partial(change, one.span, shown(one.value, 30), near.value) if near is not None else None,
        )


def _listed(prompt: PromptText) -> Iterator[PromptStatement]:
    """The values in lists that are the contract's, most of them known: in a page for people, others may be examples."""
    for each in prompt.said.enumerations:
        field = prompt.words(each.contract).fields.get(each.path)
        if field is not None and each.notation != "skeleton":
            known = sum(value in field.values for value in each.values)
            if 2 * (len(each.items) - known) <= known:
                yield from each.items


def _is_usual(prompt: PromptText, one: PromptStatement) -> bool:
    """Whether one who is no agent has a word throughout the prompt; an orchestrator in a list, too."""
    is_listed = any(one in each.items for each in prompt.said.enumerations)
    if one.speaker.kind == "agent" or (one.speaker.kind == "orchestrator" and not is_listed):
        return False
    return sum(1 for _ in islice(places_of(prompt.source.text, one.value, any_case=False), _USUAL)) == _USUAL


RULE = Rule(
    "unknown-value-in-prompt",
    "prompts",
    "warning",
    reported_elsewhere,
    fixable="sometimes",
    unfinished="here",
    of_prompt=check_prompt,
    own=True,
)
