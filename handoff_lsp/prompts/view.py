"""A prompt as its statements are read: its prose without fences, its code spans, and its paragraphs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from handoff_lsp.prompts.vocabulary import label_name
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.syntax.markdown.node import Node
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

# A code span ends in its paragraph.
_CODE = lazy_pattern(r"(?<!`)(`{1,3})(?!`)((?:[^`\n]|\n(?![ \t>]*\n)|(?<!`)`(?!\1)(?!`))+?)(?<!`)\1(?!`)")
_NOT_A_BREAK = lazy_pattern(r"[^\r\n]")
# The beginning of a block: an item, a row, a heading, a line after a blank one.
_BLOCK = lazy_pattern(r"(?m)^[ \t>]*(?:[-*+][ \t]|\d+[.)][ \t]|\||#{1,6}[ \t]|(?=\r?$))")
# The name at the start of a line or code span.
_NAMED = lazy_pattern(r"(?m)^[ \t>|{,\"'*#-]*(?P<name>[^\W\d_][\w -]{0,40}?)[\"'*]*[ \t]*(?:[:：]|$)")
# The end of a sentence, and the most characters of one on each side.
_SENTENCE_END = lazy_pattern(r"[.;!?](?=\s)|[。；！？]")
_FAR = 400


class Code(NamedTuple):
    """A code span of the prose. ``span`` has its backticks, ``inner`` its text without blanks around it."""

    span: Span
    inner: Span
    text: str


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
    def codes(self) -> Sequence[Code]:
        """The code spans of the prose, in order."""
        return list(self._codes())

    def _codes(self) -> Iterator[Code]:
        prose, at = self.prose, self.prose.find("`")
        while at >= 0:
            # Nearly all are like this; the pattern is slow.
            close = prose.find("`", at + 1)
            text, end = prose[at + 1 : close], close + 1
            if close <= at + 1 or "\n" in text or prose[end : end + 1] == "`":
                match = _CODE.match(prose, at)
                text, end = (match[2], match.end()) if match is not None else ("", at + 1)
            inner = text.strip()
            if inner:
                start = prose.index(inner, at)
                yield Code(Span(at, end), Span(start, start + len(inner)), inner)
            at = prose.find("`", end)

    @cached_property
    def _code_starts(self) -> list[int]:
        return [code.span.start for code in self.codes]

    def codes_in(self, span: Span) -> Sequence[Code]:
        """The code spans that begin in a part of the prose."""
        low = bisect_right(self._code_starts, span.start - 1)
        return self.codes[low : bisect_right(self._code_starts, span.end - 1)]

    def code_at(self, offset: int) -> Code | None:
        """The code span that begins at an offset."""
        index = bisect_right(self._code_starts, offset) - 1
        return self.codes[index] if index >= 0 and self.codes[index].span.start == offset else None

    def code_around(self, offset: int) -> Code | None:
        """The code span that an offset is in."""
        index = bisect_right(self._code_starts, offset) - 1
        return self.codes[index] if index >= 0 and offset < self.codes[index].span.end else None

    @cached_property
    def _written_names(self) -> frozenset[str]:
        named = (_NAMED.match(code.text) for code in self.codes)
        found = {match["name"] for match in named if match is not None}
        for fence in self.fences:
            found.update(match["name"] for match in _NAMED.finditer(fence.text))
        return frozenset(found)

    @cached_property
    def names(self) -> frozenset[str]:
        """What its code spans and the lines of its fences may name as a field, as names are compared."""
        return frozenset(map(label_name, self._written_names))

    @cached_property
    def names_in_capitals(self) -> frozenset[str]:
        """Those of the names that are written in capitals."""
        return frozenset(label_name(name) for name in self._written_names if name.isupper())

    @cached_property
    def _block_starts(self) -> list[int]:
        return [0, *(match.start() for match in _BLOCK.finditer(self.prose))]

    def block(self, offset: int) -> Span:
        """The item, row, heading or paragraph around an offset."""
        index = bisect_right(self._block_starts, offset) - 1
        end = self._block_starts[index + 1] if index + 1 < len(self._block_starts) else len(self.prose)
        return Span(self._block_starts[index], end)

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
