"""HTML comments in a Markdown document, but none that is in a fence, code block or code span."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

from handoff_lsp.syntax.markdown.node import Node
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

_INLINE = lazy_pattern(r"\\.|`+|<!--", re.DOTALL)
_TICKS = lazy_pattern(r"`+")
# Kinds with text that is not searched for comments.
_OPAQUE = frozenset({"fence", "code", "front-matter", "rule"})


def find_comments(text: str, block_at: Callable[[int], Node | None]) -> Iterator[Span]:
    """Every HTML comment in order, as ``MarkdownTree.comments`` defines them."""
    at = text.find("<!--")
    while at >= 0:
        then = at + 4
        node = block_at(at)
        if node is not None and not node.green.children:
            span = node.span
            if node.kind == "html":
                close = text.find("-->", at + 2, span.end)
                then = span.end if close < 0 else close + 3
                yield Span(at, then)
            else:
                then = max(then, span.end)
                if node.kind not in _OPAQUE:
                    yield from _inline_comments(text, span)
        at = text.find("<!--", then)


def _inline_comments(text: str, span: Span) -> Iterator[Span]:
    """The comments in running text: not escaped, not in code spans. Linear but for a search in sorted lists."""
    runs: dict[int, list[int]] = {}
    for match in _TICKS.finditer(text, span.start, span.end):
        runs.setdefault(len(match.group()), []).append(match.start())
    at = span.start
    unclosed = False
    while found := _INLINE.search(text, at, span.end):
        at = found.end()
        if found.group() == "<!--":
            close = -1 if unclosed else text.find("-->", found.start() + 2, span.end)
            unclosed = close < 0
            if not unclosed:
                at = close + 3
                yield Span(found.start(), at)
        elif found.group()[0] == "`":
            length = at - found.start()
            closers = runs.get(length, [])
            index = bisect_right(closers, at - 1)
            if index < len(closers):
                at = closers[index] + length
