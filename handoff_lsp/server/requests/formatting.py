"""Formatting of documents and ranges, and of a count when a line ends.

A document without handoffs gets null, so that nobody takes it for formatted.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from handoff_lsp.features.counts import count_edits, counts_at
from handoff_lsp.features.formatting import format as feature
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.session.session import Opened
from handoff_lsp.server.wire.convert import to_offset, to_span, to_text_edit
from handoff_lsp.text import Edit, Span

# A client that says 0 has not set it.
_TAB_SIZE = 4
_WIDEST = 16

Answer = list[types.TextEdit] | None


def whole(server: HandoffServer, params: types.DocumentFormattingParams) -> Answer:
    """The edits that format a document."""
    at = server.opened(params)
    return (
        _answer(server, at, feature.format_document(at.analysis, _layout(params.options))) if at is not None else None
    )


def one_range(server: HandoffServer, params: types.DocumentRangeFormattingParams) -> Answer:
    """The edits that format a range."""
    at = server.opened(params)
    return _in_ranges(server, at, [params.range], params.options) if at is not None else None


def ranges(server: HandoffServer, params: types.DocumentRangesFormattingParams) -> Answer:
    """The edits that format several ranges."""
    at = server.opened(params)
    return _in_ranges(server, at, params.ranges, params.options) if at is not None else None


def on_type(server: HandoffServer, params: types.DocumentOnTypeFormattingParams) -> Answer:
    """The edits of the counts that the line which was just ended makes wrong, where the config wants that."""
    at = server.opened(params)
    if at is None or not server.resolver.config(at.document.path).editor.update_counts:
        return None
    source = at.document.source
    end = to_offset(source, params.position, server.client.encoding)
    ended = source.lines.starts[max(source.lines.line_of(end) - 1, 0)]
    return _answer(server, at, count_edits(counts_at(at.analysis, Span(ended, end))))


def _in_ranges(
    server: HandoffServer, at: Opened, wanted: Sequence[types.Range], options: types.FormattingOptions
) -> Answer:
    spans = [to_span(at.document.source, each, server.client.encoding) for each in wanted]
    return _answer(server, at, feature.format_ranges(at.analysis, spans, _layout(options)))


def _answer(server: HandoffServer, at: Opened, edits: Sequence[Edit] | None) -> Answer:
    if edits is None:
        return None
    return [to_text_edit(at.document.source, edit, server.client.encoding) for edit in edits]


def _layout(options: types.FormattingOptions) -> feature.Layout:
    step = " " * min(options.tab_size or _TAB_SIZE, _WIDEST) if options.insert_spaces else "\t"
    return feature.Layout(
        step,
        trim_lines=bool(options.trim_trailing_whitespace),
        trim_end=bool(options.trim_final_newlines),
        end_with_newline=bool(options.insert_final_newline),
    )


def register(server: HandoffServer) -> None:
    """Hook the handlers in."""
    server.on_request(types.TEXT_DOCUMENT_FORMATTING, whole, lambda _: None)
    several = types.DocumentRangeFormattingOptions(ranges_support=True)
    server.on_request(types.TEXT_DOCUMENT_RANGE_FORMATTING, one_range, lambda _: None, several)
    server.on_request(types.TEXT_DOCUMENT_RANGES_FORMATTING, ranges, lambda _: None)
    newline = types.DocumentOnTypeFormattingOptions(first_trigger_character="\n")
    server.on_request(types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, on_type, lambda _: None, newline)
