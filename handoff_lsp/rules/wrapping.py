"""The lines of a final message that only wrap a handoff: the marks of a fence of Markdown, rules, lone tags.

Prompts show their block in such a fence, and agents copy it with the fence. In a message nothing is front matter, and
a tag around a block hides it from Markdown, but not from the reader.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

_TAGS = frozenset({"markdown", "md", "plaintext"})
# A rule, or a tag alone in its line, unless it says that it holds an example or the agent's thoughts.
_LINE = lazy_pattern(
    r"(?m)^[ \t]*(?:-{3,}|={3,}|</?(?!\w*(?:example|sample|quote|template|think))[A-Za-z][\w-]{0,60}>)[ \t]*(?=\r?$)",
    re.IGNORECASE,
)
_NO_BREAK = lazy_pattern(r"[^\r\n]")
_MARKS = "`~ \t\r\n"
_MOST_FENCES = 50


def without_wrapping(tree: MarkdownTree, text: str, read: Callable[[str], Sequence[Handoff]]) -> str:
    """The text with blanks in place of these lines, so that all else keeps its place. ``read`` finds handoffs."""
    fences = [fence.span for fence in tree.fences()]
    starts = [fence.start for fence in fences]
    wrapping = list(_around_handoffs(tree, read))
    for found in _LINE.finditer(text):
        above = bisect_right(starts, found.start()) - 1
        if above < 0 or not fences[above].holds(found.start()):
            wrapping.append(Span(*found.span()))
    parts: list[str] = []
    end = 0
    for span in sorted(set(wrapping)):
        parts += text[end : span.start], _NO_BREAK.sub(" ", text[span.start : span.end])
        end = span.end
    return "".join((*parts, text[end:]))


def _around_handoffs(tree: MarkdownTree, read: Callable[[str], Sequence[Handoff]]) -> Iterator[Span]:
    """The first and the last line of each closed fence of Markdown with a handoff and nothing else."""
    for fence in tree.fences()[-_MOST_FENCES:]:
        if not fence.closed or fence.info.partition(" ")[0].lower() not in _TAGS:
            continue
        inner = fence.fragment().text
        if any(_is_all(one, inner) for one in read(inner)):
            lines = tree.source.lines
            for offset in (fence.span.start, max(fence.span.end - 1, 0)):
                start, end = lines.line_span(lines.line_of(offset))
                yield Span(max(start, fence.span.start), min(end, fence.span.end))


def _is_all(handoff: Handoff, text: str) -> bool:
    """Whether a handoff in Markdown fills a text."""
    if handoff.form == "document":
        return handoff.status is not None and handoff.status.written
    if handoff.form not in {"run", "section"}:
        return False
    return not text[: handoff.span.start].strip() and not text[handoff.span.end :].strip(_MARKS)
