"""The public Markdown tree and its sections, which are created from the green nodes on demand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar, overload

from handoff_lsp.syntax.lines.keyvalue import key_names
from handoff_lsp.syntax.markdown.comments import find_comments
from handoff_lsp.syntax.markdown.green import BlockKind, Green, ListData
from handoff_lsp.syntax.markdown.node import Node
from handoff_lsp.text import Source, Span

T = TypeVar("T")

_LABELLED = frozenset({"paragraph", "list", "quote"})
# A longer list is no list of labels.
_MOST_LABELS = 60


class Section:
    """A top-level heading with the blocks up to the next heading of its level or a higher one.

    ``number`` is the heading's index in the document. Its surroundings are computed on demand.
    """

    __slots__ = ("number", "tree")

    def __init__(self, tree: MarkdownTree, number: int) -> None:
        self.tree: MarkdownTree = tree
        self.number: int = number

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
        lines, line = self.tree.source.lines, self.heading.last_line + 1
        return Span(lines.line_start(line) if line < lines.count else end, end)

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

    __slots__ = ("_created", "_tree")

    def __init__(self, tree: MarkdownTree) -> None:
        self._tree = tree
        self._created: dict[int, Section] = {}

    def __len__(self) -> int:
        return len(self._tree.headings)

    @overload
    def __getitem__(self, index: int) -> Section: ...
    @overload
    def __getitem__(self, index: slice) -> list[Section]: ...
    def __getitem__(self, index: int | slice) -> Section | list[Section]:
        found = self._created.get(index) if isinstance(index, int) else None
        if found is None:
            if isinstance(index, slice):
                return [self[number] for number in range(*index.indices(len(self)))]
            number = range(len(self))[index]
            found = self._created.get(number) or Section(self._tree, number)
            self._created[number] = found
        return found


class MarkdownTree:
    """The blocks of one version of a text. Immutable; derived values are computed once, on demand."""

    def __init__(self, source: Source, lines: list[int], greens: list[Green]) -> None:
        self.source = source
        self.lines = lines
        self.greens = greens
        self._created: dict[int, Node] = {}
        self._memo: dict[object, list[object]] = {}
        # Results about the titles and the blocks, by the functions that make them.
        self._of_titles: dict[Callable[[str], Any], list[Any]] = {}
        self._of_blocks: dict[Callable[[MarkdownTree, int], Any], list[tuple[int, Any]]] = {}

    def after(self, old: MarkdownTree, start: int, tail: int) -> MarkdownTree:
        """This tree with the results of an earlier one, whose blocks are all the same but for ``start`` to ``tail``."""
        by = len(self.greens) - len(old.greens)
        low, high = bisect_left(old.headings, start), bisect_left(old.headings, tail)
        new = [index for index in range(start, tail + by) if self.greens[index].level]
        rest = old.headings[high:]
        self.headings = old.headings[:low] + new + ([index + by for index in rest] if by else rest)
        titles = [self._title(index) for index in new]
        for make, of_titles in old._of_titles.items():
            self._of_titles[make] = [*of_titles[:low], *map(make, titles), *of_titles[high:]]
        for find, known in old._of_blocks.items():
            low, high = bisect_left(known, start, key=_number), bisect_left(known, tail, key=_number)
            left = [(index + by, one) for index, one in known[high:]] if by else known[high:]
            self._of_blocks[find] = known[:low] + self._found(find, range(start, tail + by)) + left
        return self

    def block(self, index: int) -> Node:
        """The top-level block with a number; the same node each time."""
        node = self._created.get(index)
        if node is None:
            line = self.lines[index]
            node = self._created[index] = Node(self.greens[index], self.line_start(line), line, None, self.source)
        return node

    def line_start(self, line: int) -> int:
        """Where a line begins; a byte order mark is before the first."""
        return line_start(self.source, line)

    def block_start(self, index: int) -> int:
        """The start of a top-level block's line, or the end of the text after the last block."""
        return self.line_start(self.lines[index]) if index < len(self.lines) else len(self.source.text)

    @cached_property
    def blocks(self) -> list[Node]:
        """The top-level blocks in order, front matter included."""
        return [self.block(index) for index in range(len(self.greens))]

    @property
    def front_matter(self) -> Node | None:
        """The block between ``---`` lines at the very start; its content is the text between them."""
        if self.greens and self.greens[0].kind == "front-matter":
            return self.block(0)
        return None

    @property
    def preamble(self) -> list[Node]:
        """The blocks before the first heading, front matter included."""
        return [self.block(index) for index in range(self.heading_index(0))]

    @cached_property
    def headings(self) -> list[int]:
        """The numbers of the top-level headings among the blocks."""
        # A top-level list has level 0, so only headings have one here.
        return [index for index, green in enumerate(self.greens) if green.level]

    @cached_property
    def heading_levels(self) -> list[int]:
        """The level of each top-level heading."""
        return [self.greens[index].level for index in self.headings]

    @property
    def titles(self) -> list[str]:
        """The text of each top-level heading as written, inline marks included."""
        return self.of_titles(str)

    @property
    def title(self) -> str:
        """The text of the first heading if it has level 1; else empty."""
        return self.titles[0] if self.headings and self.heading_levels[0] == 1 else ""

    @cached_property
    def head(self) -> str:
        """The quotes above the first heading of level 2 or deeper, marks included: documents keep their data there."""
        first = next((number for number, level in enumerate(self.heading_levels) if level > 1), len(self.headings))
        above = (index for index in range(self.heading_index(first)) if self.greens[index].kind == "quote")
        return "\n".join(self.source.slice(self.block(index).span) for index in above)

    def once(self, make: Callable[[MarkdownTree], T]) -> T:
        """The result of a function of this tree, computed once. The function must live long."""
        found = self._memo.get(make)
        if found is None:
            found = self._memo[make] = [make(self)]
        return found[0]  # type: ignore[return-value]

    def of_titles(self, make: Callable[[str], T]) -> list[T]:
        """The results of a function of the title of each top-level heading.

        Kept under the function from one version of a text to the next, so it must live long and depend on nothing but
        the title.
        """
        found = self._of_titles.get(make)
        if found is None:
            found = self._of_titles[make] = [make(self._title(index)) for index in self.headings]
        return found

    def _title(self, index: int) -> str:
        green, start = self.greens[index], self.block_start(index)
        return self.source.text[start + green.low : start + green.high]

    def of_blocks(self, find: Callable[[MarkdownTree, int], T | None]) -> list[tuple[int, T]]:
        """The top-level blocks for which a function of the tree and their number finds something: numbers and results.

        Kept as in ``of_titles``: the function may depend on nothing but the block's kind and text.
        """
        found = self._of_blocks.get(find)
        if found is None:
            found = self._of_blocks[find] = self._found(find, range(len(self.greens)))
        return found

    def _found(self, find: Callable[[MarkdownTree, int], T | None], numbers: range) -> list[tuple[int, T]]:
        return [(index, found) for index in numbers if (found := find(self, index)) is not None]

    @property
    def labels(self) -> list[tuple[int, tuple[str, ...]]]:
        """The top-level paragraphs, quotes and short lists with ``key: value`` lines: their numbers and the keys."""
        return self.of_blocks(label_keys)

    @cached_property
    def heading_starts(self) -> list[int]:
        """The offset of each top-level heading's title."""
        return [self.heading_spans(number)[0].start for number in range(len(self.headings))]

    def heading_spans(self, number: int) -> tuple[Span, Span]:
        """The content and the span of a top-level heading, without making its node."""
        index = self.headings[number]
        green, line = self.greens[index], self.lines[index]
        base = self.source.lines.line_start(line) if line else self.line_start(0)
        return Span(base + green.low, base + green.high), Span(base + green.start, base + green.end)

    def section_of(self, content: Span) -> Section | None:
        """The section of the top-level heading with its text exactly at a span; None without one."""
        number = bisect_left(self.heading_starts, content.start)
        found = number < len(self.headings) and self.heading_spans(number)[0] == content
        return self.all_sections[number] if found else None

    def heading_at(self, content: Span) -> Node | None:
        """The top-level heading with its text exactly at a span; None without one."""
        section = self.section_of(content)
        return section.heading if section is not None else None

    def heading_index(self, number: int) -> int:
        """The number among the blocks of a heading, or the number of blocks after the last heading."""
        return self.headings[number] if number < len(self.headings) else len(self.greens)

    def number_after(self, number: int) -> int:
        """The number of the next heading of the same or a higher level."""
        levels = self.heading_levels
        level = levels[number]
        number += 1
        while number < len(levels) and levels[number] > level:
            number += 1
        return number

    def sections_between(self, number: int, stop: int) -> list[Section]:
        sections: list[Section] = []
        while number < stop:
            sections.append(self.all_sections[number])
            number = self.number_after(number)
        return sections

    @cached_property
    def all_sections(self) -> Sequence[Section]:
        """All sections in the order of their headings. Headings inside quotes and lists make none."""
        return Sections(self)

    @cached_property
    def sections(self) -> list[Section]:
        """The sections that are in no other section."""
        return self.sections_between(0, len(self.headings))

    def section_at(self, offset: int) -> Section | None:
        """The innermost section with an offset in its lines; None before the first heading."""
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
            inner = offset - node.base
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
        return list(find_comments(self.source.text, self.block_at)) if self.source.holds("<!--") else []


def label_keys(tree: MarkdownTree, index: int) -> tuple[str, ...] | None:
    """The keys of a top-level block with ``key: value`` lines; None for any other."""
    green = tree.greens[index]
    if green.kind not in _LABELLED or (green.kind == "list" and len(green.children) > _MOST_LABELS):
        return None
    return tree.block(index).once(_keys_in) or None


def _keys_in(node: Node) -> tuple[str, ...]:
    return key_names(node.source.slice(node.span))


def _number(found: tuple[int, object]) -> int:
    return found[0]


def line_start(source: Source, line: int) -> int:
    """Where a line begins; a byte order mark is before the first."""
    return source.lines.line_start(line) if line else int(source.text.startswith("\ufeff"))


def start_of(green: Green) -> int:
    """A green node's start, as a key to search by."""
    return green.start


def dump(tree: MarkdownTree) -> list[tuple[object, ...]]:
    """Every property of a tree's blocks, for comparing two trees."""
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
