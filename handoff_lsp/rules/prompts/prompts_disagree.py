"""Two prompts of the workspace disagree about the values of a field.

## What it does
Compares the values that an agent, orchestrator or skill writes or reads with the pages, skills and templates that
list the values of that field: those to which the prompt refers, else all of them. Reports a value that none of these
lists has. The list of an orchestrator is for others, and may be longer. Also reports the list of an agent that lacks
one value, or has one more, if the other agents, and the pages and orchestrators that list them, have one and the same
list: at least three, and three for each with another one.

Of several rules, the first one of these reports a value:

1. `unknown-value-in-prompt`: its contract does not have it.
2. This rule: no list that describes the field has it.
3. `value-nobody-handles`: only the orchestrators' lists lack it.

## Why is this bad?
The agent reads both prompts, and writes the word of either. The program that reads the handoff knows the words of one.

## How to fix
Use a value of the list, or add the value to it. If the difference is meant, allow it in the config:

```toml
[[prompts.allow]]
field = "status"
value = "skipped"
because = "doc-flow alone reads it"
```
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.contracts.names import key_name
from handoff_lsp.language import counted, say
from handoff_lsp.prompts.agreement import ValueList, is_list
from handoff_lsp.prompts.statement import Enumeration, PromptStatement, Speaker
from handoff_lsp.prompts.vocabulary import KnownField
from handoff_lsp.rules.prompts.drift import (
    LONGEST,
    NOTHING,
    Lacking,
    choice_field,
    comparable,
    consequence,
    file_name,
    in_pack,
    label_of,
    lacking,
    may_have,
    only_other,
    places,
    value_list,
)
from handoff_lsp.rules.prompts.fixes import change
from handoff_lsp.rules.prompts.prompted import PromptText
from handoff_lsp.rules.rule import Finding, Rule, reported_elsewhere, shown

# So many other agents, and so many prompts for each agent with yet another list, have one list.
_ENOUGH_AGENTS = 2
_ENOUGH = 3
# So many other prompts have the same list, and none has another one.
_ENOUGH_READERS = 2


def check_prompt(prompt: PromptText) -> Iterator[Finding]:
    """The values that no description has, and the lists that differ from those of the other agents."""
    reported: set[tuple[str, str, str]] = set()
    for one, field in comparable(prompt, "emits", "handles"):
        if one.speaker.kind in {"page", "template"} or (one.act == "handles" and _listed_with(prompt, one)):
            continue  # what others may write, and a list of its own, for others
        missing = lacking(prompt, one, field)
        if missing is not None and not prompt.is_covered(one.span):
            reported.add((one.contract, one.path, one.value))
            yield _missing(prompt, one, field, missing)
    yield from _differences(prompt, reported)


def _missing(prompt: PromptText, one: PromptStatement, field: KnownField, missing: Lacking) -> Finding:
    first = missing.lists[0]
    theirs = first.enumeration.values
    meant = only_other(_listed_with(prompt, one), theirs)
    note, severity = consequence(prompt, one)
    value, label, name = shown(one.value, LONGEST), label_of(one, field), file_name(first.by.path)
    return Finding(
        RULE,
        None,
        one.span,
        say("`{value}` is no `{field}` in `{name}`, which this prompt refers to", value=value, field=label, name=name)
        if missing.sent
        else say("`{value}` is no `{field}` in `{name}`", value=value, field=label, name=name),
        note=note,
        hint=say("Did you mean `{near}`?", near=meant)
        if meant
        else say("Its values: {listed}", listed=value_list(theirs)),
        severity=severity,
        field=one.path,
        related=places(prompt, missing.lists),
        fixes=partial(change, one.span, value, meant) if meant else None,
    )


def _listed_with(prompt: PromptText, one: PromptStatement) -> tuple[str, ...]:
    """The values beside one in its own list; empty if it is in none."""
    return next((each.values for each in prompt.said.enumerations if one in each.items), ())


def _differences(prompt: PromptText, reported: set[tuple[str, str, str]]) -> Iterator[Finding]:
    """What the longest lists of this prompt lack, or have beyond those of the others."""
    seen: set[tuple[str, str, Speaker]] = set()
    for own in prompt.said.enumerations:
        is_agent = own.speaker.kind == "agent"
        about = (own.contract, own.path)
        field = choice_field(prompt, own)
        if (
            field is None
            or (is_agent and own.act != "emits")
            or (*about, own.speaker) in seen
            or not is_list(own, field.values)
        ):
            continue
        seen.add((*about, own.speaker))
        others = (_usual_of_agents if is_agent else _usual_of_readers)(prompt, own, field)
        if not others:
            continue
        theirs = others[0].enumeration.values
        values = set(map(key_name, own.values))
        known_elsewhere = in_pack(prompt, own, field).lists.get((prompt.path, own.speaker))
        if known_elsewhere is not None and not is_agent:
            values |= known_elsewhere.values
        if len((values ^ set(map(key_name, theirs))) - NOTHING) > 1:
            continue  # a list of its own
        agents = counted(len(others), "other agent") if is_agent else counted(len(others), "other prompt")
        for one in own.items:
            known = may_have(field, one.value) and (*about, one.value) not in reported
            if known and key_name(one.value) not in map(key_name, theirs) and not prompt.is_allowed(one):
                yield _differs(
                    prompt,
                    one,
                    others,
                    say(
                        "Of {agents}, none lists `{value}` as `{field}`",
                        agents=agents,
                        value=shown(one.value, LONGEST),
                        field=label_of(one, field),
                    ),
                )
        for value in theirs:
            one = PromptStatement(
                own.contract, own.path, own.items[0].label, value, own.act, own.speaker, True, own.items[-1].span
            )
            if key_name(value) not in values | NOTHING and not prompt.is_allowed(one):
                yield _differs(
                    prompt,
                    one,
                    others,
                    say(
                        "The values of `{field}` lack `{value}`, which {agents} list",
                        agents=agents,
                        value=shown(value, LONGEST),
                        field=label_of(one, field),
                    ),
                )


def _differs(prompt: PromptText, one: PromptStatement, others: list[ValueList], message: str) -> Finding:
    return Finding(
        RULE,
        None,
        one.span,
        message,
        hint=say("Their values: {listed}", listed=value_list(others[0].enumeration.values)),
        # A phase may have fewer values than the others.
        severity="information" if key_name(one.value) in _keys(others[0].enumeration) else None,
        field=one.path,
        related=places(prompt, others),
    )


def _usual_of_agents(prompt: PromptText, own: Enumeration, field: KnownField) -> list[ValueList]:
    """The other agents with the usual list, if it differs from this agent's."""
    about = in_pack(prompt, own, field)
    found = about.lists_of_agents
    values = _keys(own)
    usual = max(found, key=lambda each: len(found[each]), default=values)
    if usual == values:
        return []
    own_voice = (prompt.path, own.speaker)
    others = [one for one in found.get(usual, ()) if one.voice != own_voice]
    number = sum(map(len, found.values())) - len(found.get(usual, ())) - 1
    having = len(others) + sum(_keys(each.enumeration) == usual for each in about.readers if each.voice != own_voice)
    enough = len(others) >= _ENOUGH_AGENTS and having >= max(_ENOUGH, _ENOUGH * number)
    return others if enough else []


def _usual_of_readers(prompt: PromptText, own: Enumeration, field: KnownField) -> list[ValueList]:
    """The other prompts that list the values for agents, if they all have the same ones.

    For a table or list: other notations may show what one phase returns.
    """
    if own.notation not in {"table", "list"}:
        return []
    others = [each for each in in_pack(prompt, own, field).readers if each.voice != (prompt.path, own.speaker)]
    return others if len(others) >= _ENOUGH_READERS and len({_keys(each.enumeration) for each in others}) == 1 else []


def _keys(one: Enumeration) -> frozenset[str]:
    return frozenset(map(key_name, one.values))


RULE = Rule(
    "prompts-disagree",
    "prompts",
    "warning",
    reported_elsewhere,
    fixable="sometimes",
    unfinished="here",
    of_prompt=check_prompt,
    own=True,
)
