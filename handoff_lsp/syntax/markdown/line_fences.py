"""Fences as seen by programs that read line by line and know no Markdown.

A line whose first characters, after blanks and quote marks, are three backticks opens a fence; a line of three
backticks alone, after as many quote marks, closes it. Indentation counts for nothing, nor do tildes, lists or longer
markers. Lines end at ``\\n`` or ``\\r\\n``; a lone ``\\r`` ends none.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from handoff_lsp.syntax.lines.flat import BLANKS
from handoff_lsp.syntax.markdown.green import FenceData, Green
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Node
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

MARKER = "```"

_WITH_MARKER = lazy_pattern(r"^[^\n]*```[^\n]*", re.M)
_QUOTES = lazy_pattern(r"[ \t]*(?:>[ \t]*)*")


class LineFence(NamedTuple):
    """One fence. ``tag`` is the rest of the line after its marker, with leading blanks; ``depth`` counts quote marks.

    ``opening`` and ``closing`` run from the marker to the end of their lines' content; ``body`` is the text between
    the lines, with its terminators. An unclosed fence runs to the end of the text.
    """

    depth: int
    tag: str
    opening: Span
    body: Span
    closing: Span | None

    @property
    def span(self) -> Span:
        """From its marker to the end of its closing line."""
        return Span(self.opening.start, self.closing.end if self.closing is not None else self.body.end)


def line_fences(tree: MarkdownTree) -> tuple[LineFence, ...]:
    """The fences of a document in order; only the last may be open. Takes time linear in the text."""
    return tree.once(_scan)


def line_fence_at(tree: MarkdownTree, start: int) -> LineFence | None:
    """The fence with its marker at an offset; None without one."""
    fences = line_fences(tree)
    at = bisect_left(fences, start, key=lambda fence: fence.opening.start)
    return fences[at] if at < len(fences) and fences[at].opening.start == start else None


def fence_node(tree: MarkdownTree, fence: LineFence) -> Node:
    """An unquoted fence as a block of its tree, where the tree has a different block, or none."""
    starts = tree.source.lines
    first, last = starts.line_of(fence.opening.start), starts.line_of(max(fence.span.end - 1, fence.opening.start))
    after = fence.opening.start + len(MARKER)
    info = fence.opening.end - len(fence.tag)
    data = FenceData(
        after,
        info if fence.tag else after,
        fence.opening.end if fence.tag else after,
        fence.opening.end,
        (fence.closing.start, fence.closing.end) if fence.closing is not None else None,
        None,
    )
    green = Green("fence", *fence.span, *fence.body, first, last, data=data)
    return Node(green, 0, 0, None, tree.source)


def _scan(tree: MarkdownTree) -> tuple[LineFence, ...]:
    text = tree.source.text
    found: list[LineFence] = []
    opened: tuple[int, str, Span, int] | None = None
    for match in _WITH_MARKER.finditer(text):
        line = _marker_line(text, *match.span())
        if line is None:
            continue
        depth, tag, span = line
        after = min(match.end() + 1, len(text))
        if opened is None:
            opened = (depth, tag, span, after)
        elif not tag and depth == opened[0]:
            found.append(LineFence(*opened[:3], Span(opened[3], match.start()), span))
            opened = None
    if opened is not None:
        found.append(LineFence(*opened[:3], Span(opened[3], len(text)), None))
    return tuple(found)


def _marker_line(text: str, start: int, end: int) -> tuple[int, str, Span] | None:
    """The depth, the tag and the span of a line that opens or closes a fence; None for another line."""
    quotes = _QUOTES.match(text, start, end)
    assert quotes is not None
    line = text[quotes.end() : end]
    begin = quotes.end() + len(line) - len(line.lstrip(BLANKS))
    line = line.strip(BLANKS)
    if not line.startswith(MARKER):
        return None
    return quotes.group().count(">"), line[len(MARKER) :], Span(begin, begin + len(line))
