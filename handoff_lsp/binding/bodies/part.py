"""The data of a handoff in any syntax, as nested values with their keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from handoff_lsp.syntax.json.parse import JsonKind
from handoff_lsp.syntax.lines.outline_tree import OutlineKind
from handoff_lsp.text import Span

PartKind = JsonKind | OutlineKind | Literal["missing", "day", "entry", "time", "tag", "words"]


class BodyPart(NamedTuple):
    """A value with its key, or without one; "missing" is a key without a value. Spans in code points of the document.

    ``name`` is None for a part that is no symbol of its own, such as a text in a list. ``text`` distinguishes parts of
    a kind; ``length`` is the number of items of a list or a day. ``tag`` is that of a log's entry. ``typed``:
    the syntax fixes the value's type. ``closed``: the bracket or quote at its end is present. ``folded`` is the span
    that can be folded if it has several lines, ``bracketed`` if it is between brackets. ``insides`` returns the spans
    between quotes or brackets, ``below`` the parts in it, in text order.
    """

    kind: PartKind
    span: Span
    key: Span | None = None
    value: Span | None = None
    name: str | None = None
    text: str = ""
    length: int | None = None
    tag: str = ""
    typed: bool = False
    closed: bool = True
    folded: Span | None = None
    bracketed: bool = False
    insides: Callable[[], Sequence[Span]] = tuple
    below: Callable[[], Sequence[BodyPart]] = tuple


def descend(parts: Sequence[BodyPart], *, words: bool) -> Iterator[tuple[BodyPart, int]]:
    """The parts and all below them, the last ones first, each with the number of named parts around it.

    Without ``words`` the words of a log's entries are left out.
    """
    stack = [(part, 0) for part in parts]
    while stack:
        part, depth = stack.pop()
        yield part, depth
        if words or not part.tag:
            stack += [(child, depth + (part.name is not None)) for child in part.below()]
