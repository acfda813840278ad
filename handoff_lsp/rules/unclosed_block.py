"""A block has a beginning and no end.

## What it does
Tells that a fence is not closed, on its opening line.

## Why is this bad?
Everything up to the end of the document counts as the block's content, and a parser that looks for the closing line
finds no block at all.

## How to fix
Close the fence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.placement import settled
from handoff_lsp.rules.rule import EVERY_MODE, Finding, Fix, Rule, sentence
from handoff_lsp.syntax.markdown import Node
from handoff_lsp.text import Edit, Span

_MARKER = re.compile(r"[^>\s]")


def check(block: Block) -> Iterator[Finding]:
    """A fence that runs to the end: the block's own, or one that swallows the sections of a Markdown handoff."""
    for swallowing in block.unclosed:
        message = sentence("This fence is not closed", "Everything below it counts as its content, sections too")
        yield Finding(RULE, block, swallowing.opening, message, fixes=partial(_close_early, block, swallowing))
    node, fence = block.node, block.spec.contract.fence
    if block.form != "fence" or node is None or fence is None or node.closed:
        return
    yield Finding(
        RULE,
        block,
        node.opening,
        sentence(f"The `{node.info}` fence is not closed", block.spec.contract.unread),
        field=fence.root or None,
        upstream=fence.upstream,
        fixes=lambda: _fixes(block),
    )


def _close_early(block: Block, node: Node) -> Iterator[Fix]:
    """Close a fence before the first blank line or heading in it, where its author most likely ended it."""
    lines = block.source.lines
    last = lines.line_of(node.opening.start)
    while last + 1 < lines.count:
        text = lines.line_text(last + 1).strip()
        if not text or text.startswith("#"):
            break
        last += 1
    end = lines.line_end(last)
    edit = settled(block.source.text, Edit(Span(end, end), f"\n{node.marker}"))
    yield Fix("Close the fence", (edit,), safe=False)


def _fixes(block: Block) -> Iterator[Fix]:
    node, body, text = block.node, block.json, block.source.text
    if node is None or body is None:
        return
    root = body.tree.root
    end = root.end if root is not None and root.closed else len(body.fragment.text.rstrip())
    at = body.fragment.outer(end - 1) + 1 if end else node.opening.end
    lines = block.source.lines
    # What the closing line has before it in a list or a quote: the opening line's, with blanks for the list's marker.
    lead = _MARKER.sub(" ", text[lines.starts[lines.line_of(node.opening.start)] : node.opening.start])
    after = f"\n{lead}" if text[at : lines.line_end(lines.line_of(at))].strip() else ""
    edit = settled(text, Edit(Span(at, at), f"\n{lead}{node.marker}{after}"))
    yield Fix("Close the fence", (edit,), safe=root is not None and root.closed)


RULE = Rule(
    "unclosed-block",
    "shape",
    "error",
    check,
    fixable="sometimes",
    modes=EVERY_MODE,
    about_carrier=True,
)
