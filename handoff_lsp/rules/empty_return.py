"""An agent returned nothing.

## What it does
Checks the final message of an agent that owes a handoff, and the file that it must write, for any text: letters or
digits besides tags and comments.

## Why is this bad?
The orchestrator cannot tell whether the agent did its work, failed, or never began.

## How to fix
Return the handoff. The fix inserts the block to fill in.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.language import say
from handoff_lsp.rules.returned import ReturnedText
from handoff_lsp.rules.rule import Finding, Rule, reported_elsewhere
from handoff_lsp.rules.shared.owing import finding_of, insert_block, title_of


def of_return(returned: ReturnedText) -> Iterator[Finding]:
    """The debts in a text that says nothing at all."""
    for one in returned.shortfalls:
        if one.reason == "empty":
            title, agent = title_of(returned, one), one.owed.agent
            message = (
                say("`{agent}` has written nothing into this file, and owes the {title}", title=title, agent=agent)
                if returned.path
                else say("The return of `{agent}` is empty, without the {title} that it owes", title=title, agent=agent)
            )
            yield finding_of(RULE, one, message, fixes=partial(insert_block, returned, one))


RULE = Rule(
    "empty-return",
    "missing content",
    "error",
    reported_elsewhere,
    of_return=of_return,
    fixable="always",
    own=True,
    unfinished="anywhere",
)
