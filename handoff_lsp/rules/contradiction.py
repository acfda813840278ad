"""Two statements of the handoff contradict each other.

## What it does
Checks for statements that cannot both be true, which no schema can express: `COMPLETE` with a failed verification,
`APPROVED` with an open row, a second status, or a remark that takes the status back, such as `complete, but the build
is broken`.

## Why is this bad?
The orchestrator acts on one of the two statements, and the other one may be the true one.

## How to fix
The message names both statements. Find out which one is true and correct the other one; if neither is certain, do not
claim success. `handoff-lsp explain CONTRACT/CHECK` explains one check: what must hold, and when.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Related, Rule, shown
from handoff_lsp.rules.shared.declared import declared
from handoff_lsp.rules.shared.denial import denial_of
from handoff_lsp.rules.shared.restated import dispute_of, doubts_beside, remark_of
from handoff_lsp.text import Span


def check(handoff: Handoff) -> Iterator[Finding]:
    """The contract's checks of this rule, and a status that is stated twice or qualified beside its value."""
    yield from declared(RULE, handoff)
    dispute = dispute_of(handoff)
    slot = handoff.status
    if dispute is not None and slot is not None and slot.token is not None:
        line = handoff.source.lines.line_of(slot.token.start) + 1
        yield Finding(
            RULE,
            handoff,
            handoff.source.lines.first_line_of(dispute.again.token or dispute.again.anchor()),
            say(
                "`{field}` is `{data}` here, but `{value}` on line {line}; only one can be right",
                field=slot.title,
                data=dispute.again.data,
                value=slot.data,
                line=line,
            ),
            severity="error" if dispute.acts else "warning",
            slot=slot,
            related=[Related(slot.token, say("`{field}` is `{value}` here", field=slot.title, value=slot.data))],
            withholds=not slot.field.judgement,
        )
    remark = remark_of(handoff) or denial_of(handoff)
    if remark is not None and slot is not None and slot.value is not None:
        said = shown(handoff.source.slice(remark).strip("\"'"), 40)
        value = slot.data if slot.field.kind.is_choice else _before(handoff, slot.value, remark)
        yield Finding(
            RULE,
            handoff,
            handoff.source.lines.first_line_of(remark),
            say('`{field}` says more than `{value}`: "{said}"', field=slot.title, value=value, said=said),
            note=say("Keep only the value that applies"),
            severity="warning",
            slot=slot,
            related=[Related(slot.value, say("`{field}` is `{value}` here", field=slot.title, value=value))],
            withholds=True,
        )
    for doubt in doubts_beside(handoff):
        said = shown(doubt.words.strip("\"'"), 40)
        yield Finding(
            RULE,
            handoff,
            handoff.source.lines.first_line_of(doubt.span),
            say(
                '`{field}` says more than `{value}`: "{said}"', field=doubt.slot.title, value=doubt.slot.data, said=said
            ),
            note=say("Keep only the value that applies"),
            severity="warning",
            slot=doubt.slot,
            related=[
                Related(
                    doubt.slot.value, say("`{field}` is `{value}` here", field=doubt.slot.title, value=doubt.slot.data)
                )
            ]
            if doubt.slot.value is not None and doubt.slot.value != doubt.span
            else (),
            withholds=True,
        )


def _before(handoff: Handoff, value: Span, remark: Span) -> str:
    """The part of a status before its remark, such as a count."""
    part = handoff.source.slice(Span(value.start, min(value.end, remark.start)))
    return shown(part.rstrip(" .,;:(—–*_"), 40)


RULE = Rule("contradiction", "consistency", "error", check, fixable="sometimes", unfinished="anywhere")
