"""A block's fence is not one that its reader takes.

## What it does
Tells that a fence has a misspelt or an old tag, more than the tag on its info line, another marker, or something in it
at which the reader would cut it.

## Why is this bad?
The block looks right and counts as missing: the reader passes over it without a word.

## How to fix
Write the fence exactly as the contract wants it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.fence import FenceFault
from handoff_lsp.binding.placement import settled
from handoff_lsp.rules.rule import EVERY_MODE, Finding, Fix, Rule, sentence
from handoff_lsp.text import Edit, Span


def check(block: Block) -> Iterator[Finding]:
    """What keeps the reader from taking the fence."""
    fence = block.spec.contract.fence
    if fence is None:
        return
    for fault in block.fence_faults:
        yield Finding(
            RULE,
            block,
            fault.span,
            sentence(fault.message, fence.because),
            field=fence.root or None,
            upstream=fence.upstream,
            fixes=partial(_fixes, block, fault),
        )


def _fixes(block: Block, fault: FenceFault) -> Iterator[Fix]:
    node, fence = block.node, block.spec.contract.fence
    assert node is not None
    assert fence is not None
    if fault.replacement is not None:
        # What stands behind the tag may be there for a reader of its own.
        alone = len(block.source.slice(fault.span).split()) <= 1
        yield Fix(f"Tag the fence `{fence.tag}`", (Edit(fault.span, fault.replacement),), safe=alone)
    elif fault.kind == "not-first":
        yield from _to_the_top(block)
    elif fault.kind == "marker" and node.closing is not None and fence.marker not in node.text:
        opening = Span(node.opening.start, node.opening.start + len(node.marker))
        edits = (Edit(opening, fence.marker), Edit(node.closing, fence.marker))
        yield Fix(f"Use {fence.marker} for the fence", edits, safe=True)


def _to_the_top(block: Block) -> Iterator[Fix]:
    """Move a fence to the beginning of the document, with the blank lines below it."""
    node, text, lines = block.node, block.source.text, block.source.lines
    assert node is not None
    first = lines.line_of(node.opening.start)
    if node.parent is not None or not node.closed or lines.starts[first] != node.opening.start:
        return
    last = lines.line_of(node.span.end)
    end = lines.starts[last + 1] if last + 1 < lines.count else len(text)
    while text[end : end + 1] in {"\r", "\n"}:
        end += 1
    top = int(text.startswith("\ufeff"))
    moved = settled(text, Edit(Span(top, top), "\n".join(text[node.span.start : node.span.end].splitlines()) + "\n\n"))
    yield Fix("Move it to the beginning of the document", (moved, Edit(Span(node.span.start, end), "")), safe=False)


RULE = Rule(
    "wrong-fence", "shape", "error", check, fixable="sometimes", modes=EVERY_MODE, about_carrier=True, unfinished="here"
)
