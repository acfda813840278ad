"""A handoff where its reader does not look.

## What it does
Checks for the handoff that an agent owes in other places than its reader's: in an earlier message, in a quotation, in
a fence with another text, or above more text if the reader takes it only from the end of the message. A fence of
Markdown with nothing else, a rule or a tag around it is no such place.

## Why is this bad?
The orchestrator treats it as missing, although the agent has written it.

## How to fix
Return it in the final message, outside quotations and fences of other texts, and as the last thing in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.language import say
from handoff_lsp.rules.returned import ReturnedText, Shortfall
from handoff_lsp.rules.rule import Finding, Fix, Rule, reported_elsewhere
from handoff_lsp.rules.shared.owing import finding_of, title_of
from handoff_lsp.text import Edit, Span
from handoff_lsp.writing.owed_block import appended
from handoff_lsp.writing.skeleton import Skeleton, escape_snippet


def of_return(returned: ReturnedText) -> Iterator[Finding]:
    """The debts that a handoff in the wrong place would pay."""
    for one in returned.shortfalls:
        title, agent = title_of(returned, one), one.owed.agent
        if one.reason == "earlier":
            message = say("The {title} that `{agent}` owes is in an earlier message", title=title, agent=agent)
            yield finding_of(RULE, one, message)
        elif one.reason == "quoted":
            message = say("The {title} that `{agent}` owes is only quoted", title=title, agent=agent)
            yield finding_of(RULE, one, message)
        elif one.reason == "fenced":
            message = say(
                "The {title} that `{agent}` owes is inside a fence with another text", title=title, agent=agent
            )
            yield finding_of(RULE, one, message)
        elif one.reason == "not last":
            message = say("The {title} that `{agent}` owes must be at the end", title=title, agent=agent)
            yield finding_of(RULE, one, message, fixes=partial(_to_the_end, returned, one))


def _to_the_end(returned: ReturnedText, one: Shortfall) -> Iterator[Fix]:
    """Move a handoff below the text that follows it."""
    text, found = returned.source.text, one.found
    if found is None or not found.is_part:
        return
    lines = returned.source.lines
    start, last = lines.line_start(lines.line_of(found.span.start)), lines.line_of(max(found.span.end - 1, 0))
    end = lines.line_start(last + 1) if last + 1 < lines.count else len(text)
    while text[end : end + 1] in {"\r", "\n"}:
        end += 1
    block = "\n".join(text[start : found.span.end].splitlines())
    moved = appended(text, Skeleton(block, escape_snippet(block)))._replace(snippet=None)
    yield Fix(say("Move to the end"), (Edit(Span(start, end), ""), moved), safe=False)


RULE = Rule(
    "misplaced-handoff",
    "missing content",
    "error",
    reported_elsewhere,
    of_return=of_return,
    fixable="sometimes",
    own=True,
    unfinished="anywhere",
)
