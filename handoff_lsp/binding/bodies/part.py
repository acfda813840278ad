"""The data of a handoff in any syntax, as nested values with their keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal

from handoff_lsp.syntax.json.parse import JsonKind
from handoff_lsp.syntax.lines.outline_tree import OutlineKind
from handoff_lsp.text import Span

PartKind = JsonKind | OutlineKind | Literal["missing", "day", "entry", "time", "tag", "words"]


class BodyPart:
    """A value with its key, or without one. Spans are in code points of the document.

    A document may have many thousands of parts, so each answer is computed when it is asked for.
    """

    __slots__ = ()

    # Whether the syntax fixes the value's type.
    typed: ClassVar[bool] = False
    # Whether foldable parts are between brackets.
    bracketed: ClassVar[bool] = False

    # "missing" is a key without a value.
    kind: PartKind

    @property
    def span(self) -> Span:
        """The whole part."""
        raise NotImplementedError

    @property
    def key(self) -> Span | None:
        """The key as written."""
        return None

    @property
    def value(self) -> Span | None:
        """The value as written."""
        return None

    @property
    def name(self) -> str | None:
        """The name; None for a part that is no symbol of its own, such as a text in a list."""
        return None

    @property
    def text(self) -> str:
        """The text that distinguishes it from other parts of its kind."""
        return ""

    @property
    def length(self) -> int | None:
        """The number of items of a list or a day."""
        return None

    @property
    def tag(self) -> str:
        """The tag of a log's entry."""
        return ""

    @property
    def closed(self) -> bool:
        """Whether the bracket or quote at its end is present."""
        return True

    @property
    def folded(self) -> Span | None:
        """The span that can be folded if it has several lines."""
        return None

    @property
    def insides(self) -> Sequence[Span]:
        """The spans between quotes or brackets."""
        return ()

    @property
    def below(self) -> Sequence[BodyPart]:
        """The parts in it, in text order."""
        return ()


def descend(parts: Sequence[BodyPart]) -> Iterator[BodyPart]:
    """The parts and all below them, the last ones first."""
    stack = [*parts]
    while stack:
        part = stack.pop()
        yield part
        stack += part.below
