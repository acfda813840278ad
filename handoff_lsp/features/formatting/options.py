"""A client's formatting options, and the smallest edits."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.text import Edit, Span, difference
from handoff_lsp.text.lazy_dataclass import lazy_dataclass


@lazy_dataclass(frozen=True, slots=True)
class Layout:
    """The options for formatting. ``step`` is one step of indentation; the others concern ends of lines and file."""

    step: str = "  "
    trim_lines: bool = False
    trim_end: bool = False
    end_with_newline: bool = False


def changed(text: str, span: Span, wanted: str) -> Iterator[Edit]:
    """The smallest edit that replaces the text of a span (code points) with ``wanted``; none if it is equal."""
    edit = difference(span.of(text), wanted)
    if edit.span.end > edit.span.start or edit.text:
        yield Edit(edit.span.shift(span.start), edit.text)
