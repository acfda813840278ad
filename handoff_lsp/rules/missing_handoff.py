"""The handoff that an agent owes is missing.

## What it does
Checks the final message of an agent, and the file that it must write, for the handoff that it owes. Contracts say what
the agents of their systems owe; `[agents.NAME]` in the config says it for other agents. An agent of which nothing is
known owes nothing.

## Why is this bad?
The orchestrator finds no status. It treats the work as failed, waits, or takes the text for a success.

## How to fix
Return the message again with the handoff.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.language import say
from handoff_lsp.rules.returned import ReturnedText
from handoff_lsp.rules.rule import Finding, Rule, reported_elsewhere


def of_return(returned: ReturnedText) -> Iterator[Finding]:
    """The debts that no handoff of the text pays."""
    for owed in returned.debts:
        if not returned.paid(owed):
            title = returned.registry[owed.contract].contract.title
            message = say("The {title} that `{agent}` owes is missing", title=title, agent=owed.agent)
            yield Finding(RULE, None, returned.first_line, message, note=owed.because)


RULE = Rule(
    "missing-handoff",
    "missing content",
    "error",
    reported_elsewhere,
    of_return=of_return,
    own=True,
    unfinished="anywhere",
)
