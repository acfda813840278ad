"""The tree that is handed out: green nodes in their places, sections, comments. All of it is made when asked for."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Container, Iterator, Sequence
from functools import cached_property
from typing import TypeVar, overload

from handoff_lsp.syntax.markdown_green import BlockKind, FenceData, Green, ItemData, ListData
from handoff_lsp.text import Fragment, Source, Span

T = TypeVar("T")

# Where a heading's green node keeps its title.
_TITLE = "title"

_CELL_BREAK = re.compile(r"(?<!\\)\|")
_INLINE = re.compile(r"\\.|`+|<!--", re.DOTALL)
_TICKS = re.compile(r"`+")
# Kinds whose text is not read for comments.
_OPAQUE = frozenset({"fence", "code", "front-matter", "rule"})


class Node:
    """A block in its place. All offsets are code points of the whole text, all lines zero-based.

    Attributes that a kind of block does not have are empty, zero or None; asking for them never raises.
    """

    __slots__ = ("_base", "_children", "_line", "_made", "green", "parent", "tree")

    def __init__(self, green: Green, base: int, line: int, parent: Node | None, tree: MarkdownTree) -> None:
        self.green = green
        self.parent = parent
        self.tree = tree
        self._base = base
        self._line = line
        self._children: list[Node] | None = None
        self._made: dict[int, Node] | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} {self.span.start}..{self.span.end}>"

    @property
    def kind(self) -> BlockKind:
        """What kind of block this is."""
        return self.green.kind

    @property
    def span(self) -> Span:
        """From the first character, the marker included, to the end of the last line's content."""
        return Span(self._base + self.green.start, self._base + self.green.end)

    @property
    def content(self) -> Span:
        """A heading's title, a paragraph's text, the first line of an item's text, a fence's body; else the span.

        An item that does not begin with a paragraph has an empty content after its marker. The body of a fence in a
        container has the container's prefixes in it; ``fragment`` gives the pure text.
        """
        return Span(self._base + self.green.low, self._base + self.green.high)

    @property
    def text(self) -> str:
        """The original text of the content."""
        return self.tree.source.text[self._base + self.green.low : self._base + self.green.high]

    @property
    def children(self) -> list[Node]:
        """The items of a list, the blocks of an item or quote, the rows of a table, in order."""
        if self._children is None:
            base, line, tree = self._base, self._line, self.tree
            data = self.green.data
            if isinstance(data, ListData):
                made = self._made or {}
                self._children = [
                    made.get(index) or Node(green, base + offset, line + down, self, tree)
                    for index, (green, offset, down) in enumerate(
                        zip(self.green.children, data.offsets, data.lines, strict=True)
                    )
                ]
                self._made = None
            else:
                self._children = [Node(green, base, line, self, tree) for green in self.green.children]
        return self._children

    def child(self, index: int) -> Node:
        """One of the children, made alone where there may be very many; the same node each time."""
        data = self.green.data
        if self._children is not None or not isinstance(data, ListData):
            return self.children[index]
        if self._made is None:
            self._made = {}
        node = self._made.get(index)
        if node is None:
            base, line = self._base + data.offsets[index], self._line + data.lines[index]
            node = self._made[index] = Node(self.green.children[index], base, line, self, self.tree)
        return node

    def of_items(self, make: Callable[[str, str | None], T]) -> list[T]:
        """What a function makes of each item's text and what is in its checkbox.

        Made once for each green node and kept in it under the function, as in ``MarkdownTree.of_titles``. Only for
        the items of a list.
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

    @property
    def level(self) -> int:
        """1 to 6 for a heading; for a list how many lists it is in; else 0."""
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
        return Span(self._base + start, self._base + end)

    # Fences

    @property
    def info_span(self) -> Span:
        """Where a fence's info string is, trimmed; zero-width at the end of the marker where there is none."""
        data = self.green.data
        if isinstance(data, FenceData):
            return self._at(data.info_start, data.info_end)
        return Span(self._base + self.green.start, self._base + self.green.start)

    @property
    def info(self) -> str:
        """A fence's info string as written, trimmed."""
        return self.tree.source.slice(self.info_span)

    @property
    def marker(self) -> str:
        """The characters that open a fence: three or more backticks or tildes."""
        data = self.green.data
        if isinstance(data, FenceData):
            return self.tree.source.slice(self._at(self.green.start, data.marker_end))
        return ""

    @property
    def closed(self) -> bool:
        """Whether a fence has a closing line. Without one it runs to the end of what it is in."""
        return self.closing is not None

    @property
    def opening(self) -> Span:
        """A fence's opening line from the marker on."""
        data = self.green.data
        if isinstance(data, FenceData):
            return self._at(self.green.start, data.opening_end)
        return Span(self._base + self.green.start, self._base + self.green.start)

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
        return Fragment(self.tree.source.text, spans)

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
        """What is in an item's checkbox: ``" "``, ``"x"`` or ``"X"``."""
        span = self.checkbox_span
        return None if span is None else self.tree.source.text[span.start + 1]

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
        span = self.span
        text = self.tree.source.slice(span)
        row = text.rstrip()
        low = 0
        cuts = [match.start() for match in _CELL_BREAK.finditer(row)]
        if cuts and not row[: cuts[0]].strip():
            low = cuts.pop(0) + 1
        if not cuts or cuts[-1] != len(row) - 1:
            cuts.append(len(row))
        cells: list[Span] = []
        for cut in cuts:
            cell = row[low:cut]
            start = span.start + low + len(cell) - len(cell.lstrip())
            length = len(cell.strip())
            # An empty cell is where one would type into it: after the blank that follows the pipe.
            start = start if length else span.start + min(low + 1, cut)
            cells.append(Span(start, start + length))
            low = cut + 1
        return cells


class Section:
    """A top-level heading with all that follows it up to the next heading of its level or a higher one.

    ``number`` is the heading's place among all of the document. What is around is looked for when asked for.
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
        """The section that this one is in."""
        levels = self.tree.heading_levels
        level = levels[self.number]
        for number in range(self.number - 1, -1, -1):
            if levels[number] < level:
                return self.tree.all_sections[number]
        return None

    @property
    def subsections(self) -> list[Section]:
        """The sections that are in this one and in no other in it."""
        return self.tree._sections_between(self.number + 1, self.tree._number_after(self.number))

    @property
    def first_subsection(self) -> Section | None:
        """The first section that is in this one."""
        following = self.number + 1
        return self.tree.all_sections[following] if self.tree._number_after(self.number) > following else None

    @property
    def span(self) -> Span:
        """From the heading to just before the line of the next heading of this or a higher level, or to the end."""
        return Span(self.heading.span.start, self._end())

    @property
    def body(self) -> Span:
        """What follows the heading's line, up to the section's end."""
        end = self._end()
        starts = self.tree.source.lines.starts
        line = self.heading.last_line + 1
        return Span(starts[line] if line < len(starts) else end, end)

    @property
    def blocks(self) -> list[Node]:
        """The top-level blocks between the heading and the next heading of any level."""
        tree = self.tree
        return [tree.block(index) for index in range(tree.headings[self.number] + 1, tree._heading(self.number + 1))]

    def whole(self, kinds: Container[BlockKind]) -> list[Node]:
        """The top-level blocks of some kinds in the section and all sections in it."""
        tree = self.tree
        greens = tree.greens
        span = range(tree.headings[self.number] + 1, tree._heading(tree._number_after(self.number)))
        return [tree.block(index) for index in span if greens[index].kind in kinds]

    def _end(self) -> int:
        tree = self.tree
        return tree._block_start(tree._heading(tree._number_after(self.number)))


class _Sections(Sequence[Section]):
    """All sections of a document, each made when asked for and kept."""

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


class MarkdownTree:
    """The blocks of one version of a text. Immutable; what is asked for is made once and kept."""

    def __init__(self, source: Source, lines: list[int], greens: list[Green]) -> None:
        self.source = source
        self.lines = lines
        self.greens = greens
        self._made: dict[int, Node] = {}
        self._memo: dict[object, list[object]] = {}

    def block(self, index: int) -> Node:
        """The top-level block with a number; the same node each time."""
        node = self._made.get(index)
        if node is None:
            line = self.lines[index]
            node = self._made[index] = Node(self.greens[index], self.line_start(line), line, None, self)
        return node

    def line_start(self, line: int) -> int:
        """Where a line begins; a byte order mark is before the first."""
        return line_start(self.source, line)

    def _block_start(self, index: int) -> int:
        """Where the line of a top-level block begins, or the end of the text after the last block."""
        return self.line_start(self.lines[index]) if index < len(self.lines) else len(self.source.text)

    @cached_property
    def blocks(self) -> list[Node]:
        """The top-level blocks in order, front matter included."""
        return [self.block(index) for index in range(len(self.greens))]

    @property
    def front_matter(self) -> Node | None:
        """The block between ``---`` lines at the very start; its content is what is between them."""
        if self.greens and self.greens[0].kind == "front-matter":
            return self.block(0)
        return None

    @property
    def preamble(self) -> list[Node]:
        """The blocks before the first heading, front matter included."""
        return [self.block(index) for index in range(self._heading(0))]

    @cached_property
    def headings(self) -> list[int]:
        """The numbers of the top-level headings among the blocks."""
        # A top-level list has level 0, so only headings have one here.
        return [index for index, green in enumerate(self.greens) if green.level]

    @cached_property
    def heading_levels(self) -> list[int]:
        """The level of each top-level heading."""
        return [self.greens[index].level for index in self.headings]

    @cached_property
    def titles(self) -> list[str]:
        """The text of each top-level heading as written, inline marks included."""
        titles: list[str] = []
        greens = self.greens
        for index in self.headings:
            cache = greens[index].cache
            if cache is None:
                cache = greens[index].cache = {}
            title = cache.get(_TITLE)
            if title is None:
                title = cache[_TITLE] = self.block(index).text
            titles.append(title)  # type: ignore[arg-type]
        return titles

    def of_titles(self, make: Callable[[str], T]) -> list[T]:
        """What a function makes of the title of each top-level heading.

        Made once for each green node and kept in it under the function, which must therefore live long and hang on
        nothing but the title.
        """
        found = self._memo.get(make)
        if found is None:
            titles = self.titles
            found = self._memo[make] = []
            for title, index in zip(titles, self.headings, strict=True):
                cache = self.greens[index].cache
                assert cache is not None, "there is a title in it"
                if make not in cache:
                    cache[make] = make(title)
                found.append(cache[make])
        return found  # type: ignore[return-value]

    def heading_spans(self, number: int) -> tuple[Span, Span]:
        """The content and the span of a top-level heading, without making its node."""
        index = self.headings[number]
        green, line = self.greens[index], self.lines[index]
        base = self.source.lines.starts[line] if line else self.line_start(0)
        return Span(base + green.low, base + green.high), Span(base + green.start, base + green.end)

    def _heading(self, number: int) -> int:
        """The number among the blocks of a heading, or the number of blocks after the last heading."""
        return self.headings[number] if number < len(self.headings) else len(self.greens)

    def _number_after(self, number: int) -> int:
        """The number of the next heading of the same or a higher level."""
        levels = self.heading_levels
        level = levels[number]
        number += 1
        while number < len(levels) and levels[number] > level:
            number += 1
        return number

    def _sections_between(self, number: int, stop: int) -> list[Section]:
        sections: list[Section] = []
        while number < stop:
            sections.append(self.all_sections[number])
            number = self._number_after(number)
        return sections

    @cached_property
    def all_sections(self) -> Sequence[Section]:
        """All sections in the order of their headings. Headings inside quotes and lists make none."""
        return _Sections(self)

    @cached_property
    def sections(self) -> list[Section]:
        """The sections that are in no other section."""
        return self._sections_between(0, len(self.headings))

    def section_at(self, offset: int) -> Section | None:
        """The innermost section whose lines hold an offset; None before the first heading."""
        block = bisect_right(self.lines, self.source.lines.line_of(offset)) - 1
        number = bisect_right(self.headings, block) - 1
        return self.all_sections[number] if number >= 0 else None

    def block_at(self, offset: int) -> Node | None:
        """The innermost block whose span holds an offset, its end included; of two that touch, the latter."""
        index = bisect_right(self.lines, self.source.lines.line_of(offset)) - 1
        # The first line of a block may be the last place of an unclosed fence before it, and so may its indentation.
        for at in (index, index - 1):
            if at >= 0 and self.block(at).span.holds(offset):
                node = self.block(at)
                break
        else:
            return None
        while node.green.children:
            inner = offset - node._base
            greens, data = node.green.children, node.green.data
            if isinstance(data, ListData):
                # The first line of an item may be the last place of an unclosed fence in the one before.
                index = bisect_right(data.offsets, inner) - 1
                if index > 0 and inner < data.offsets[index] + greens[index].start:
                    index -= 1
                if index < 0 or not greens[index].start <= inner - data.offsets[index] <= greens[index].end:
                    break
            else:
                index = bisect_right(greens, inner, key=start_of) - 1
                if index < 0 or inner > greens[index].end:
                    break
            node = node.child(index)
        return node

    def walk(self) -> Iterator[Node]:
        """All nodes, each before its children."""
        for index in range(len(self.greens)):
            stack = [self.block(index)]
            while stack:
                node = stack.pop()
                yield node
                if node.green.children:
                    stack.extend(reversed(node.children))

    def fences(self) -> list[Node]:
        """All fences at any depth, in order."""
        return self._fences

    @cached_property
    def _fences(self) -> list[Node]:
        fences: list[Node] = []
        stack = [self.block(index) for index, green in enumerate(self.greens) if green.fenced]
        stack.reverse()
        while stack:
            node = stack.pop()
            if node.green.kind == "fence":
                fences.append(node)
            else:
                inner = [index for index, green in enumerate(node.green.children) if green.fenced]
                stack += [node.child(index) for index in reversed(inner)]
        return fences

    @cached_property
    def comments(self) -> list[Span]:
        """Every HTML comment in order, marks included, but none that is in a fence, code block or code span.

        One without an end runs to the end of its HTML block; in other text it is no comment.
        """
        return list(self._find_comments())

    def _find_comments(self) -> Iterator[Span]:
        text = self.source.text
        at = text.find("<!--")
        while at >= 0:
            then = at + 4
            node = self.block_at(at)
            if node is not None and not node.green.children:
                span = node.span
                if node.kind == "html":
                    close = text.find("-->", at + 2, span.end)
                    then = span.end if close < 0 else close + 3
                    yield Span(at, then)
                else:
                    then = max(then, span.end)
                    if node.kind not in _OPAQUE:
                        yield from _inline_comments(text, span)
            at = text.find("<!--", then)


def line_start(source: Source, line: int) -> int:
    """Where a line begins; a byte order mark is before the first."""
    return source.lines.starts[line] if line else int(source.text.startswith("\ufeff"))


def start_of(green: Green) -> int:
    """A green node's start, as a key to search by."""
    return green.start


def _inline_comments(text: str, span: Span) -> Iterator[Span]:
    """The comments in running text: not escaped, not in code spans. Linear but for a search in sorted lists."""
    runs: dict[int, list[int]] = {}
    for match in _TICKS.finditer(text, span.start, span.end):
        runs.setdefault(len(match.group()), []).append(match.start())
    at = span.start
    unclosed = False
    while found := _INLINE.search(text, at, span.end):
        at = found.end()
        if found.group() == "<!--":
            close = -1 if unclosed else text.find("-->", found.start() + 2, span.end)
            unclosed = close < 0
            if not unclosed:
                at = close + 3
                yield Span(found.start(), at)
        elif found.group()[0] == "`":
            length = at - found.start()
            closers = runs.get(length, [])
            index = bisect_right(closers, at - 1)
            if index < len(closers):
                at = closers[index] + length


def dump(tree: MarkdownTree) -> list[tuple[object, ...]]:
    """All that a tree says about its blocks, for comparing two of them."""
    return [
        (
            node.kind,
            node.span,
            node.content,
            node.level,
            node.first_line,
            node.last_line,
            node.green.data,
            len(node.green.children),
            node.green.far,
            node.green.fenced,
        )
        for node in tree.walk()
    ]


def same_tree(one: MarkdownTree, other: MarkdownTree) -> bool:
    """Whether two trees have equal blocks in equal places."""
    return dump(one) == dump(other)
