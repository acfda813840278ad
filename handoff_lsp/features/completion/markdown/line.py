"""The cursor's line in a Markdown document."""

from __future__ import annotations

from handoff_lsp.engine import Analysis
from handoff_lsp.syntax.markdown.tree import MarkdownTree
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

HEADING = lazy_pattern(r"(?P<indent> {0,3})(?P<signs>#{1,6})(?P<gap>[ \t]*)(?P<title>.*)")
WORD_AFTER = lazy_pattern(r"[\w/.-]*")


class CursorLine(NamedTuple):
    """The cursor's line: its content, and the cursor. Offsets are code points of the document."""

    span: Span
    text: str
    offset: int

    @property
    def blank(self) -> bool:
        return not self.text.strip()

    @property
    def before(self) -> str:
        return self.text[: self.offset - self.span.start]

    @property
    def after(self) -> str:
        return self.text[self.offset - self.span.start :]


def line_at(analysis: Analysis, offset: int) -> CursorLine:
    """The line that an offset is on, without a byte order mark."""
    lines = analysis.source.lines
    span = lines.line_span(lines.line_of(offset))
    if span.start == 0 and analysis.source.text.startswith("\ufeff"):
        span = Span(1, span.end)
    return CursorLine(span, analysis.source.slice(span), min(max(offset, span.start), span.end))


def has_body(tree: MarkdownTree, line: CursorLine) -> bool:
    """Whether a line is a heading with text or other sections in its section."""
    found = tree.section_at(line.offset)
    if found is None or not line.span.covers(found.heading.content):
        return False
    return bool(found.blocks) or found.first_subsection is not None
