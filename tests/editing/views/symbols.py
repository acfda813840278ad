"""The outline: ``name — detail [Kind] line``, with ``deprecated`` if it is, indented below its parent."""

from __future__ import annotations

from editing.editor import Editor
from lsprotocol.types import SymbolKind
from server.client import Message


def view(editor: Editor, words: str) -> str:
    """The tree; empty without one."""
    found = editor.request("textDocument/documentSymbol")
    return "\n".join(line for symbol in found for line in _lines(editor, symbol, 0))


def _lines(editor: Editor, symbol: Message, depth: int) -> list[str]:
    detail = f" — {symbol['detail']}" if "detail" in symbol else ""
    deprecated = " deprecated" if symbol.get("tags") == [1] else ""
    line = symbol["selectionRange"]["start"]["line"] + 1
    assert editor.slice(symbol["selectionRange"]) in editor.slice(symbol["range"])
    shown = f"{'  ' * depth}{symbol['name']}{detail} [{SymbolKind(symbol['kind']).name}] {line}{deprecated}"
    return [shown, *(line for child in symbol["children"] for line in _lines(editor, child, depth + 1))]
