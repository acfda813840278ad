"""Marked copies: the parts of a document between ``<!-- handoff: begin … -->`` and ``<!-- handoff: end -->``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

_MARK = lazy_pattern(r"<!--\s*handoff:\s*(?P<form>begin|end)(?![\w-])(?P<rest>[^>]*?)-->")
_WORD = lazy_pattern(r"(?P<name>[^\s=]+)(?:[ \t]*=[ \t]*(?P<value>[^\s=]*))?")
# The end of a copy, alone on its line, even in a fence.
_END = lazy_pattern(r"(?m)^[ \t>]*(?P<mark><!--\s*handoff:\s*end\s*-->)[ \t]*\r?$")


class CopyWord(NamedTuple):
    """A word of a mark, ``NAME=VALUE`` or a bare name. ``label`` and ``span`` are the places of name and value."""

    name: str
    value: str
    label: Span
    span: Span


class MarkedCopy(NamedTuple):
    """A marked copy. ``begin`` and ``end`` are the spans of its marks; without an end, ``end`` is None."""

    begin: Span
    words: Sequence[CopyWord]
    end: Span | None

    @property
    def options(self) -> Mapping[str, CopyWord]:
        """Its words by their names, the first of each."""
        return {word.name: word for word in reversed(self.words)}

    @property
    def body(self) -> Span | None:
        """What is between its marks."""
        return Span(self.begin.end, self.end.start) if self.end is not None else None


class Marks(NamedTuple):
    """The marked copies of a document in their order, and the spans of marks that end none."""

    copies: Sequence[MarkedCopy] = ()
    stray: Sequence[Span] = ()


def read_copies(tree: MarkdownTree) -> Marks:
    """The marked copies of a document. Computed once for each tree."""
    return tree.once(_read)


def _read(tree: MarkdownTree) -> Marks:
    text = tree.source.text
    if not tree.source.holds("handoff:"):
        return Marks()
    found = [(span, match) for span in tree.comments if (match := _MARK.match(text, span.start, span.end)) is not None]
    begins = [(span, match) for span, match in found if match["form"] == "begin"]
    ends = [span for span, match in found if match["form"] == "end"]
    copies = []
    for number, (begin, match) in enumerate(begins):
        limit = begins[number + 1][0].start if number + 1 < len(begins) else len(text)
        end = next((span for span in ends if begin.end <= span.start < limit), None)
        if end is None and (hidden := _END.search(text, begin.end, limit)) is not None:
            end = Span(*hidden.span("mark"))  # in a fence of the copy that has lost its own end
        copies.append(MarkedCopy(begin, _words(match), end))
    used = {copy.end for copy in copies}
    return Marks(tuple(copies), tuple(span for span in ends if span not in used))


def _words(match: re.Match[str]) -> Sequence[CopyWord]:
    words = _WORD.finditer(match.string, *match.span("rest"))
    return [_word(word) for word in words]


def _word(match: re.Match[str]) -> CopyWord:
    value = match["value"] or ""
    return CopyWord(match["name"], value, Span(*match.span("name")), Span(*match.span("value" if value else "name")))
