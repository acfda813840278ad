"""Formatting of documents and ranges, and of a count when a line ends.

A document without handoffs gets null, so that no client counts it as formatted.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from handoff_lsp.features.counts import count_edits, counts_at
from handoff_lsp.features.formatting import format as feature
from handoff_lsp.server.handlers import on_document
from handoff_lsp.server.session.session import Request
from handoff_lsp.text import Edit, Span

# Used for a client that sends 0, which means that it has no setting.
_TAB_SIZE = 4
_WIDEST = 16

FormattingAnswer = list[types.TextEdit] | None


@on_document(
    types.TEXT_DOCUMENT_FORMATTING,
    empty=None,
    row=100,
    summary=(
        "Formats the JSON of handoffs, aligns the values of an Abstract, and puts one blank line around "
        "headings and fences. Changes only whitespace, never in prose or in broken JSON. A document without"
        " a handoff gets null; if an editor asks only one formatter for Markdown, its settings choose the "
        "formatter."
    ),
    since="0.1",
)
def whole(request: Request, params: types.DocumentFormattingParams) -> FormattingAnswer:
    """The edits that format a document."""
    return _answer(request, feature.format_document(request.analysis, _layout(params.options)))


@on_document(
    types.TEXT_DOCUMENT_RANGE_FORMATTING,
    empty=None,
    options=types.DocumentRangeFormattingOptions(ranges_support=True),
    row=100,
    summary="The same, within a range.",
    since="0.1",
)
def one_range(request: Request, params: types.DocumentRangeFormattingParams) -> FormattingAnswer:
    """The edits that format a range."""
    return _in_ranges(request, [params.range], params.options)


@on_document(
    types.TEXT_DOCUMENT_RANGES_FORMATTING, empty=None, row=100, summary="The same, within several ranges.", since="0.1"
)
def ranges(request: Request, params: types.DocumentRangesFormattingParams) -> FormattingAnswer:
    """The edits that format several ranges."""
    return _in_ranges(request, params.ranges, params.options)


@on_document(
    types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
    empty=None,
    options=types.DocumentOnTypeFormattingOptions(first_trigger_character="\n"),
    row=100,
    summary=("Corrects the count of a list after a line was added to it, if `update-counts` is set in the config."),
    since="0.1",
)
def on_type(request: Request, _params: types.DocumentOnTypeFormattingParams) -> FormattingAnswer:
    """The edits that correct the counts of the list whose line was just ended, if the config enables them."""
    if not request.editor.update_counts:
        return None
    lines = request.source.lines
    ended = lines.line_start(max(lines.line_of(request.offset) - 1, 0))
    return _answer(request, count_edits(counts_at(request.analysis, Span(ended, request.offset))))


def _in_ranges(request: Request, wanted: Sequence[types.Range], options: types.FormattingOptions) -> FormattingAnswer:
    spans = [request.to_span(each) for each in wanted]
    return _answer(request, feature.format_ranges(request.analysis, spans, _layout(options)))


def _answer(request: Request, edits: Sequence[Edit] | None) -> FormattingAnswer:
    if edits is None:
        return None
    return [request.to_text_edit(edit) for edit in edits]


def _layout(options: types.FormattingOptions) -> feature.Layout:
    step = " " * min(options.tab_size or _TAB_SIZE, _WIDEST) if options.insert_spaces else "\t"
    return feature.Layout(
        step,
        trim_lines=bool(options.trim_trailing_whitespace),
        trim_end=bool(options.trim_final_newlines),
        end_with_newline=bool(options.insert_final_newline),
    )
