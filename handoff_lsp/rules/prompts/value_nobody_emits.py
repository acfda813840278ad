"""A prompt lists a value that no agent writes.

## What it does
Looks at the values of a field that an orchestrator or a page lists, where agents of the workspace list the values that
they write. Reports those that no agent, skill or template has, if they have most of the others. A value that the
contract does not have is reported by `unknown-value-in-prompt`.

## Why is this bad?
The reaction to this value never happens. Mostly the agents write another word for it, or it was left behind when they
changed.

## How to fix
Have an agent write the value, or remove it from the list. If another program writes it, allow it in the config:
`[[prompts.allow]]` with `field`, `value` and the reason, `because`.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.contracts.names import key_name
from handoff_lsp.language import counted, say
from handoff_lsp.prompts.agreement import is_list
from handoff_lsp.rules.prompts.drift import LONGEST, choice_field, in_pack, label_of, may_have, places, value_list
from handoff_lsp.rules.prompts.prompted import PromptText
from handoff_lsp.rules.rule import Finding, Rule, reported_elsewhere, shown

# Agents have all values of the list but this part of them.
_UNWRITTEN_PART = 3


def check_prompt(prompt: PromptText) -> Iterator[Finding]:
    """The listed values that no agent has."""
    reported: set[tuple[str, str, str]] = set()
    for each in prompt.said.enumerations:
        field = choice_field(prompt, each)
        if field is None or each.speaker.kind not in {"orchestrator", "page"} or not is_list(each, field.values):
            continue
        found = in_pack(prompt, each, field)
        agents = [one for lists in found.lists_of_agents.values() for one in lists]
        missing = [one for one in each.items if may_have(field, one.value) and key_name(one.value) not in found.written]
        if not agents or not missing or len(missing) * _UNWRITTEN_PART > len(set(each.values)):
            continue
        for one in missing:
            about = (one.contract, one.path, one.value)
            if about in reported or prompt.is_covered(one.span) or prompt.is_allowed(one):
                continue
            reported.add(about)
            values = [value for listed in agents for value in listed.enumeration.values]
            yield Finding(
                RULE,
                None,
                one.span,
                say(
                    "No agent writes the `{field}` `{value}`",
                    field=label_of(one, field),
                    value=shown(one.value, LONGEST),
                ),
                hint=say(
                    "{agents} list other values: {listed}",
                    agents=counted(len(agents), "agent"),
                    listed=value_list(values),
                ),
                field=one.path,
                related=places(prompt, agents),
            )


RULE = Rule(
    "value-nobody-emits",
    "prompts",
    "information",
    reported_elsewhere,
    unfinished="here",
    of_prompt=check_prompt,
    own=True,
)
