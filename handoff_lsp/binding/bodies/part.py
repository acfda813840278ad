"""What the data of a handoff are made of, whatever they are written in: values with their keys, nested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal

from handoff_lsp.syntax.json.parse import JsonKind
from handoff_lsp.syntax.lines.outline_tree import OutlineKind
from handoff_lsp.text import Span

PartKind = JsonKind | OutlineKind | Literal["missing", "day", "entry", "time", "tag", "words"]


class Part:
    """A value with its key, or without one. Spans are in code points of the document."""

    # Whether the syntax tells of which type a value is.
    typed: ClassVar[bool] = False
    # What is shown for a name of blanks.
    blank: ClassVar[str] = "?"

    # "missing": a key whose value is not written yet.
    kind: PartKind
    # The tag of a log's entry.
    tag: str = ""

    @property
    def span(self) -> Span:
        """All of it."""
        raise NotImplementedError

    @property
    def key(self) -> Span | None:
        """Its key as written, with quotes."""
        return None

    @property
    def value(self) -> Span | None:
        """Its value as written; None where none is written yet."""
        return None

    @property
    def name(self) -> str | None:
        """What it is called; None for a part that is nothing by itself, such as a text in a list."""
        return None

    @property
    def count(self) -> int | None:
        """How many items it has, where that says more about it than its text."""
        return None

    @property
    def closed(self) -> bool:
        """Whether the bracket or quote at its end is there."""
        return True

    @property
    def bracketed(self) -> bool:
        """Whether there is something in it between brackets."""
        return False

    @property
    def text(self) -> str:
        """What tells one such part from another: its value."""
        return ""

    @property
    def folded(self) -> Span | None:
        """What can be folded away where it is on several lines."""
        return self.span

    @property
    def spans(self) -> Iterator[Span]:
        """What a selection in it grows to."""
        yield from (span for span in (self.span, self.key, self.value) if span is not None)

    @property
    def children(self) -> Sequence[Part]:
        """The parts in it, in text order."""
        return ()


def descend(parts: Sequence[Part], *, words: bool) -> Iterator[tuple[Part, int]]:
    """The parts and all below them, the last ones first, each with how many parts with a name it is in.

    Without ``words`` the words of a log's entries are left out.
    """
    stack = [(part, 0) for part in parts]
    while stack:
        part, depth = stack.pop()
        yield part, depth
        if words or not part.tag:
            stack += [(child, depth + (part.name is not None)) for child in part.children]
