"""A prompt as its statements are read: its prose without fences, its code spans, and its paragraphs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Protocol, TypeVar

from handoff_lsp.prompts.chunk import About, Chunk, Code, chunk_of, chunks_of
from handoff_lsp.prompts.vocabulary import label_name
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.syntax.markdown.node import Node
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

_NOT_A_BREAK = lazy_pattern(r"[^\r\n]")
# The end of a sentence, and the most characters of one on each side.
_SENTENCE_END = lazy_pattern(r"[.;!?](?=\s)|[。；！？]")
_FAR = 400

M = TypeVar("M", bound="Movable")


class Movable(Protocol):
    """Something at a place in a text."""

    def moved(self: M, by: int) -> M:
        """The same at a later place."""


class PromptView:
    """The parts of a prompt. All offsets are code points of the document."""

    def __init__(self, tree: MarkdownTree) -> None:
        self.tree: MarkdownTree = tree
        self.text: str = tree.source.text

    @cached_property
    def fences(self) -> Sequence[Node]:
        """Its fences, in order."""
        return self.tree.fences()

    @cached_property
    def structures(self) -> Sequence[Node]:
        """Its tables, and its lists with two items or more that begin with code, in order."""
        found: list[Node] = []
        for index, green in enumerate(self.tree.greens):
            # Nearly all blocks have none, and are known from before.
            none = green.cache is not None and green.cache.get(_paths_of_structures) == ()
            if not none and (green.children or green.kind == "table"):
                found += _structures(self.tree.block(index))
        return found

    @cached_property
    def prose(self) -> str:
        """The text with blanks in place of front matter, fences and comments, so that offsets are the same."""
        hidden = [node.span for node in self.fences]
        if self.tree.front_matter is not None:
            hidden.append(self.tree.front_matter.span)
        hidden += self.tree.comments if "<!--" in self.text else []
        parts, end = [], 0
        for span in sorted(hidden):
            if span.start >= end:
                parts += [self.text[end : span.start], _NOT_A_BREAK.sub(" ", self.text[span.start : span.end])]
                end = span.end
        return "".join(parts) + self.text[end:]

    @cached_property
    def utf8(self) -> bytes:
        """The text in the encoding that patterns of contracts are fastest in."""
        return self.text.encode("utf-8", "replace")

    @cached_property
    def chunks(self) -> Sequence[tuple[int, Chunk]]:
        """The parts of the prose between blank lines, with their offsets."""
        return list(chunks_of(self.prose))

    @cached_property
    def chunks_of_text(self) -> Sequence[tuple[int, Chunk]]:
        """The same of the whole text."""
        return list(chunks_of(self.text))

    @cached_property
    def _chunk_starts(self) -> list[int]:
        return [start for start, _ in self.chunks]

    def _chunk(self, offset: int) -> int:
        return bisect_right(self._chunk_starts, offset) - 1

    def found(self, make: Callable[[Chunk, About], Sequence[M]], about: About) -> Iterator[M]:
        """What a function finds in each of these parts, in order, at its place in the document."""
        return (one.moved(start) for start, chunk in self.chunks for one in chunk.once(make, about))

    @property
    def codes(self) -> Iterator[Code]:
        """The code spans of the prose, in order."""
        return (code.moved(start) for start, chunk in self.chunks for code in chunk.codes)

    def codes_in(self, span: Span) -> Sequence[Code]:
        """The code spans that begin in a part of the prose."""
        found: list[Code] = []
        for start, chunk in self.chunks[max(self._chunk(span.start), 0) : self._chunk(span.end) + 1]:
            found += [code.moved(start) for code in chunk.codes_in(span.start - start, span.end - start)]
        return found

    def code_at(self, offset: int) -> Code | None:
        """The code span that begins at an offset."""
        code = self.code_around(offset) if self.prose.startswith("`", offset) else None
        return code if code is not None and code.span.start == offset else None

    def code_around(self, offset: int) -> Code | None:
        """The code span that an offset is in."""
        start, chunk = self.chunks[max(self._chunk(offset), 0)]
        code = chunk.code_around(offset - start)
        return code.moved(start) if code is not None else None

    @cached_property
    def _written_names(self) -> frozenset[str]:
        in_fences = (chunk_of(fence.text).names_of_lines for fence in self.fences)
        return frozenset[str]().union(*(chunk.names for _, chunk in self.chunks), *in_fences)

    @cached_property
    def names(self) -> frozenset[str]:
        """What its code spans and the lines of its fences may name as a field, as names are compared."""
        return frozenset(map(label_name, self._written_names))

    @cached_property
    def names_in_capitals(self) -> frozenset[str]:
        """Those of the names that are written in capitals."""
        return frozenset(label_name(name) for name in self._written_names if name.isupper())

    def block(self, offset: int) -> Span:
        """The item, row, heading or paragraph around an offset."""
        number = max(self._chunk(offset), 0)
        start, chunk = self.chunks[number]
        starts = chunk.block_starts
        index = bisect_right(starts, offset - start) - 1
        end = start + (starts[index + 1] if index + 1 < len(starts) else len(chunk.text))
        return Span(start + starts[index], end)

    def sentence(self, span: Span) -> Span:
        """The sentence around a part of the prose, within its block; not much of it if it is long."""
        block = self.block(span.start)
        start, end = max(block.start, span.start - _FAR), min(max(block.end, span.end), span.end + _FAR)
        for match in _SENTENCE_END.finditer(self.prose, start, span.start):
            start = match.end()
        after = _SENTENCE_END.search(self.prose, span.end, end)
        return Span(start, after.start() if after is not None else end)

    def headings(self, offset: int) -> list[str]:
        """The titles above an offset, the nearest first."""
        found: list[str] = []
        section = self.tree.section_at(offset)
        while section is not None:
            found.append(section.title)
            section = section.parent
        return found


def _structures(block: Node) -> Iterator[Node]:
    for path in block.once(_paths_of_structures):
        node = block
        for index in path:
            node = node.child(index)
        yield node


def _paths_of_structures(block: Node) -> Sequence[tuple[int, ...]]:
    """The numbers of the children on the way to each of these structures in a block, itself included."""
    return tuple(_paths(block, ()))


def _paths(node: Node, above: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if node.kind == "table" or (node.kind == "list" and sum(node.of_items(_begins_with_code)) > 1):
        yield above
    for index, child in enumerate(node.children):
        yield from _paths(child, (*above, index))


def _begins_with_code(text: str, _: str | None) -> bool:
    return text.lstrip("*_ \t").startswith("`")
