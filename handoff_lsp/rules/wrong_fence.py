"""Wrong fence.

## What it does
Checks for fences that the block's reader does not accept: a misspelled or old tag, additional text on the info
line, a different marker, or content at which the reader ends the block.

## Why is this bad?
The block looks right, but its reader ignores it.

## How to fix
Write the fence exactly as the contract defines it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.fence import FenceFault
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.model import Fence
from handoff_lsp.language import say
from handoff_lsp.recognition.fences import fence_json
from handoff_lsp.rules.rule import EVERY_MODE, Finding, Fix, Rule
from handoff_lsp.syntax.lines.flat import BLANKS
from handoff_lsp.syntax.markdown.line_fences import MARKER, line_fences
from handoff_lsp.text import Edit, Span
from handoff_lsp.writing.placement import settled


def check(handoff: Handoff) -> Iterator[Finding]:
    """The reasons why the reader rejects the fence."""
    fence = handoff.spec.contract.fence
    if fence is None:
        return
    if handoff.unfenced:
        message = say("The envelope is not in a fence of its own; it must be in one tagged `{tag}`", tag=fence.tag)
        yield Finding(
            RULE,
            handoff,
            handoff.home(),
            message,
            note=fence.because,
            upstream=fence.upstream.get("unreadable", []),
        )
    for fault in [*handoff.fence_faults, *_behind(handoff, fence)]:
        yield Finding(
            RULE,
            handoff,
            fault.span,
            fault.message,
            note=fence.because,
            field=fence.root or None,
            upstream=fence.upstream.get("unreadable", []),
            fixes=partial(_fixes, handoff, fault),
        )


def _behind(handoff: Handoff, fence: Fence) -> Iterator[FenceFault]:
    """Text that may not follow a fence, and an unclosed fence."""
    if handoff.own_fence is None or handoff.mode != "handoff" or not handoff.values.holds(fence.at_end):
        return
    text, last = handoff.source.text, handoff
    while last.following is not None and last.following.spec.name in _right_behind(handoff):
        last = last.following
    at = last.span.end
    for one in line_fences(handoff.tree):
        if one.closing is None and not last.span.overlaps(one.span):
            message = say("This fence is not closed; the reader then takes no result of the document")
            yield FenceFault("open", one.opening, message, None)
            return
        if one.opening.start >= at:
            if text[at : one.opening.start].strip(BLANKS):
                break
            at = one.span.end
    rest = text[at:].lstrip(BLANKS)
    if rest:
        start = len(text) - len(rest)
        line = handoff.source.lines.first_line_of(Span(start, len(text)))
        message = say("Text follows the result; only other fences may come after it")
        yield FenceFault("text", line, message, None)


def _right_behind(handoff: Handoff) -> set[str]:
    """The contracts of the handoffs that belong right after this one."""
    companions = handoff.spec.contract.companions.values()
    return {one.contract for one in companions if one.where == "behind"}


def _fixes(handoff: Handoff, fault: FenceFault) -> Iterator[Fix]:
    node, fence = handoff.node, handoff.spec.contract.fence
    assert node is not None
    assert fence is not None
    if fault.kind in {"mark", "blanks"}:
        what = say("the byte order mark") if fault.kind == "mark" else say("the blanks")
        yield Fix(say("Remove {what}", what=what), (Edit(fault.span, ""),), safe=True)
    elif fault.kind == "json":
        yield from _as_lines(handoff)
    elif fault.kind == "end":
        yield Fix(say("Close the fence with three backticks"), (Edit(fault.span, MARKER),), safe=True)
    elif fault.replacement is not None:
        # The text after the tag may be for a different reader.
        alone = len(handoff.source.slice(fault.span).split()) <= 1
        yield Fix(say("Tag the fence `{tag}`", tag=fence.tag), (Edit(fault.span, fault.replacement),), safe=alone)
    elif fault.kind == "not-first":
        yield from _to_the_top(handoff)
    elif fault.kind == "marker" and node.closing is not None and MARKER not in node.text:
        opening = Span(node.opening.start, node.opening.start + len(node.marker))
        edits = (Edit(opening, MARKER), Edit(node.closing, MARKER))
        yield Fix(say("Use {marker} for the fence", marker=MARKER), edits, safe=True)


def _as_lines(handoff: Handoff) -> Iterator[Fix]:
    """Write a JSON object of single values as the lines that the reader wants."""
    node, fence = handoff.node, handoff.spec.contract.fence
    assert node is not None
    assert fence is not None
    tree = fence_json(node)
    members = tree.root.members if tree.root is not None and not tree.defects else []
    values = [member.value for member in members]
    if not node.closed or not members or any(value is None or value.kind not in _SINGLE for value in values):
        return
    pairs = [
        (str(member.key.value), str(value.value) if value.kind == "string" else tree.text[value.start : value.end])
        for member, value in zip(members, values, strict=True)
        if value is not None
    ]
    if any(len(part.splitlines()) != 1 for pair in pairs for part in pair):
        return
    body = node.content
    lines = "".join(f"{key}: {value}\n" for key, value in pairs)
    edits = [settled(handoff.source.text, Edit(body, lines))]
    if node.info != fence.tag:
        edits.append(Edit(node.info_span, fence.tag))
    yield Fix(say("Write the JSON as `key: value` lines"), tuple(edits), safe=True)


_SINGLE = {"string", "number", "boolean"}


def _to_the_top(handoff: Handoff) -> Iterator[Fix]:
    """Move a fence to the beginning of the document, with the blank lines below it."""
    node, text, lines = handoff.node, handoff.source.text, handoff.source.lines
    assert node is not None
    first = lines.line_of(node.opening.start)
    if node.parent is not None or not node.closed or lines.line_start(first) != node.opening.start:
        return
    last = lines.line_of(node.span.end)
    end = lines.line_start(last + 1) if last + 1 < lines.count else len(text)
    while text[end : end + 1] in {"\r", "\n"}:
        end += 1
    top = int(text.startswith("\ufeff"))
    moved = settled(text, Edit(Span(top, top), "\n".join(text[node.span.start : node.span.end].splitlines()) + "\n\n"))
    yield Fix(say("Move to the start of the document"), (moved, Edit(Span(node.span.start, end), "")), safe=False)


RULE = Rule(
    "wrong-fence",
    "structure",
    "error",
    check,
    fixable="sometimes",
    modes=EVERY_MODE,
    judges_form=True,
    unfinished="here",
)
