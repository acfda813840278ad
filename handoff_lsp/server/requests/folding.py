"""Folding."""

from __future__ import annotations

from collections.abc import Collection

from lsprotocol import types

from handoff_lsp.features.outline.folding import Fold, FoldKind, folds
from handoff_lsp.server.handlers import on_document
from handoff_lsp.server.session.session import Request

_KINDS: dict[FoldKind, types.FoldingRangeKind | None] = {
    "": None,
    "comment": types.FoldingRangeKind.Comment,
    "region": types.FoldingRangeKind.Region,
}


@on_document(
    types.TEXT_DOCUMENT_FOLDING_RANGE,
    empty=[],
    row=140,
    summary=(
        "Handoffs as regions, sections, JSON (broken as well), lists and maps, the days and runs of a log, "
        "and comments. Only in documents with handoffs."
    ),
    since="0.1",
)
def folding_ranges(request: Request, _params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """The folding ranges: whole lines, or the text between brackets if the client can fold parts of lines."""
    found = folds(request.analysis, request.client.fold_limit)
    if request.client.whole_line_folds:
        return [types.FoldingRange(fold.first, fold.last, kind=_KINDS[fold.kind]) for fold in found]
    begun = {fold.first for fold in found}
    return [_exact(request, fold, begun) for fold in found]


def _exact(request: Request, fold: Fold, begun: Collection[int]) -> types.FoldingRange:
    inner = request.to_range(fold.inner) if fold.inner is not None else None
    if (
        inner is None or inner.end.line in begun
    ):  # another fold begins on the line of the closing bracket: they would overlap
        return types.FoldingRange(fold.first, fold.last, kind=_KINDS[fold.kind])
    return types.FoldingRange(
        inner.start.line, inner.end.line, inner.start.character, inner.end.character, _KINDS[fold.kind]
    )
