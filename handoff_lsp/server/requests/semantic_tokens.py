"""Semantic tokens: all of a document, those in a range, and the changes since the last answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types

from handoff_lsp.features.outline.semantic_token import MODIFIERS, TYPES, Token
from handoff_lsp.features.outline.semantic_tokens import tokens
from handoff_lsp.server.handlers import on_document
from handoff_lsp.server.session.session import Request
from handoff_lsp.text import Encoding, Source, column_to_units

LEGEND = types.SemanticTokensLegend(TYPES, MODIFIERS)
_TYPES = {name: number for number, name in enumerate(TYPES)}
_MODIFIERS = {name: 1 << number for number, name in enumerate(MODIFIERS)}


@on_document(
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
    empty=None,
    options=LEGEND,
    row=160,
    summary=(
        "Keys, values, numbers, names, paths, placeholders, and the status with a modifier for the "
        "orchestrator's action: `advance`, `continue`, `retry`, `ask`, `stop`."
    ),
    since="0.1",
)
def full(request: Request, _params: types.SemanticTokensParams) -> types.SemanticTokens:
    """All tokens of a document."""
    data = encoded(tokens(request.analysis), request.source, request.client.encoding)
    return types.SemanticTokens(data, request.session.tokens.keep(request.uri, data).id)


@on_document(
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA,
    empty=None,
    options=LEGEND,
    row=160,
    summary="The changes since the last answer.",
    since="0.1",
)
def delta(
    request: Request, params: types.SemanticTokensDeltaParams
) -> types.SemanticTokens | types.SemanticTokensDelta:
    """The changes since an earlier answer; all tokens if that answer is no longer kept."""
    data = encoded(tokens(request.analysis), request.source, request.client.encoding)
    before = request.session.tokens.last(request.uri)
    sent = request.session.tokens.keep(request.uri, data)
    if before is None or before.id != params.previous_result_id:
        return types.SemanticTokens(data, sent.id)
    return types.SemanticTokensDelta(changes(before.data, data), sent.id)


@on_document(
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE,
    empty=None,
    options=LEGEND,
    row=160,
    summary="The tokens of a part of the document.",
    since="0.1",
)
def in_range(request: Request, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
    """The tokens that overlap a range."""
    start, end = request.to_span(params.range)
    found = [token for token in tokens(request.analysis) if token.span.start < end and token.span.end > start]
    return types.SemanticTokens(encoded(found, request.source, request.client.encoding))


def encoded(found: Iterable[Token], source: Source, encoding: Encoding) -> list[int]:
    """Tokens as LSP encodes them, five numbers each: line and column from the last one, length, type, modifiers."""
    data: list[int] = []
    lines = source.lines
    line, start, end, text = 0, 0, -1, ""
    last_line = last_column = 0
    for token in found:
        if token.span.start > end:
            line = lines.line_of(token.span.start)
            start, end = lines.line_span(line)
            text = lines.line_text(line)
        column = column_to_units(text, token.span.start - start, encoding)
        length = column_to_units(text, token.span.end - start, encoding) - column
        modifiers = sum(_MODIFIERS[name] for name in token.modifiers)
        data += (line - last_line, column - last_column if line == last_line else column, length)
        data += (_TYPES[token.type], modifiers)
        last_line, last_column = line, column
    return data


def changes(old: Sequence[int], new: Sequence[int]) -> list[types.SemanticTokensEdit]:
    """The one edit that turns ``old`` into ``new``; empty if they are equal."""
    limit = min(len(old), len(new))
    start = next((index for index in range(limit) if old[index] != new[index]), limit)
    if start == len(old) == len(new):
        return []
    same = next((back for back in range(limit - start) if old[-1 - back] != new[-1 - back]), limit - start)
    return [types.SemanticTokensEdit(start, len(old) - same - start, new[start : len(new) - same])]
