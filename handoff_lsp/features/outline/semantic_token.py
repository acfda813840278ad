"""A word with a meaning, for editors to colour, and how words that overlap are made to follow one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, get_args

from handoff_lsp.contracts.model import RouteAction
from handoff_lsp.text import Source, Span

TokenType = Literal[
    "property", "enumMember", "number", "string", "keyword", "comment", "macro", "class", "type", "decorator"
]
Modifier = Literal["deprecated"] | RouteAction

# The order is part of the protocol. All types are standard ones; of the modifiers the actions are ours.
TYPES: tuple[TokenType, ...] = get_args(TokenType)
MODIFIERS: tuple[Modifier, ...] = ("deprecated", *get_args(RouteAction))


class Token(NamedTuple):
    """A word. The span is in code points."""

    span: Span
    type: TokenType
    modifiers: tuple[Modifier, ...] = ()


def in_order(tokens: Iterable[Token], source: Source) -> list[Token]:
    """The tokens in the order of the text, each on one line, none overlapping another.

    One that lies in another cuts it; of two with the same span the later one counts.
    """
    return [part for token in _apart(tokens) for part in _lines_of(token, source)]


def _apart(tokens: Iterable[Token]) -> Iterator[Token]:
    """The tokens without what others cut out of them, in order."""
    around: list[tuple[int, Token]] = []  # those that go on, each with where it ends within the one before it
    at = 0  # up to here is all told
    for token in sorted(tokens, key=_place):
        start, end = token.span
        while around and around[-1][0] <= start:
            stop, outer = around.pop()
            if stop > at:
                yield _part(outer, at, stop)
                at = stop
        if around:
            stop, outer = around[-1]
            if start > at:
                yield _part(outer, at, start)
            end = min(end, stop)
        if end > start:
            at = start
            around.append((end, token))
    while around:
        stop, outer = around.pop()
        if stop > at:
            yield _part(outer, at, stop)
            at = stop


def _part(token: Token, start: int, end: int) -> Token:
    """What is left of a token from an offset on, up to another one."""
    return token if token.span == (start, end) else token._replace(span=Span(start, end))


def _place(token: Token) -> tuple[int, int]:
    return token.span.start, -token.span.end


def _lines_of(token: Token, source: Source) -> Iterator[Token]:
    """The parts of a token on each line, without the blanks around them."""
    lines = source.lines
    start, end = token.span
    first = lines.line_of(start)
    if end <= lines.line_end(first):
        yield token
        return
    for line in range(first, lines.line_of(end) + 1):
        low, high = max(start, lines.starts[line]), min(end, lines.line_end(line))
        part = source.text[low:high]
        low += len(part) - len(part.lstrip())
        high -= len(part) - len(part.rstrip())
        if high > low:
            yield token._replace(span=Span(low, high))
