"""Formatting: the JSON of handoffs, values of labels in one column, blank lines around headings and fences.

Only blanks change, never within prose. Text outside of handoffs and examples stay unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.engine import Analysis
from handoff_lsp.features.formatting.blanks import blank_edits, end_edits
from handoff_lsp.features.formatting.json import json_edits
from handoff_lsp.features.formatting.labels import label_edits
from handoff_lsp.features.formatting.options import Layout
from handoff_lsp.text import Edit, Span

__all__ = ["Layout", "format_document", "format_ranges"]


def format_document(analysis: Analysis, layout: Layout) -> list[Edit] | None:
    """The edits that format a document, in text order; None if it has no handoff to format.

    A log is not formatted, because it is append-only.
    """
    handoffs = [handoff for handoff in analysis.handoffs if handoff.mode != "example" and not handoff.body.append_only]
    if not handoffs:
        return None
    return sorted(set(_edits(analysis, handoffs, layout)), key=lambda edit: edit.span)


def _edits(analysis: Analysis, handoffs: Sequence[Handoff], layout: Layout) -> Iterator[Edit]:
    for handoff in handoffs:
        yield from json_edits(handoff, layout)
        yield from label_edits(handoff)
    yield from blank_edits(analysis.tree, handoffs, layout)
    if any(not handoff.is_part for handoff in handoffs):
        yield from end_edits(analysis.source.text, analysis.tree, layout)


def format_ranges(analysis: Analysis, spans: Sequence[Span], layout: Layout) -> list[Edit] | None:
    """The edits within some spans (code points); None if the document has no handoff to format."""
    edits = format_document(analysis, layout)
    if edits is None:
        return None
    end = len(analysis.source)
    return [edit for edit in edits if any(_touches(edit.span, span, end) for span in spans)]


def _touches(edit: Span, span: Span, end: int) -> bool:
    """Whether an edit is in a span. An insertion at its end is not, unless the span is empty or ends the document."""
    if edit.start == edit.end:
        return span.start <= edit.start < span.end or edit.start == span.end in {span.start, end}
    return edit.start < span.end and span.start < edit.end
