"""The outline of a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lsprotocol import types

from handoff_lsp.features.outline.document_symbols import symbols
from handoff_lsp.features.outline.symbol import Symbol, SymbolKind
from handoff_lsp.server.handlers import on_document
from handoff_lsp.server.session.session import Request
from handoff_lsp.server.wire.client import Client
from handoff_lsp.server.wire.convert import to_range
from handoff_lsp.text import Source

SymbolAnswer = Sequence[types.DocumentSymbol] | Sequence[types.SymbolInformation]

# LSP's kind, then the fallback for clients that do not know that kind.
_KINDS: Mapping[SymbolKind, tuple[types.SymbolKind, types.SymbolKind]] = {
    "handoff": (types.SymbolKind.Class, types.SymbolKind.Class),
    "section": (types.SymbolKind.String, types.SymbolKind.String),
    "object": (types.SymbolKind.Object, types.SymbolKind.Module),
    "array": (types.SymbolKind.Array, types.SymbolKind.Array),
    "string": (types.SymbolKind.String, types.SymbolKind.String),
    "number": (types.SymbolKind.Number, types.SymbolKind.Number),
    "boolean": (types.SymbolKind.Boolean, types.SymbolKind.Boolean),
    "null": (types.SymbolKind.Null, types.SymbolKind.Variable),
    "enum-member": (types.SymbolKind.EnumMember, types.SymbolKind.Enum),
    "key": (types.SymbolKind.Key, types.SymbolKind.Property),
    "event": (types.SymbolKind.Event, types.SymbolKind.Field),
    "day": (types.SymbolKind.Namespace, types.SymbolKind.Namespace),
}


@on_document(
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL,
    empty=[],
    row=120,
    summary=(
        "The outline of a document with handoffs: the title and decision of each, all sections, fields with "
        "their values, JSON members, and the days of a log with the entries that decide. A list for clients "
        "without trees."
    ),
    since="0.1",
)
def document_symbols(request: Request, _params: types.DocumentSymbolParams) -> SymbolAnswer:
    """The outline as a tree, or as a list for clients without trees."""
    source, client = request.source, request.client
    found = symbols(request.analysis)
    if client.symbol_trees:
        return [_tree(symbol, source, client) for symbol in found]
    return list(_flat(found, "", request.uri, source, client))


def _tree(symbol: Symbol, source: Source, client: Client) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=symbol.name,
        detail=symbol.detail or None,
        kind=_kind(symbol, client),
        range=to_range(source, symbol.span, client.encoding),
        selection_range=to_range(source, symbol.selection, client.encoding),
        tags=[types.SymbolTag.Deprecated] if symbol.deprecated and client.symbol_tags else None,
        deprecated=True if symbol.deprecated and not client.symbol_tags else None,
        children=[_tree(child, source, client) for child in symbol.children],
    )


def _flat(
    found: Sequence[Symbol], container: str, uri: str, source: Source, client: Client
) -> Iterator[types.SymbolInformation]:
    for symbol in found:
        yield types.SymbolInformation(
            location=types.Location(uri, to_range(source, symbol.span, client.encoding)),
            name=symbol.name,
            kind=_kind(symbol, client),
            container_name=container or None,
            tags=[types.SymbolTag.Deprecated] if symbol.deprecated and client.symbol_tags else None,
            deprecated=True if symbol.deprecated and not client.symbol_tags else None,
        )
        yield from _flat(symbol.children, symbol.name, uri, source, client)


def _kind(symbol: Symbol, client: Client) -> types.SymbolKind:
    best, known_to_all = _KINDS[symbol.kind]
    return best if best in client.symbol_kinds else known_to_all
