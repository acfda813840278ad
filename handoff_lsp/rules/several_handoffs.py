"""Several handoffs where the reader takes one.

## What it does
Checks a final message for several handoffs of the contract that its agent owes: an error if the reader takes none of
several, or if the one that it takes, the first or the last, has another status than one that it ignores.

## Why is this bad?
The orchestrator acts on one of them and never sees the others.

## How to fix
Return one handoff with the final status.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.language import say
from handoff_lsp.rules.returned import ReturnedText, Shortfall, status
from handoff_lsp.rules.rule import Finding, Related, Rule, reported_elsewhere
from handoff_lsp.rules.shared.owing import finding_of, title_of


def of_return(returned: ReturnedText) -> Iterator[Finding]:
    """The debts that more than one handoff pays."""
    for one in returned.shortfalls:
        if one.found is None or one.taken is None:
            continue
        if one.reason == "several":
            message = say(
                "This is a second {title}, but `{agent}` owes only one",
                title=title_of(returned, one),
                agent=one.owed.agent,
            )
            related = Related(one.taken.home(), say("the first one"))
            yield finding_of(RULE, one, message, related=[related])
        elif one.reason == "contradiction":
            related = Related(one.taken.home(), say("the one that counts"))
            note = say("Its reader ignores this one")
            yield finding_of(RULE, one, _disagreement(one), note=note, related=[related])


def _disagreement(one: Shortfall) -> str:
    assert one.found is not None
    assert one.taken is not None
    own, other = status(one.found), status(one.taken)
    if one.owed.takes == "first":
        return say("This says `{own}`, but the first one, which counts, says `{other}`", own=own, other=other)
    return say("This says `{own}`, but the last one, which counts, says `{other}`", own=own, other=other)


RULE = Rule(
    "several-handoffs",
    "consistency",
    "error",
    reported_elsewhere,
    of_return=of_return,
    own=True,
    unfinished="anywhere",
)
