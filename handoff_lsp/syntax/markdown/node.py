"""A block in its place: a green node with its offset, its parent and its text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from handoff_lsp.syntax.markdown.green import BlockKind, FenceData, Green, ItemData, ListData
from handoff_lsp.text import Fragment, Source, Span
from handoff_lsp.text.lazy import lazy_pattern

T = TypeVar("T")

_CELL_BREAK = lazy_pattern(r"(?<!\\)\|")


class Node:
    """A block in its place. All offsets are code points of the whole text, all lines zero-based.

    Attributes that a kind of block does not have are empty, zero or None; asking for them never raises.
    """

    __slots__ = ("_children", "_created", "_line", "base", "green", "parent", "source")

    def __init__(self, green: Green, base: int, line: int, parent: Node | None, source: Source) -> None:
        self.green: Green = green
        self.parent: Node | None = parent
        self.source: Source = source
        self.base: int = base
        self._line = line
        self._children: list[Node] | None = None
        self._created: dict[int, Node] | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} {self.span.start}..{self.span.end}>"

    @property
    def kind(self) -> BlockKind:
        """The kind of this block."""
        return self.green.kind

    @property
    def span(self) -> Span:
        """From the first character, the marker included, to the end of the last line's content."""
        return Span(self.base + self.green.start, self.base + self.green.end)

    @property
    def content(self) -> Span:
        """A heading's title, a paragraph's text, the first line of an item's text, a fence's body; else the span.

        An item that does not begin with a paragraph has an empty content after its marker. The body of a fence in a
        container has the container's prefixes in it; ``fragment`` gives the pure text.
        """
        return Span(self.base + self.green.low, self.base + self.green.high)

    @property
    def text(self) -> str:
        """The original text of the content."""
        return self.source.text[self.base + self.green.low : self.base + self.green.high]

    @property
    def children(self) -> list[Node]:
        """The items of a list, the blocks of an item or quote, the rows of a table, in order."""
        if self._children is None:
            base, line, source = self.base, self._line, self.source
            data = self.green.data
            if isinstance(data, ListData):
                made = self._created or {}
                self._children = [
                    made.get(index) or Node(green, base + offset, line + down, self, source)
                    for index, (green, offset, down) in enumerate(
                        zip(self.green.children, data.offsets, data.lines, strict=True)
                    )
                ]
                self._created = None
            else:
                self._children = [Node(green, base, line, self, source) for green in self.green.children]
        return self._children

    def child(self, index: int) -> Node:
        """One of the children, made alone where there may be very many; the same node each time."""
        data = self.green.data
        if self._children is not None or not isinstance(data, ListData):
            return self.children[index]
        if self._created is None:
            self._created = {}
        node = self._created.get(index)
        if node is None:
            base, line = self.base + data.offsets[index], self._line + data.lines[index]
            node = self._created[index] = Node(self.green.children[index], base, line, self, self.source)
        return node

    def of_items(self, make: Callable[[str, str | None], T]) -> list[T]:
        """The results of a function of each item's text and checkbox.

        Computed once for each green node and cached in it under the function, as in ``MarkdownTree.of_titles``. Only
        for the items of a list.
        """
        made: list[object] = []
        for index, green in enumerate(self.green.children):
            cache = green.cache
            if cache is None:
                cache = green.cache = {}
            if make not in cache:
                item = self.child(index)
                cache[make] = make(item.text, item.checkbox)
            made.append(cache[make])
        return made  # type: ignore[return-value]

    def once(self, make: Callable[[Node], T]) -> T:
        """The result of a function of this block, computed once and cached in its green node under the function.

        The function must live long, and its result may depend on nothing but the block's own text.
        """
        cache = self.green.cache
        if cache is None:
            cache = self.green.cache = {}
        if make not in cache:
            cache[make] = make(self)
        return cache[make]  # type: ignore[return-value]

    @property
    def level(self) -> int:
        """1 to 6 for a heading; for a list the number of lists around it; else 0."""
        return self.green.level

    @property
    def first_line(self) -> int:
        """The line the block begins on."""
        return self._line + self.green.line

    @property
    def last_line(self) -> int:
        """The last line of the block, trailing blank lines left out."""
        return self._line + self.green.last

    def _at(self, start: int, end: int) -> Span:
        return Span(self.base + start, self.base + end)

    # Fences

    @property
    def info_span(self) -> Span:
        """The span of a fence's info string, trimmed; zero-width at the end of the marker if it is empty."""
        data = self.green.data
        if isinstance(data, FenceData):
            return self._at(data.info_start, data.info_end)
        return Span(self.base + self.green.start, self.base + self.green.start)

    @property
    def info(self) -> str:
        """A fence's info string as written, trimmed."""
        return self.source.slice(self.info_span)

    @property
    def marker(self) -> str:
        """The characters that open a fence: three or more backticks or tildes."""
        data = self.green.data
        if isinstance(data, FenceData):
            return self.source.slice(self._at(self.green.start, data.marker_end))
        return ""

    @property
    def closed(self) -> bool:
        """Whether a fence has a closing line. Without one it runs to the end of its container."""
        return self.closing is not None

    @property
    def opening(self) -> Span:
        """A fence's opening line from the marker on."""
        data = self.green.data
        if isinstance(data, FenceData):
            return self._at(self.green.start, data.opening_end)
        return Span(self.base + self.green.start, self.base + self.green.start)

    @property
    def closing(self) -> Span | None:
        """A fence's closing line from the marker on."""
        data = self.green.data
        if isinstance(data, FenceData) and data.closing is not None:
            return self._at(*data.closing)
        return None

    def fragment(self) -> Fragment:
        """A fence's body without container prefixes and indentation, with the way back; else the content.

        Line terminators are the original ones, that of the last line included. A tab is never split: where only a
        part of it is indentation it stays whole.
        """
        data = self.green.data
        spans = [self.content]
        if isinstance(data, FenceData) and data.pieces:
            spans = [self._at(start, end) for start, end in data.pieces]
        return Fragment(self.source.text, spans)

    # Items

    @property
    def ordered(self) -> bool:
        """Whether an item, or the items of a list, are numbered."""
        green = self.green.children[0] if self.green.kind == "list" else self.green
        return isinstance(green.data, ItemData) and green.data.ordered

    @property
    def marker_span(self) -> Span:
        """An item's ``-`` or ``1.``, without blanks."""
        data = self.green.data
        return self._at(self.green.start, data.marker_end if isinstance(data, ItemData) else self.green.start)

    @property
    def checkbox_span(self) -> Span | None:
        """An item's ``[x]``, brackets included."""
        data = self.green.data
        if isinstance(data, ItemData) and data.box >= 0:
            return self._at(data.box, data.box + 3)
        return None

    @property
    def checkbox(self) -> str | None:
        """The content of an item's checkbox: ``" "``, ``"x"`` or ``"X"``."""
        span = self.checkbox_span
        return None if span is None else self.source.text[span.start + 1]

    # Rows

    @property
    def header(self) -> bool:
        """Whether a row is the first of its table."""
        return self.green.data is True

    @property
    def cells(self) -> list[Span]:
        r"""The trimmed content of each cell that a row has, however many the header has; ``\|`` splits nothing."""
        if self.green.kind != "row":
            return []
        start = self.span.start
        return [cell.shift(start) for cell in self.once(_cells_of)]


def contents_of(green: Green, base: int) -> list[Span]:
    """The content of each child of a block that begins at ``base``, without making their nodes."""
    data = green.data
    bases = [base + offset for offset in data.offsets] if isinstance(data, ListData) else [base] * len(green.children)
    return [Span(at + child.low, at + child.high) for at, child in zip(bases, green.children, strict=True)]


def _cells_of(node: Node) -> list[Span]:
    return cells_in(node.source.slice(node.span))


def cells_in(row: str) -> list[Span]:
    """The trimmed content of each cell in the text of a row, from its start."""
    row = row.rstrip()
    low = 0
    cuts = [match.start() for match in _CELL_BREAK.finditer(row)]
    if cuts and not row[: cuts[0]].strip():
        low = cuts.pop(0) + 1
    if not cuts or cuts[-1] != len(row) - 1:
        cuts.append(len(row))
    cells: list[Span] = []
    for cut in cuts:
        cell = row[low:cut]
        start = low + len(cell) - len(cell.lstrip())
        length = len(cell.strip())
        # An empty cell is at the place for its text: after the blank that follows the pipe.
        start = start if length else min(low + 1, cut)
        cells.append(Span(start, start + length))
        low = cut + 1
    return cells
