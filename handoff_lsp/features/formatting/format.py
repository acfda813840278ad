"""Formatting: the JSON of handoffs, the values of an Abstract in one column, blank lines around what has a name.

Only blanks change, and never within prose. What is not a handoff, or shows one as an example, stays as it is.
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
    """The edits that format a document, in text order; None where it holds no handoff that has a layout.

    A log has none: it is only ever added to.
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
    if any(handoff.form in {"document", "file"} for handoff in handoffs):
        yield from end_edits(analysis.source.text, analysis.tree, layout)


def format_ranges(analysis: Analysis, spans: Sequence[Span], layout: Layout) -> list[Edit] | None:
    """Those edits that are in one of some spans (code points); None where the document holds no handoff."""
    edits = format_document(analysis, layout)
    if edits is None:
        return None
    end = len(analysis.source)
    return [edit for edit in edits if any(_touches(edit.span, span, end) for span in spans)]


def _touches(edit: Span, span: Span, end: int) -> bool:
    """Whether an edit is in a span. What is inserted at its end is behind it, unless nothing else is there."""
    if edit.start == edit.end:
        return span.start <= edit.start < span.end or edit.start == span.end in {span.start, end}
    return edit.start < span.end and span.start < edit.end
