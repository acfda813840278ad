"""What the data of a handoff are made of, whatever they are written in: values with their keys, nested."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from handoff_lsp.syntax.json.parse import JsonKind
from handoff_lsp.syntax.lines.outline_tree import OutlineKind
from handoff_lsp.text import Span

PartKind = JsonKind | OutlineKind | Literal["missing", "day", "entry", "time", "tag", "words"]


class BodyPart(NamedTuple):
    """A value with its key, or without one; "missing" is a key without a value. Spans in code points of the document.

    ``name`` is None for what is nothing by itself, such as a text in a list. ``text`` tells one part from another;
    ``length`` is how many items it has, where that says more. ``tag`` is that of a log's entry. ``typed``: the syntax
    tells of which type it is. ``closed``: the bracket or quote at its end is there. ``folded`` is what can be folded
    away on several lines, ``bracketed`` if that is between brackets. ``insides`` makes what is between quotes or
    brackets, ``below`` the parts in it, in text order.
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
    """The parts and all below them, the last ones first, each with how many parts with a name it is in.

    Without ``words`` the words of a log's entries are left out.
    """
    stack = [(part, 0) for part in parts]
    while stack:
        part, depth = stack.pop()
        yield part, depth
        if words or not part.tag:
            stack += [(child, depth + (part.name is not None)) for child in part.below()]
