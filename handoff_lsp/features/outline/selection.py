"""The steps in which a selection grows: a word, its value, its field, its object or section, its handoff, all."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from handoff_lsp.binding.bodies.part import BodyPart
from handoff_lsp.engine import Analysis
from handoff_lsp.features.outline.document_symbols import trimmed
from handoff_lsp.text import Source, Span
from handoff_lsp.text.lazy import lazy_pattern

_WORD = lazy_pattern(r"\w+")
# The most steps; no user expands a selection more often.
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
    # Of two spans that touch at the cursor, the one after it is meant: a cursor is before a character.
    spans.sort(key=lambda span: (span.end - span.start, span.end == offset))
    chain: list[Span] = []
    for span in spans:
        if not chain or (span != chain[-1] and span.covers(chain[-1])):
            chain.append(span)
    whole = Span(0, len(source))
    # A step that adds only the last line break would look like no step.
    text = trimmed(source, *whole)
    return [*(span for span in chain[:_MOST] if not span.covers(text)), whole]


def _around(analysis: Analysis, offset: int) -> Iterator[Span]:
    """Spans that may be selected at an offset; some do not hold it."""
    source = analysis.source
    line = source.lines.line_span(source.lines.line_of(offset))
    yield from (Span(*word.span()) for word in _WORD.finditer(source.text, *line))
    handoffs = [handoff for handoff in analysis.handoffs if handoff.span.holds(offset)]
    data = [handoff.span for handoff in handoffs if not handoff.body.prose]
    # Markdown structure found inside data, such as a list that ends elsewhere, is meaningless.
    yield from (span for span in _in_markdown(analysis, offset) if all(span.covers(inner) for inner in data))
    for handoff in handoffs:
        yield trimmed(source, *handoff.span)
        for slot in handoff.slots:
            if slot.span is not None and slot.span.holds(offset):
                yield from (trimmed(source, *span) for span in (slot.span, slot.key, slot.value) if span is not None)
        yield from _in_data(source, handoff.body.parts, offset)


def _in_markdown(analysis: Analysis, offset: int) -> Iterator[Span]:
    """Sections with and without their headings, and the blocks in them, down to list items and table cells."""
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
    """The span without blanks and blank lines around it."""
    part = source.slice(span)
    start = span.start + len(part) - len(part.lstrip())
    return trimmed(source, min(start, span.end), span.end)


def _in_data(source: Source, parts: Sequence[BodyPart], offset: int) -> Iterator[Span]:
    """The spans of the parts that hold an offset; of two parts that touch there, only the second counts."""
    while parts:
        index = bisect_right(parts, offset, key=_start) - 1
        if index < 0 or offset > parts[index].span.end:
            return
        part = parts[index]
        # An unclosed part extends to the next token.
        for span in (part.span, part.value):
            if span is not None:
                yield span if part.closed else trimmed(source, *span)
        if part.key is not None:
            yield part.key
        yield from part.insides
        parts = part.below


def _start(part: BodyPart) -> int:
    return part.span.start
