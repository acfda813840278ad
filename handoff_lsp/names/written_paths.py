"""Texts in handoffs that look like paths, with the place in the file after them. Does not check that files exist."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.names.paths import clear_path
from handoff_lsp.text import Source, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# A word with a slash or a full stop, not part of a URL or an absolute path, and the place in the file.
_TOKEN = lazy_pattern(
    r"(?<![\w@+./~:\\%-])(?P<path>[\w@+-]*[./][\w@+./-]*)"
    r"(?:#(?P<anchor>[\w%-]+)|:(?P<line>\d+)(?:[:-]\d+)?(?![\w/]))?"
)
_ASCII = lazy_pattern(r"[!-~]+")
_LONGEST = 400


class WrittenPath(NamedTuple):
    """A path as written. ``whole`` includes ``place``: a line number or a heading's anchor."""

    path: str
    span: Span
    place: str
    whole: Span


def written_paths(source: Source, handoffs: Sequence[Handoff], within: Span | None = None) -> Iterator[WrittenPath]:
    """Possible paths in the handoffs of a document, in order. Of two that overlap, the longer one comes first.

    ``within``: only those in the lines that a span touches.
    """
    for span in _joined(handoff.span for handoff in handoffs if handoff.mode != "example"):
        start, end = span
        if within is not None:
            start, end = max(start, within.start), min(end, within.end)
        for match in _TOKEN.finditer(source.text, start, max(start, end)):
            yield from _of_token(match)


def _of_token(match: re.Match[str]) -> Iterator[WrittenPath]:
    text = match["path"]
    place = match["anchor"] or match["line"] or ""
    if len(text) > _LONGEST or "//" in text:
        return
    path = text if place else text.rstrip(".-+@")
    if _is_path(path):
        start = match.start("path")
        yield WrittenPath(
            path, Span(start, start + len(path)), place, Span(start, match.end() if place else start + len(path))
        )
    if not text.isascii():  # languages without blanks between words
        for run in _ASCII.finditer(text):
            part = run[0].strip(".-+@")
            if _is_path(part) and part != path:
                start = match.start("path") + text.index(part, run.start())
                last = bool(place) and run.end() == len(text)
                span = Span(start, start + len(part))
                yield WrittenPath(part, span, place if last else "", Span(start, match.end()) if last else span)


def _is_path(text: str) -> bool:
    return ("/" in text and text.strip("./") != "") or clear_path(text, bare=True) is not None


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Spans that are not inside another one."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not found or span.start >= found[-1].end:
            found.append(span)
        elif span.end > found[-1].end:
            found[-1] = Span(found[-1].start, span.end)
    return found
