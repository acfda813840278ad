"""A return that ends in the middle.

## What it does
Checks for a final message that ends before its handoff does: in JSON without its last bracket in a fence without an
end, or where a hook knows that the message was cut off. This finding replaces those about what is missing after that
place.

## Why is this bad?
The rest of the handoff is lost. What is there may be wrong without it.

## How to fix
Return the whole handoff again; a shorter one if the message has a limit.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.language import say
from handoff_lsp.rules.returned import ReturnedText
from handoff_lsp.rules.rule import Finding, Rule, reported_elsewhere
from handoff_lsp.rules.shared.owing import finding_of, title_of


def of_return(returned: ReturnedText) -> Iterator[Finding]:
    """The debts of which the text has only the beginning."""
    for one in returned.shortfalls:
        if one.reason == "cut off":
            title, agent = title_of(returned, one), one.owed.agent
            yield finding_of(
                RULE, one, say("The {title} that `{agent}` owes is cut off here", title=title, agent=agent)
            )


RULE = Rule(
    "cut-off",
    "missing content",
    "error",
    reported_elsewhere,
    of_return=of_return,
    own=True,
    unfinished="anywhere",
)
