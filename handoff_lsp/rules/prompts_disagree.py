"""Two prompts of the workspace disagree about the values of a field.

## What it does
Compares the values that an agent, orchestrator or skill writes or reads with the pages, skills and templates that list
the values of that field: those to which the prompt refers, else all of them. Reports a value that none of these lists
has. Also reports the list of an agent that lacks a value, or has one more, if at least three other agents
have one and the same list, and hardly any has another.

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

from collections.abc import Callable, Iterator

from handoff_lsp.contracts.names import key_name
from handoff_lsp.language import say
from handoff_lsp.prompts.agreement import FieldList, is_list
from handoff_lsp.prompts.statement import Enumeration, Statement
from handoff_lsp.prompts.vocabulary import KnownField
from handoff_lsp.rules.prompted import PromptText
from handoff_lsp.rules.rule import Finding, Fix, Rule, counted, reported_elsewhere, shown
from handoff_lsp.rules.shared.drift import (
    LONGEST,
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
    untranslated,
    value_list,
)
from handoff_lsp.text import Edit

# So many other agents have one list, and all other lists together are at most this part of them.
_ENOUGH_AGENTS = 3
_OTHER_PART = 10


def check_prompt(prompt: PromptText) -> Iterator[Finding]:
    """The values that no description has, and the lists that differ from those of the other agents."""
    reported: set[tuple[str, str, str]] = set()
    if prompt.said.speaker.kind not in {"page", "template"}:
        for one, field in comparable(prompt, "emits", "handles"):
            missing = lacking(prompt, one, field)
            if missing is not None and not prompt.is_covered(one.span):
                reported.add((one.contract, one.path, one.value))
                yield _missing(prompt, one, field, missing)
    if prompt.said.speaker.kind == "agent":
        yield from _among_agents(prompt, reported)
    yield from _of_translation(prompt)


def _of_translation(prompt: PromptText) -> Iterator[Finding]:
    """The values that a translation lacks, or has alone."""
    original = untranslated(prompt.path)
    for own in prompt.said.enumerations if original else ():
        field = choice_field(prompt, own)
        if field is None or own.act == "forbids" or not is_list(own, field.values):
            continue
        lists = in_pack(prompt, own, field).lists
        theirs = next((one for path, one in lists.items() if path.rpartition("/")[2] == original), None)
        if theirs is None or lists.get(prompt.path) is None or lists[prompt.path].enumeration != own:
            continue
        ours = lists[prompt.path].values
        first = own.items[0]
        for value in theirs.enumeration.values:
            given = Statement(own.contract, own.path, first.label, value, own.act, True, own.span)
            if key_name(value) not in ours and not prompt.is_allowed(given):
                message = say(
                    "This translation lacks the `{field}` `{value}`, which `{name}` has",
                    field=label_of(first, field),
                    value=shown(value, LONGEST),
                    name=original,
                )
                yield _differs(prompt, given, [theirs], message)
        for one in own.items:
            if key_name(one.value) not in theirs.values and one.value in field.values and not prompt.is_allowed(one):
                message = say(
                    "`{name}`, of which this is a translation, lacks the `{field}` `{value}`",
                    field=label_of(one, field),
                    value=shown(one.value, LONGEST),
                    name=original,
                )
                yield _differs(prompt, one, [theirs], message)


def _missing(prompt: PromptText, one: Statement, field: KnownField, missing: Lacking) -> Finding:
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
        fixes=_change(one, meant) if meant else None,
    )


def _listed_with(prompt: PromptText, one: Statement) -> tuple[str, ...]:
    """The values beside one in its own list; empty if it is in none."""
    return next((each.values for each in prompt.said.enumerations if one in each.items), ())


def _change(one: Statement, meant: str) -> Callable[[], Iterator[Fix]]:
    def make() -> Iterator[Fix]:
        title = say("Change {found} to `{right}`", found=f"`{shown(one.value, LONGEST)}`", right=meant)
        yield Fix(title, (Edit(one.span, meant),), safe=False)

    return make


def _among_agents(prompt: PromptText, reported: set[tuple[str, str, str]]) -> Iterator[Finding]:
    seen: set[tuple[str, str]] = set()
    for own in prompt.said.enumerations:
        about = (own.contract, own.path)
        field = choice_field(prompt, own)
        if field is None or own.act != "emits" or about in seen or not is_list(own, field.values):
            continue
        seen.add(about)
        others = _usual(prompt, own, field)
        if not others:
            continue
        theirs = others[0].enumeration.values
        agents = counted(len(others), "other agent")
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
        values = set(map(key_name, own.values))
        for value in theirs:
            one = Statement(own.contract, own.path, own.items[0].label, value, own.act, True, own.span)
            if key_name(value) not in values and not prompt.is_allowed(one):
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


def _differs(prompt: PromptText, one: Statement, others: list[FieldList], message: str) -> Finding:
    return Finding(
        RULE,
        None,
        one.span,
        message,
        hint=say("Their values: {listed}", listed=value_list(others[0].enumeration.values)),
        field=one.path,
        related=places(prompt, others),
    )


def _usual(prompt: PromptText, own: Enumeration, field: KnownField) -> list[FieldList]:
    """The other agents with the list that nearly all of them have, if that is another one than this agent's."""
    about = in_pack(prompt, own, field)
    found = about.lists_of_agents
    pages = [about.descriptions[path] for path in prompt.sent_to if path in about.descriptions]
    values = frozenset(map(key_name, own.values))
    usual = max(found, key=lambda each: len(found[each]), default=values)
    others = [one for one in found.get(usual, ()) if one.by.path != prompt.path]
    number = sum(map(len, found.values())) - len(found.get(usual, ())) - (values != usual)
    having = len(others) + any(frozenset(map(key_name, each.enumeration.values)) == usual for each in pages)
    return others if usual != values and others and having >= max(_ENOUGH_AGENTS, _OTHER_PART * number) else []


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
