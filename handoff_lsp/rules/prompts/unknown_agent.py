"""A prompt names an agent that does not exist.

## What it does
Looks at the names of agents in prompts about a contract: in fields that hold one, such as `NEXT: reviewer`, and in
calls of an agent, such as `subagent_type: "reviewer"`. Reports those that neither the contract nor the workspace knows.
Silent where the workspace defines no agents, or has them in a file of several, such as `opencode.json`.

## Why is this bad?
The call fails, or the orchestrator finds no agent of that name and stops.

## How to fix
Use the name of an agent. If the agent is installed elsewhere, allow it in the config: `[[prompts.allow]]` with the name
as `value`, and the reason, `because`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from handoff_lsp.contracts.kinds import Kind, kinds_of
from handoff_lsp.contracts.names import key_name, nearest
from handoff_lsp.contracts.owed import agent_name
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.language import say
from handoff_lsp.prompts.statement import PromptStatement
from handoff_lsp.prompts.vocabulary import ContractWords, KnownField
from handoff_lsp.rules.prompts.fixes import change
from handoff_lsp.rules.prompts.prompted import PromptText
from handoff_lsp.rules.rule import Finding, Rule, reported_elsewhere
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

# The parameter of the tool that starts an agent, as Claude Code and others have it, with its value.
_CALL = lazy_pattern(r"\bsubagent_?[tT]ype[\"'`]?\s*[:=]\s*[\"'`](?P<name>[A-Za-z][\w-]*)[\"'`]")
# The name of an agent, and words in place of one.
_NAME = lazy_pattern(r"[A-Za-z][\w-]{1,60}")
_PLACEHOLDER = lazy_pattern(
    r"(?i)(?:.*[-_])?(?:name|agents?|type|id|placeholder|foo|bar|xxx?|something|value)|(?:next|your|my|some|other|target|any)[-_].*"
    r"|next|same|self|agent.*"
)
# The agents that the programs bring along.
_BUILT_IN = frozenset(
    re.split(
        r"\s+",
        "general-purpose general explore plan build statusline-setup output-style-setup claude-code-guide claude bash "
        "default worker explorer generalpurpose shell browser-use task research compaction title summary "
        "codebase-investigator cli-help generalist",
    )
)
# A written name of a field that nothing but a field has.
_KEY = lazy_pattern(r"[a-z]+(?:_[a-z]+)+|[A-Z]+(?:_[A-Z]+)+")
# The least similarity of a name that may be meant.
_SLIP = 0.7


def check_prompt(prompt: PromptText) -> Iterator[Finding]:
    """The names of agents that nobody knows."""
    agents: frozenset[str] | None = None
    seen: set[Span] = set()
    for name, span, field in (*_in_statements(prompt), *_in_fields(prompt), *_in_calls(prompt)):
        if span in seen or _NAME.fullmatch(name) is None or _PLACEHOLDER.fullmatch(name) or prompt.is_covered(span):
            continue
        seen.add(span)
        kind = kinds_of(prompt.registry).get("agents")
        if _is_known(prompt, name, field, kind):  # asks for no other document
            continue
        agents = prompt.around.agents() if agents is None else agents
        if not agents or _is_among(name, agents, kind):
            continue
        path = field.path if field is not None else ""
        contract = next(iter(prompt.said.contracts), "")
        speaker = prompt.said.speakers.at(span.start)
        if prompt.is_allowed(PromptStatement(contract, path, "", name, "mentions", speaker)):
            continue
        near = nearest(name, sorted(agents), cutoff=_SLIP)
        yield Finding(
            RULE,
            None,
            span,
            say("No agent `{name}` is defined in the workspace", name=name),
            note=say("The orchestrator finds no {about} of that name", about="agent"),
            hint=say("Did you mean `{near}`?", near=near) if near is not None else "",
            field=path or None,
            fixes=partial(change, span, name, near) if near is not None else None,
        )


def _in_statements(prompt: PromptText) -> Iterator[tuple[str, Span, KnownField | None]]:
    """The values of fields that hold the name of an agent."""
    for one in prompt.said.statements:
        field = prompt.field(one) if one.value and one.sure and one.act != "forbids" else None
        # An agent's own name is known, too; elsewhere it may be that of any agent.
        own = field is not None and field.field.names == "agents" and one.speaker.kind == "agent"
        if field is not None and (own or _holds_agent(field)):
            yield one.value, one.span, field


def _in_fields(prompt: PromptText) -> Iterator[tuple[str, Span, KnownField | None]]:
    """The values of such fields that have no list of values: of several words, after a name that only a field has."""
    for contract in prompt.said.contracts:
        for pattern, field in _patterns(prompt.words(contract)):
            for match in pattern.finditer(prompt.source.text):
                name, naming = match["name"], field.field.naming
                if not naming or any(found == name for found in _named(naming, name)):
                    yield name, Span(*match.span("name")), field


def _in_calls(prompt: PromptText) -> Iterator[tuple[str, Span, KnownField | None]]:
    text = prompt.source.text
    for match in _CALL.finditer(text) if "subagent" in text else ():
        yield match["name"], Span(*match.span("name")), None


def _named(naming: list[str], text: str) -> Iterator[str]:
    for pattern in naming:
        found = search(pattern, text)
        if found is not None:
            yield text[slice(*found.groups["name"])]


def _holds_agent(field: KnownField) -> bool:
    return field.field.names == "agents"


@once_per_field
def _patterns(words: ContractWords) -> tuple[tuple[re.Pattern[str], KnownField], ...]:
    found = []
    for field in words.fields.values():
        keys = sorted(title for title in field.titles if _KEY.fullmatch(title))
        if keys and _holds_agent(field) and not field.values:
            pattern = (
                rf"(?<![\w.-])(?:{'|'.join(keys)})[\"'`*]*[ \t]*[:=][ \t]*[\"'`]*"
                rf"(?P<name>[A-Za-z][a-z]*(?:[-_][a-z]+)+)(?=[\"'`]|[ \t]*(?:$|[|,}}\r\n]))"
            )
            found.append((re.compile(pattern, re.M), field))
    return tuple(found)


def _is_known(prompt: PromptText, name: str, field: KnownField | None, kind: Kind | None) -> bool:
    """Whether a program brings an agent of that name along, or a contract knows it, perhaps as a word for no agent."""
    if agent_name(name) in _BUILT_IN or (field is not None and key_name(name) in map(key_name, field.values)):
        return True
    if kind is None:
        return False
    key = kind.key(name)
    known = {kind.key(value.value) for each in kind.definitions for value in each.values} | kind.also
    contract = prompt.registry[prompt.said.contracts[0]].contract
    return kind.is_word(name) or name.casefold() in contract.empty_words or any(kind.same(key, one) for one in known)


def _is_among(name: str, agents: frozenset[str], kind: Kind | None) -> bool:
    compared = agent_name(name).removesuffix("-agent")
    if compared in agents or any(one.removesuffix("-agent") == compared for one in agents):
        return True
    return kind is not None and any(kind.same(kind.key(name), kind.key(one)) for one in agents)


RULE = Rule(
    "unknown-agent",
    "prompts",
    "warning",
    reported_elsewhere,
    fixable="sometimes",
    unfinished="here",
    of_prompt=check_prompt,
    own=True,
)
