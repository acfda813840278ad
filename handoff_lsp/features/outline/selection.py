"""What a selection grows to, step by step: a word, its value, its field, its object or section, its handoff, all."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TypeVar

from handoff_lsp.binding.bodies.json import JsonBody
from handoff_lsp.binding.bodies.outline import OutlineBody
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.engine import Analysis
from handoff_lsp.features.outline.document_symbols import trimmed
from handoff_lsp.features.outline.log_symbols import days, end_of
from handoff_lsp.syntax.json.parse import JsonMember, JsonNode
from handoff_lsp.syntax.lines.log import Log
from handoff_lsp.syntax.lines.outline import OutlineEntry, OutlineItem
from handoff_lsp.text import Source, Span

_WORD = re.compile(r"\w+")
# Nobody expands a selection more often than this.
_MOST = 60


def selections(analysis: Analysis, offset: int) -> list[Span]:
    """The spans (code points) around an offset, from the smallest to the whole document, each in the next one.

    Empty for a document without handoffs.
    """
    if not analysis.handoffs:
        return []
    source = analysis.source
    offset = min(max(offset, 0), len(source))
    spans = [span for span in _around(analysis, offset) if span.holds(offset) and span.end > span.start]
    # Of what begins where another thing ends, the latter is meant: a cursor is before a character.
    spans.sort(key=lambda span: (span.end - span.start, span.end == offset))
    chain: list[Span] = []
    for span in spans:
        if not chain or (span != chain[-1] and span.covers(chain[-1])):
            chain.append(span)
    whole = Span(0, len(source))
    # A step that adds but the last line's end would look like none.
    text = trimmed(source, *whole)
    return [*(span for span in chain[:_MOST] if not span.covers(text)), whole]


def _around(analysis: Analysis, offset: int) -> Iterator[Span]:
    """All that may be selected at an offset, and much that does not hold it."""
    source = analysis.source
    line = source.lines.line_span(source.lines.line_of(offset))
    yield from (Span(*word.span()) for word in _WORD.finditer(source.text, *line))
    handoffs = [handoff for handoff in analysis.handoffs if handoff.span.holds(offset)]
    data = [handoff.span for handoff in handoffs if handoff.syntax != "markdown"]
    # What Markdown sees in data, such as lists that end elsewhere, is nothing there.
    yield from (span for span in _in_markdown(analysis, offset) if all(span.covers(inner) for inner in data))
    for handoff in handoffs:
        yield trimmed(source, *handoff.span)
        for slot in handoff.slots:
            if slot.span is not None and slot.span.holds(offset):
                yield from (trimmed(source, *span) for span in (slot.span, slot.key, slot.value) if span is not None)
        if handoff.json is not None:
            yield from _in_json(source, handoff.json, offset)
        elif handoff.outline is not None:
            yield from _in_outline(handoff.outline, offset)
        elif handoff.log is not None:
            yield from _in_log(handoff, handoff.log, offset)


def _in_markdown(analysis: Analysis, offset: int) -> Iterator[Span]:
    """Sections with and without their headings, and the blocks in them; of a list the items, of a table the cells."""
    tree, source = analysis.tree, analysis.source
    section = tree.section_at(offset)
    while section is not None:
        yield trimmed(source, *section.span)
        yield _content(source, section.body)
        yield section.heading.content
        section = section.parent
    node = tree.block_at(offset)
    while node is not None:
        yield trimmed(source, *node.span)
        if node.kind in {"fence", "item", "heading", "front-matter"}:
            yield _content(source, node.content)
        yield from node.cells
        node = node.parent
    yield from (comment for comment in tree.comments if comment.holds(offset))


def _content(source: Source, span: Span) -> Span:
    """A stretch without the blank lines around it."""
    part = source.slice(span)
    start = span.start + len(part) - len(part.lstrip())
    return trimmed(source, min(start, span.end), span.end)


def _in_json(source: Source, body: JsonBody, offset: int) -> Iterator[Span]:
    """The members and items that hold an offset, and what is between the brackets of those that are containers."""
    fragment = body.fragment
    node = body.tree.root
    at = fragment.inner(offset)
    while node is not None:
        yield trimmed(source, *fragment.outer_span(*node.span))
        if node.kind in {"string", "object", "array"}:
            yield _inside(body, node)
        member = _holding(node.members, at)
        if member is not None:
            yield trimmed(source, *fragment.outer_span(*member.span))
            yield fragment.outer_span(*member.key.span)
            yield _inside(body, member.key)
        node = member.value if member is not None else _holding(node.items, at)


_Part = TypeVar("_Part", JsonNode, JsonMember)


def _holding(parts: Sequence[_Part], at: int) -> _Part | None:
    """The part that holds an offset; of two that touch there, the latter."""
    index = bisect_right(parts, at, key=lambda part: part.start) - 1
    return parts[index] if index >= 0 and at <= parts[index].end else None


def _inside(body: JsonBody, node: JsonNode) -> Span:
    """What is between quotes or brackets, without blanks."""
    text = body.fragment.text
    start, end = node.start + 1, node.end - (1 if node.closed and node.end > node.start + 1 else 0)
    part = text[start:end]
    start += len(part) - len(part.lstrip())
    return body.fragment.outer_span(min(start, end), max(start, start + len(part.strip())))


def _in_outline(body: OutlineBody, offset: int) -> Iterator[Span]:
    """The entries and items that hold an offset, with their keys and values."""
    fragment = body.fragment
    stack: list[OutlineEntry | OutlineItem] = list(body.lines.entries)
    while stack:
        part = stack.pop()
        span = fragment.outer_span(part.span.start, max(part.span.end, part.value.span.end))
        if span.holds(offset):
            yield span
            yield fragment.outer_span(*part.value.span)
            if isinstance(part, OutlineEntry):
                yield fragment.outer_span(*part.key)
            stack += [*part.value.entries, *part.value.items]


def _in_log(handoff: Handoff, log: Log, offset: int) -> Iterator[Span]:
    """The parts of an entry, the entry with the lines it goes on in, and its day."""
    for day in days(log, handoff.source.text):
        if day[0].span.start <= offset <= end_of(day[-1]):
            yield Span(day[0].span.start, end_of(day[-1]))
            for entry in day:
                if entry.span.start <= offset <= end_of(entry):
                    yield Span(entry.span.start, end_of(entry))
                    yield from (entry.span, entry.time, Span(entry.tag.start - 1, entry.tag.end + 1), entry.tag)
                    yield entry.text
