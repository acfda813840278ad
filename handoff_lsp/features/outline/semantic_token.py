"""A semantic token, which editors color, and the separation of overlapping tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from handoff_lsp.contracts.model import RouteAction
from handoff_lsp.text import Source, Span
from handoff_lsp.text.named_tuple import NamedTuple

TokenType = Literal[
    "property", "enumMember", "number", "string", "keyword", "comment", "macro", "class", "type", "decorator"
]
Modifier = Literal["deprecated"] | RouteAction

# The order is part of the protocol. All types are standard ones; of the modifiers the actions are ours.
TYPES: tuple[TokenType, ...] = get_args(TokenType)
MODIFIERS: tuple[Modifier, ...] = ("deprecated", *get_args(RouteAction))


class Token(NamedTuple):
    """A word with a meaning. The span is in code points."""

    span: Span
    type: TokenType
    modifiers: tuple[Modifier, ...] = ()


def in_order(tokens: Iterable[Token], source: Source) -> list[Token]:
    """The tokens in the order of the text, each on one line, without overlaps.

    A token inside another one splits it; of two with the same span the later one counts.
    """
    return [part for token in _apart(tokens) for part in _lines_of(token, source)]


def _apart(tokens: Iterable[Token]) -> Iterator[Token]:
    """The tokens in order, each without the parts that others cover."""
    around: list[tuple[int, Token]] = []  # the open tokens, each with its end within the one before it
    done = 0  # tokens up to this offset have been yielded
    for token in sorted(tokens, key=_place):
        start, end = token.span
        while around and around[-1][0] <= start:
            stop, outer = around.pop()
            if stop > done:
                yield _part(outer, done, stop)
                done = stop
        if around:
            stop, outer = around[-1]
            if start > done:
                yield _part(outer, done, start)
            end = min(end, stop)
        if end > start:
            done = start
            around.append((end, token))
    while around:
        stop, outer = around.pop()
        if stop > done:
            yield _part(outer, done, stop)
            done = stop


def _part(token: Token, start: int, end: int) -> Token:
    """The part of a token between two offsets."""
    return token if token.span == (start, end) else token._replace(span=Span(start, end))


def _place(token: Token) -> tuple[int, int]:
    return token.span.start, -token.span.end


def _lines_of(token: Token, source: Source) -> Iterator[Token]:
    """The parts of a token on each line, without surrounding blanks."""
    lines = source.lines
    start, end = token.span
    first = lines.line_of(start)
    if end <= lines.line_end(first):
        yield token
        return
    for line in range(first, lines.line_of(end) + 1):
        low, high = max(start, lines.line_start(line)), min(end, lines.line_end(line))
        part = source.text[low:high]
        low += len(part) - len(part.lstrip())
        high -= len(part) - len(part.rstrip())
        if high > low:
            yield token._replace(span=Span(low, high))
