"""A handoff that the agent does not owe.

## What it does
Checks for a handoff of a different format, or of a different agent, in place of the one that the agent owes. This
finding replaces all others about that handoff.

## Why is this bad?
The orchestrator looks for the fields of the agent's own handoff and finds none, or believes that another agent wrote
it.

## How to fix
Return the handoff that the agent owes, with its own fields and status words.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.language import say
from handoff_lsp.rules.returned import ReturnedText
from handoff_lsp.rules.rule import Finding, Rule, reported_elsewhere
from handoff_lsp.rules.shared.owing import finding_of, title_of


def of_return(returned: ReturnedText) -> Iterator[Finding]:
    """The debts in whose place there is a different handoff."""
    for one in returned.shortfalls:
        if one.found is None:
            continue
        spec, title, agent = one.found.spec, title_of(returned, one), one.owed.agent
        if one.reason == "other contract":
            message = say(
                "This is the {other}, but `{agent}` owes the {title}",
                other=spec.contract.title,
                agent=agent,
                title=title,
            )
            yield finding_of(RULE, one, message)
        elif one.reason == "other profile":
            message = say(
                "This is the {title} of `{other}`, not of `{agent}`", title=title, other=spec.profile, agent=agent
            )
            yield finding_of(RULE, one, message)


RULE = Rule(
    "wrong-contract",
    "missing content",
    "error",
    reported_elsewhere,
    of_return=of_return,
    own=True,
    unfinished="anywhere",
)
