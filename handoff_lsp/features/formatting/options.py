"""What a client wants of a layout, and the smallest edits that make one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from handoff_lsp.text import Edit, Span, difference


@dataclass(frozen=True, slots=True)
class Layout:
    """How a document is laid out. ``step`` is one step of indent; the others concern the ends of lines and the file."""

    step: str = "  "
    trim_lines: bool = False
    trim_end: bool = False
    end_with_newline: bool = False


def changed(text: str, span: Span, wanted: str) -> Iterator[Edit]:
    """The edit that makes ``wanted`` of a span (code points), as small as it can be; none where it is that already."""
    edit = difference(span.of(text), wanted)
    if edit.span.end > edit.span.start or edit.text:
        yield Edit(edit.span.shift(span.start), edit.text)
