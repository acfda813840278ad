"""Sections: a heading with the blocks below it. Computed on demand."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, overload

from handoff_lsp.syntax.markdown.green import BlockKind
from handoff_lsp.syntax.markdown.node import Node
from handoff_lsp.text import Span

if TYPE_CHECKING:
    from handoff_lsp.syntax.markdown.tree import MarkdownTree


class Section:
    """A top-level heading with the blocks up to the next heading of its level or a higher one.

    ``number`` is the heading's index in the document. Its surroundings are computed on demand.
    """

    __slots__ = ("number", "tree")

    def __init__(self, tree: MarkdownTree, number: int) -> None:
        self.tree = tree
        self.number = number

    def __repr__(self) -> str:
        return f"<section {self.title!r}>"

    @property
    def level(self) -> int:
        """The heading's level, 1 to 6."""
        return self.tree.heading_levels[self.number]

    @property
    def heading(self) -> Node:
        """The heading."""
        return self.tree.block(self.tree.headings[self.number])

    @property
    def title(self) -> str:
        """The heading's text as written, inline marks included."""
        return self.tree.titles[self.number]

    @property
    def parent(self) -> Section | None:
        """The section around this one; None for a top-level one."""
        levels = self.tree.heading_levels
        level = levels[self.number]
        for number in range(self.number - 1, -1, -1):
            if levels[number] < level:
                return self.tree.all_sections[number]
        return None

    @property
    def subsections(self) -> list[Section]:
        """The sections directly in this one."""
        return self.tree.sections_between(self.number + 1, self.tree.number_after(self.number))

    @property
    def first_subsection(self) -> Section | None:
        """The first section that is in this one."""
        following = self.number + 1
        return self.tree.all_sections[following] if self.tree.number_after(self.number) > following else None

    @property
    def span(self) -> Span:
        """From the heading to just before the line of the next heading of this or a higher level, or to the end."""
        return Span(self.heading.span.start, self._end())

    @property
    def body(self) -> Span:
        """The part after the heading's line, up to the section's end."""
        end = self._end()
        starts = self.tree.source.lines.starts
        line = self.heading.last_line + 1
        return Span(starts[line] if line < len(starts) else end, end)

    @property
    def blocks(self) -> list[Node]:
        """The top-level blocks between the heading and the next heading of any level."""
        tree = self.tree
        return [
            tree.block(index) for index in range(tree.headings[self.number] + 1, tree.heading_index(self.number + 1))
        ]

    def whole(self, kinds: Container[BlockKind]) -> list[Node]:
        """The top-level blocks of some kinds in the section and all sections in it."""
        tree = self.tree
        greens = tree.greens
        span = range(tree.headings[self.number] + 1, tree.heading_index(tree.number_after(self.number)))
        return [tree.block(index) for index in span if greens[index].kind in kinds]

    def _end(self) -> int:
        tree = self.tree
        return tree.block_start(tree.heading_index(tree.number_after(self.number)))


class Sections(Sequence[Section]):
    """All sections of a document, each created on demand and cached."""

    __slots__ = ("_made", "_tree")

    def __init__(self, tree: MarkdownTree) -> None:
        self._tree = tree
        self._made: dict[int, Section] = {}

    def __len__(self) -> int:
        return len(self._tree.headings)

    @overload
    def __getitem__(self, index: int) -> Section: ...
    @overload
    def __getitem__(self, index: slice) -> list[Section]: ...
    def __getitem__(self, index: int | slice) -> Section | list[Section]:
        found = self._made.get(index) if isinstance(index, int) else None
        if found is None:
            if isinstance(index, slice):
                return [self[number] for number in range(*index.indices(len(self)))]
            number = range(len(self))[index]
            found = self._made.get(number) or Section(self._tree, number)
            self._made[number] = found
        return found
