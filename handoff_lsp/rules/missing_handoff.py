"""The handoff that an agent owes is missing.

## What it does
Checks the final message of an agent, and the file that it must write, for the handoff that it owes. Contracts say what
the agents of their systems owe; `[agents.NAME]` in the config says it for other agents. An agent of which nothing is
known owes nothing. A template that is not filled in counts as missing.

## Why is this bad?
The orchestrator finds no status. It treats the work as failed, waits, or takes the text for a success.

## How to fix
Return the message again with the handoff. The fix appends the block to fill in.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.language import say
from handoff_lsp.rules.returned import ReturnedText
from handoff_lsp.rules.rule import Finding, Rule, reported_elsewhere
from handoff_lsp.rules.shared.owing import finding_of, insert_block, title_of


def of_return(returned: ReturnedText) -> Iterator[Finding]:
    """The debts for which the text has nothing, or only an unfilled template."""
    for one in returned.shortfalls:
        title, agent = title_of(returned, one), one.owed.agent
        if one.reason == "absent":
            message = say("The {title} that `{agent}` owes is missing", title=title, agent=agent)
            yield finding_of(RULE, one, message, fixes=partial(insert_block, returned, one))
        elif one.reason == "unfilled":
            yield finding_of(
                RULE, one, say("The {title} that `{agent}` owes is not filled in", title=title, agent=agent)
            )


RULE = Rule(
    "missing-handoff",
    "missing content",
    "error",
    reported_elsewhere,
    of_return=of_return,
    fixable="sometimes",
    own=True,
    unfinished="anywhere",
)
