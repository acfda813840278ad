"""Folding."""

from __future__ import annotations

from collections.abc import Collection

from lsprotocol import types

from handoff_lsp.features.outline.folding import Fold, FoldKind, folds
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.wire.convert import to_range
from handoff_lsp.text import Encoding, Source

_KINDS: dict[FoldKind, types.FoldingRangeKind | None] = {
    "": None,
    "comment": types.FoldingRangeKind.Comment,
    "region": types.FoldingRangeKind.Region,
}


def folding_ranges(server: HandoffServer, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """What can be folded: whole lines, and for a client that can do so what is between brackets."""
    at = server.opened(params)
    if at is None:
        return []
    client = server.client
    found = folds(at.analysis, client.fold_limit)
    if client.whole_line_folds:
        return [types.FoldingRange(fold.first, fold.last, kind=_KINDS[fold.kind]) for fold in found]
    begun = {fold.first for fold in found}
    return [_exact(fold, at.document.source, client.encoding, begun) for fold in found]


def _exact(fold: Fold, source: Source, encoding: Encoding, begun: Collection[int]) -> types.FoldingRange:
    inner = to_range(source, fold.inner, encoding) if fold.inner is not None else None
    if inner is None or inner.end.line in begun:  # on the line of its bracket another one begins: they would cross
        return types.FoldingRange(fold.first, fold.last, kind=_KINDS[fold.kind])
    return types.FoldingRange(
        inner.start.line, inner.end.line, inner.start.character, inner.end.character, _KINDS[fold.kind]
    )


def register(server: HandoffServer) -> None:
    """Hook the handler in."""
    server.on_request(types.TEXT_DOCUMENT_FOLDING_RANGE, folding_ranges, lambda _: [])
