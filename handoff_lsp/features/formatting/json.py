"""Laying out JSON: the blanks between its tokens, one member or item a line, as VS Code's formatter does it.

No token is ever touched: numbers, escapes, the order of keys and keys that are there twice stay as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from handoff_lsp.binding.bodies.json import JsonBody
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.features.formatting.options import Layout, changed
from handoff_lsp.syntax.markdown.incremental import Node
from handoff_lsp.text import Edit, Span, eol_of, line_start

# JSON nested deeper than this is nothing that indentation would make readable.
_DEEPEST = 100

_TOKEN = re.compile(r'[ \t\r\n]*+("(?>[^"\\]|\\.)*+"|[\[\]{},:]|[^ \t\r\n\[\]{},:"]++)')
_EOL = re.compile(r"\r\n|\n|\r")


class Gap(NamedTuple):
    """The blanks between two tokens (code points), and what they should be.

    ``blank`` is that where they are on one line; ``depth`` the number of steps of indent of a line that begins here.
    """

    start: int
    end: int
    blank: str
    depth: int | None = None


def json_edits(handoff: Handoff, layout: Layout) -> Iterator[Edit]:
    """The edits that lay out a handoff's JSON; none where it has a defect that its reader stumbles over.

    What is broken is left alone: a comment or a comma too many would have no place in the layout.
    """
    body = handoff.json
    if body is None or body.is_yaml or body.tree.root is None or body.tree.fatal:
        return
    fence = handoff.own_fence
    one_a_line = fence is None and handoff.path.lower().endswith(".jsonl")
    if one_a_line or (fence is not None and (not fence.closed or _is_code(handoff, fence))):
        return
    gaps = find_gaps(body.fragment.text)
    if gaps:
        yield from _edits(handoff.source.text, body, gaps, fence, layout)


def _is_code(handoff: Handoff, fence: Node) -> bool:
    """Whether what a reader takes for a fence is indented code in Markdown, whose indentation says so."""
    there = handoff.tree.block_at(fence.span.start)
    return there is None or there.kind != "fence"


def find_gaps(text: str) -> list[Gap]:
    """All gaps of a text that is JSON, that before the first token included; none where it is nested too deep."""
    gaps: list[Gap] = []
    depth = at = 0
    before = ""
    for match in _TOKEN.finditer(text):
        token = match[1]
        start = match.start(1)
        if token in "]}":
            depth -= 1
        if not before or token in ",:" or (token in "]}" and before in "[{"):
            gaps.append(Gap(at, start, ""))
        elif before == ":":
            gaps.append(Gap(at, start, " "))
        else:
            gaps.append(Gap(at, start, "", depth))
        if token in "[{":
            depth += 1
            if depth > _DEEPEST:
                return []
        before, at = token, match.end()
    return gaps


def _edits(text: str, body: JsonBody, gaps: list[Gap], fence: Node | None, layout: Layout) -> Iterator[Edit]:
    fragment = body.fragment
    prefix = line_prefix(fence) if fence is not None else ""
    eol = eol_of(text)
    first, *others = gaps
    if first.end:
        start = line_start(text, fragment.outer(0)) if fence is not None else fragment.outer(0)
        yield from changed(text, Span(start, fragment.outer(first.end)), prefix)
    for gap in others:
        there = fragment.text[gap.start : gap.end]
        span = Span(fragment.outer(gap.start - 1) + 1, fragment.outer(gap.end))
        if gap.depth is None:
            if there != gap.blank:
                yield from changed(text, span, gap.blank)
            continue
        ending = _EOL.search(there)
        own = ending.group() if ending else eol
        indent = layout.step * gap.depth
        if there != own + indent:
            yield from changed(text, span, own + _joined(prefix, indent))
    if fence is not None and fence.closing is not None and body.tree.root is not None:
        end = body.tree.root.end
        there = fragment.text[end:]
        ending = _EOL.search(there)
        if ending is not None and there != ending.group():
            span = Span(fragment.outer(end - 1) + 1, line_start(text, fence.closing.start))
            yield from changed(text, span, ending.group())


def line_prefix(fence: Node) -> str:
    """What each line of a fence's body has before it: the marks of quotes, and blanks for those of lists."""
    text = fence.tree.source.text
    written = text[line_start(text, fence.opening.start) : fence.opening.start].removeprefix("\ufeff")
    # A quote takes one blank behind its mark for its own: where a list's mark is right behind it, there must be one.
    spaced = re.sub(r">(?=[^ \t>])", "> ", written)
    return "".join(char if char in "> \t" else " " for char in spaced)


def _joined(prefix: str, indent: str) -> str:
    return f"{prefix} {indent}" if indent and prefix.endswith(">") else prefix + indent
