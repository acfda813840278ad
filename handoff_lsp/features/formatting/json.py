"""Formatting JSON: the blanks between its tokens, one member or item a line, as VS Code's formatter does it.

Tokens are never changed: numbers, escapes, the order of keys and duplicate keys stay as written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from handoff_lsp.binding.bodies.json import JsonBody
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.features.formatting.options import Layout, changed
from handoff_lsp.syntax.markdown.incremental import Node
from handoff_lsp.text import Edit, Span, eol_of, line_start
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# Indentation does not make JSON readable that is nested deeper than this.
_DEEPEST = 100

_TOKEN = lazy_pattern(r'[ \t\r\n]*+("(?>[^"\\]|\\.)*+"|[\[\]{},:]|[^ \t\r\n\[\]{},:"]++)')
_EOL = lazy_pattern(r"\r\n|\n|\r")


class Gap(NamedTuple):
    """The blanks between two tokens (code points), and their replacement.

    ``blank`` replaces them on one line. ``depth``: the indentation, in steps, of a line that begins here; None on one
    line.
    """

    start: int
    end: int
    blank: str
    depth: int | None = None


def json_edits(handoff: Handoff, layout: Layout) -> Iterator[Edit]:
    """The edits that format a handoff's JSON; none if it has a fatal defect.

    Broken JSON stays unchanged: the layout has no place for a comment or a superfluous comma.
    """
    body = handoff.json
    if body is None or body.is_yaml or body.tree.root is None or body.tree.fatal:
        return
    fence = handoff.own_fence
    file = handoff.spec.contract.file
    jsonl = handoff.path.lower().endswith(".jsonl") or (file is not None and file.syntax == "jsonl")
    one_a_line = fence is None and jsonl
    if one_a_line or (fence is not None and not (fence.closed and _is_one_block(handoff, fence))):
        return
    gaps = find_gaps(body.fragment.text)
    if gaps:
        yield from _edits(handoff.source.text, body, gaps, fence, layout)


def _is_one_block(handoff: Handoff, fence: Node) -> bool:
    """Whether the fence of the handoff's reader is a fence of Markdown, too. Elsewhere indentation matters."""
    block = handoff.tree.block_at(fence.span.start)
    return block is not None and block.kind == "fence" and block.span.covers(fence.span)


def find_gaps(text: str) -> list[Gap]:
    """All gaps of a JSON text, including the one before the first token; none if it is nested too deeply."""
    gaps: list[Gap] = []
    depth = end = 0
    before = ""
    for match in _TOKEN.finditer(text):
        token = match[1]
        start = match.start(1)
        if token in "]}":
            depth -= 1
        if not before or token in ",:" or (token in "]}" and before in "[{"):
            gaps.append(Gap(end, start, ""))
        elif before == ":":
            gaps.append(Gap(end, start, " "))
        else:
            gaps.append(Gap(end, start, "", depth))
        if token in "[{":
            depth += 1
            if depth > _DEEPEST:
                return []
        before, end = token, match.end()
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
    """The prefix of each line in a fence's body: the marks of quotes, and blanks in place of those of lists."""
    text = fence.source.text
    written = text[line_start(text, fence.opening.start) : fence.opening.start].removeprefix("\ufeff")
    # One blank after a quote's mark belongs to the quote, so one is needed before the blanks for a list's mark.
    spaced = re.sub(r">(?=[^ \t>])", "> ", written)
    return "".join(char if char in "> \t" else " " for char in spaced)


def _joined(prefix: str, indent: str) -> str:
    return f"{prefix} {indent}" if indent and prefix.endswith(">") else prefix + indent
