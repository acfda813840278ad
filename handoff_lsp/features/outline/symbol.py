"""A symbol of an outline, and the nesting of symbols by their spans."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from typing import Literal

from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.lazy_dataclass import lazy_dataclass

SymbolKind = Literal[
    "handoff", "section", "object", "array", "string", "number", "boolean", "null", "enum-member", "key", "event", "day"
]

# JSON readers limit the depth, and no user unfolds more.
_DEEPEST = 20
# The most symbols; the innermost are left out first.
_MOST = 2_000
_LONGEST = 80
# Markup in pairs around words; a single mark is text, as in `src/*.py`.
_CODE = lazy_pattern(r"(`+)([^`]+)\1")
_EMPHASIS = lazy_pattern(r"(?<![\w*])(\*{1,3}|_)(?=[^\s*_])((?:(?!\1).)+?)(?<=[^\s*_])\1(?![\w*])")


@lazy_dataclass(slots=True)
class Symbol:
    """Something with a name in a document. Spans are in code points; ``selection`` lies in ``span``."""

    name: str
    kind: SymbolKind
    span: Span
    selection: Span
    detail: str = ""
    deprecated: bool = False
    children: list[Symbol] = field(default_factory=list)


def shortened(text: str) -> str:
    """A text on one line, shortened for a list."""
    line = " ".join(text[: 4 * _LONGEST].split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"


def plain(text: str) -> str:
    """The text of a heading or value without markup of emphasis and code, on one line, shortened."""
    line = text[: 4 * _LONGEST]
    return shortened(_EMPHASIS.sub(r"\2", _CODE.sub(r"\2", line)))


def nested(symbols: Iterable[Symbol]) -> list[Symbol]:
    """The symbols as a tree, in the order of the text. The first of those with the same span contains the others."""
    roots: list[Symbol] = []
    around: list[Symbol] = []
    for symbol in sorted(symbols, key=lambda symbol: (symbol.span.start, -symbol.span.end)):
        while around and symbol.span.start >= around[-1].span.end:
            around.pop()
        if len(around) == _DEEPEST:
            continue
        symbol = _within(symbol, around[-1].span.end if around else symbol.span.end)
        if around:
            around[-1].children.append(symbol)
        else:
            roots.append(symbol)
        around.append(symbol)
    _limit(roots)
    return roots


def _within(symbol: Symbol, end: int) -> Symbol:
    """A symbol cut off at ``end``, with its selection within its span."""
    span = Span(symbol.span.start, min(symbol.span.end, end))
    if span.covers(symbol.selection) and span == symbol.span:
        return symbol
    start, stop = (min(max(offset, span.start), span.end) for offset in symbol.selection)
    return replace(symbol, span=span, selection=Span(start, stop))


def _limit(roots: list[Symbol]) -> None:
    """Leave out the innermost of too many symbols."""
    level, left = [roots], _MOST
    while level:
        for siblings in level:
            del siblings[left:]
            left -= len(siblings)
        level = [symbol.children for siblings in level for symbol in siblings if symbol.children]
