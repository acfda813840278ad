"""Semantic tokens: all of a document, those of a range, and what has changed since the last time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

from lsprotocol import types

from handoff_lsp.features.outline.semantic_token import MODIFIERS, TYPES, Token
from handoff_lsp.features.outline.semantic_tokens import tokens
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.wire.convert import to_span
from handoff_lsp.text import Encoding, Source, column_to_units

LEGEND = types.SemanticTokensLegend(TYPES, MODIFIERS)
_TYPES = {name: number for number, name in enumerate(TYPES)}
_MODIFIERS = {name: 1 << number for number, name in enumerate(MODIFIERS)}
# For so many documents it is known what the client has.
_MOST = 50


class SemanticTokens:
    """The handlers, and what the client was last told of each document."""

    def __init__(self) -> None:
        self._told: dict[str, tuple[str, list[int]]] = {}
        self._ids = map(str, count(1))

    def full(self, server: HandoffServer, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
        """All tokens of a document."""
        data = self._data(server, params)
        return None if data is None else types.SemanticTokens(data, self._tell(params.text_document.uri, data))

    def delta(
        self, server: HandoffServer, params: types.SemanticTokensDeltaParams
    ) -> types.SemanticTokens | types.SemanticTokensDelta | None:
        """What has changed since an earlier answer; all tokens where that is not known any more."""
        data = self._data(server, params)
        if data is None:
            return None
        uri = params.text_document.uri
        told = self._told.get(uri)
        number = self._tell(uri, data)
        if told is None or told[0] != params.previous_result_id:
            return types.SemanticTokens(data, number)
        return types.SemanticTokensDelta(changes(told[1], data), number)

    def in_range(self, server: HandoffServer, params: types.SemanticTokensRangeParams) -> types.SemanticTokens | None:
        """The tokens that are in a range, or reach into it."""
        at = server.opened(params)
        if at is None:
            return None
        source, encoding = at.document.source, server.client.encoding
        start, end = to_span(source, params.range, encoding)
        found = [token for token in tokens(at.analysis) if token.span.start < end and token.span.end > start]
        return types.SemanticTokens(encoded(found, source, encoding))

    def _data(
        self, server: HandoffServer, params: types.SemanticTokensParams | types.SemanticTokensDeltaParams
    ) -> list[int] | None:
        at = server.opened(params)
        if at is None:
            self._told.pop(params.text_document.uri, None)
            return None
        return encoded(tokens(at.analysis), at.document.source, server.client.encoding)

    def _tell(self, uri: str, data: list[int]) -> str:
        number = next(self._ids)
        self._told.pop(uri, None)
        self._told[uri] = (number, data)
        while len(self._told) > _MOST:
            del self._told[next(iter(self._told))]
        return number


def encoded(found: Iterable[Token], source: Source, encoding: Encoding) -> list[int]:
    """Tokens as the protocol has them, five numbers each: how far on from the last one, how long, what."""
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
    """The one edit that makes ``new`` of ``old``; none where they are equal."""
    limit = min(len(old), len(new))
    start = next((at for at in range(limit) if old[at] != new[at]), limit)
    if start == len(old) == len(new):
        return []
    same = next((at for at in range(limit - start) if old[-1 - at] != new[-1 - at]), limit - start)
    return [types.SemanticTokensEdit(start, len(old) - same - start, new[start : len(new) - same])]


def register(server: HandoffServer) -> None:
    """Hook the handlers in."""
    handlers = SemanticTokens()
    server.on_request(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, handlers.full, lambda _: None, LEGEND)
    server.on_request(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, handlers.delta, lambda _: None, LEGEND)
    server.on_request(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, handlers.in_range, lambda _: None, LEGEND)
