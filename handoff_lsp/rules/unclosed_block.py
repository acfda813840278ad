"""Unclosed block.

## What it does
Checks for fences, comments and blocks between two marker lines that are not closed, and marks the opening line.

## Why is this bad?
The rest of the document becomes part of the block, and a parser that looks for the closing line finds no block.

## How to fix
Close the fence with its marker, the comment with `-->`, the block with its last marker line.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.language import say
from handoff_lsp.rules.rule import EVERY_MODE, Finding, Fix, Rule
from handoff_lsp.syntax.markdown.incremental import Node
from handoff_lsp.text import Edit, Span, line_start
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.placement import settled

_MARKER = lazy_pattern(r"[^>\s]")


def check(handoff: Handoff) -> Iterator[Finding]:
    """An unclosed fence or comment: the handoff's own, or one that swallows its sections."""
    for swallowing in handoff.unclosed:
        note = say("Everything below it counts as its content, sections too")
        message = say("This fence is not closed")
        yield Finding(
            RULE, handoff, swallowing.opening, message, note=note, fixes=partial(_close_early, handoff, swallowing)
        )
    if handoff.open_comment:
        message, note = say("This comment is not closed"), say("Everything below it is part of it and shown to nobody")
        span = handoff.source.lines.first_line_of(handoff.span)
        yield Finding(RULE, handoff, span, message, note=note, fixes=partial(_close_comment, handoff))
    if _ends_in_open_fence(handoff) and handoff.node is not None:
        message, note = say("This fence is not closed"), say("Everything below it counts as its content")
        yield Finding(
            RULE, handoff, handoff.node.opening, message, note=note, fixes=partial(_close_early, handoff, handoff.node)
        )
    if handoff.open_lines and handoff.run_form is not None:
        last = handoff.run_form.last_line
        message, note = (
            say("The line `{last}` that ends this block is missing", last=last),
            handoff.spec.contract.unread,
        )
        span = handoff.source.lines.first_line_of(handoff.span)
        edit = settled(handoff.source.text, Edit(Span(handoff.span.end, handoff.span.end), f"\n{last}"))
        yield Finding(
            RULE,
            handoff,
            span,
            message,
            note=note,
            fixes=lambda: [Fix(say("Insert `{last}`", last=last), (edit,), safe=False)],
        )
    node, fence = handoff.own_fence, handoff.fence_form
    if node is None or fence is None or node.closed:
        return
    yield Finding(
        RULE,
        handoff,
        node.opening,
        say("The `{info}` fence is not closed", info=node.info) if node.info else say("This fence is not closed"),
        note=handoff.spec.contract.unread,
        field=fence.root or None,
        upstream=fence.upstream.get("unclosed") or fence.upstream.get("unreadable", []),
        fixes=lambda: _fixes(handoff),
    )


def _ends_in_open_fence(handoff: Handoff) -> bool:
    """Whether a run is the last thing in its fence, which is not closed."""
    node = handoff.node
    return handoff.open_fence and node is not None and not handoff.source.text[handoff.span.end : node.span.end].strip()


def _close_comment(handoff: Handoff) -> Iterator[Fix]:
    """Close a comment after the lines that belong to it."""
    fragment, text = handoff.body.fragment, handoff.source.text
    if fragment is None or not fragment.text.strip():
        return
    end = fragment.outer(len(fragment.text.rstrip()) - 1) + 1
    edit = settled(text, Edit(Span(end, end), "\n-->"))
    yield Fix(say("Close the comment"), (edit,), safe=False)


def _close_early(handoff: Handoff, node: Node) -> Iterator[Fix]:
    """Close a fence before the first blank line or heading in it, where its author most likely ended it."""
    lines = handoff.source.lines
    last = lines.line_of(node.opening.start)
    while last + 1 < lines.count:
        text = lines.line_text(last + 1).strip(" \t>")
        if not text or text.startswith("#"):
            break
        last += 1
    end = lines.line_end(last)
    edit = settled(handoff.source.text, Edit(Span(end, end), f"\n{_lead(handoff, node)}{node.marker}"))
    yield Fix(say("Close the fence"), (edit,), safe=False)


def _fixes(handoff: Handoff) -> Iterator[Fix]:
    node, fragment, text = handoff.node, handoff.body.fragment, handoff.source.text
    if node is None or fragment is None:
        return
    end, whole = handoff.body.end()
    at = fragment.outer(end - 1) + 1 if end else node.opening.end
    lines, lead = handoff.source.lines, _lead(handoff, node)
    after = f"\n{lead}" if text[at : lines.line_end(lines.line_of(at))].strip() else ""
    edit = settled(text, Edit(Span(at, at), f"\n{lead}{node.marker}{after}"))
    yield Fix(say("Close the fence"), (edit,), safe=whole)


def _lead(handoff: Handoff, node: Node) -> str:
    """The prefix of the closing line in a list or a quote: the opening line's, with blanks for a list's marker."""
    return _MARKER.sub(
        " ", handoff.source.text[line_start(handoff.source.text, node.opening.start) : node.opening.start]
    )


RULE = Rule(
    "unclosed-block",
    "structure",
    "error",
    check,
    fixable="sometimes",
    modes=EVERY_MODE,
    judges_form=True,
    unfinished="anywhere",
)
