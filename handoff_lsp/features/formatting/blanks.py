"""Blank lines around headings, fences and handoffs, and the end of a file. Other lines keep their text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.features.formatting.options import Layout, changed
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Node
from handoff_lsp.text import Edit, Span, eol_of
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.within import within

_EOL = lazy_pattern(r"\r\n|\n|\r")
_BLANKS = " \t\r\n"
# Blocks with one blank line before and after them.
_APART = {"heading", "fence"}


def blank_edits(tree: MarkdownTree, handoffs: Iterable[Handoff], layout: Layout) -> Iterator[Edit]:
    """The edits that leave one blank line around headings and fences of handoffs, and at most one elsewhere."""
    in_area = within(handoff.span for handoff in handoffs if handoff.section is not None)
    whole = any(not handoff.is_part for handoff in handoffs)
    # In a run of `key: value` lines a blank line may be part of a value.
    in_run = within(handoff.span for handoff in handoffs if handoff.form == "run")
    alone = {handoff.node.span for handoff in handoffs if handoff.node is not None}

    def ours(node: Node) -> bool:
        return whole or node.span in alone or in_area(node.span.start, node.span.start + 1)

    for before, after in zip(tree.blocks, tree.blocks[1:], strict=False):
        if in_run(before.span.end, after.span.start):
            continue
        if ours(before) or ours(after):
            yield from _between(tree, before, after, layout)
    if layout.trim_lines:
        for node in tree.blocks:
            if node.kind == "heading" and node.first_line == node.last_line and ours(node):
                yield from _trimmed(tree, node.last_line)


def _between(tree: MarkdownTree, before: Node, after: Node, layout: Layout) -> Iterator[Edit]:
    """The edits of the blank lines between two consecutive blocks."""
    lines, text = tree.source.lines, tree.source.text
    # The line of a comment may matter for its meaning, and an unclosed fence includes the blank lines.
    if before.kind == "html" or _open(tree, before):
        return
    count = after.first_line - before.last_line - 1
    apart = before.kind in _APART or after.kind in _APART
    wanted = 1 if count or (apart and after.kind != "html") else 0
    gap = Span(lines.line_start(before.last_line + 1), lines.line_start(after.first_line))
    there = gap.of(text)
    if there.strip(_BLANKS):  # a definition of a link, which is no block
        return
    if count != wanted or (layout.trim_lines and there.strip("\r\n")):
        own = _EOL.match(text, lines.line_end(before.last_line))
        yield from changed(text, gap, (own.group() if own else eol_of(text)) * wanted)


def _open(tree: MarkdownTree, node: Node) -> bool:
    """Whether a block holds an unclosed fence, which may include the blank lines after it."""
    if node.kind == "fence":
        return not node.closed
    return node.green.fenced and any(not fence.closed for fence in tree.fences() if node.span.covers(fence.span))


def _trimmed(tree: MarkdownTree, line: int) -> Iterator[Edit]:
    span = tree.source.lines.line_span(line)
    end = span.start + len(span.of(tree.source.text).rstrip(" \t"))
    if end < span.end:
        yield Edit(Span(end, span.end), "")


def end_edits(text: str, tree: MarkdownTree, layout: Layout) -> Iterator[Edit]:
    """The edits of the end of a file, by the client's wishes: one final line break, no blank lines after the text."""
    start = len(text.rstrip(_BLANKS))
    if not start:
        return
    tail = text[start:]
    endings = list(_EOL.finditer(tail))
    if not endings:
        if layout.end_with_newline:
            yield Edit(Span(len(text), len(text)), eol_of(text))
        return
    last = tree.blocks[-1] if tree.blocks else None
    closed = last is None or (last.kind not in {"html", "code"} and not _open(tree, last))
    if layout.trim_end and closed and endings[0].end() < len(tail):
        yield Edit(Span(start + endings[0].end(), len(text)), "")
