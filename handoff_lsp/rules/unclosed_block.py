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

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.placement import settled
from handoff_lsp.rules.rule import Finding, Fix, Rule, sentence
from handoff_lsp.text import Edit, Span

_MARKER = re.compile(r"[^>\s]")


def check(block: Block) -> Iterator[Finding]:
    """A fence that runs to the end."""
    node, fence = block.node, block.spec.contract.fence
    if node is None or fence is None or node.closed:
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
    modes=("handoff", "template", "example"),
    about_carrier=True,
)
