"""Links in a document: paths of existing files, URLs where editors do not find them, and the config's patterns."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice
from urllib.parse import quote

from handoff_lsp.binding.bodies.part import descend
from handoff_lsp.contracts.patterns import PatternError, find_all
from handoff_lsp.features.context import Context
from handoff_lsp.features.names.anchors import line_number, place_in
from handoff_lsp.features.names.graph import file_of
from handoff_lsp.names.written_paths import written_paths
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# The most paths of a document to look up on disk.
MOST_PATHS = 2_000

_URL = lazy_pattern(r"https?://[^\s<>\"'`|\\^{}（）「」、。]+")
_GROUP = lazy_pattern(r"\$(\d)")
# Editors follow Markdown links themselves.
_MARKDOWN_LINK = lazy_pattern(r"\]\(<?([^()\s>]+)")


class Link(NamedTuple):
    """A link at a span (code points): to a URL, or to a file by its absolute path and a place in it.

    ``place`` is a line or the anchor of a heading; ``line_of`` finds its line number.
    """

    span: Span
    url: str = ""
    full: str = ""
    place: str = ""


def links(context: Context, patterns: Sequence[tuple[str, str]]) -> list[Link]:
    """The links in the handoffs of a document, in order and without overlaps.

    ``patterns``: pairs from the config, a pattern for the text and its URL.
    """
    found: list[Link] = []
    for link in _all(context, patterns):
        start, end = link.span
        index = bisect_left(found, start, key=_start_of)
        before, after = found[max(index - 1, 0) : index], found[index : index + 1]
        if not any(start < other.span.end and other.span.start < end for other in (*before, *after)):
            found.insert(index, link)
    return found


def _start_of(link: Link) -> int:
    return link.span.start


def line_of(context: Context, full: str, place: str) -> int | None:
    """The line (1-based) of a place in a file; None for the file as a whole."""
    line = line_number(place)
    if line is not None:
        return line
    read = context.project.files.read(full) if place else None
    if read is None or read.source is None:
        return None
    span, _ = place_in(read.source, place)
    return read.source.lines.line_of(span.start) + 1 if span.end > span.start else None


def _all(context: Context, patterns: Sequence[tuple[str, str]]) -> Iterator[Link]:
    text = context.source.text
    handoffs = [handoff for handoff in context.analysis.handoffs if handoff.mode != "example"]
    for pattern, url in patterns:
        for handoff in handoffs:
            yield from _configured(text, handoff.span, pattern, url)
    yield from _urls(context)
    if context.analysis.tree.greens:
        followed = {match.start(1) for match in _MARKDOWN_LINK.finditer(text)}
    else:
        followed = set()
    for path in islice(written_paths(context.source, handoffs), MOST_PATHS):
        if path.span.start not in followed:
            full = file_of(context, path)
            if full is not None:
                yield Link(path.whole, full=full, place=path.place)


def _configured(text: str, span: Span, pattern: str, url: str) -> Iterator[Link]:
    try:
        for match in find_all(pattern, span.of(text)):
            if match.end > match.start:
                groups = {"0": (match.start, match.end), **match.groups}

                def value(number: re.Match[str], groups: dict[str, tuple[int, int]] = groups) -> str:
                    start, end = groups.get(number[1], (0, 0))
                    return quote(text[span.start + start : span.start + end], safe="")

                yield Link(Span(match.start, match.end).shift(span.start), url=_GROUP.sub(value, url))
    except PatternError:
        return  # a problem of the config, which is reported there


def _urls(context: Context) -> Iterator[Link]:
    """URLs in JSON, in `key: value` runs and in logs; editors find those in Markdown prose themselves."""
    text = context.source.text
    for handoff in context.analysis.handoffs:
        if handoff.mode == "example":
            continue
        if handoff.body.quoted:
            for part in descend(handoff.body.parts):
                if part.kind == "string" and part.value is not None and "://" in part.text:
                    yield from _in_string(part.value.of(text), part.value.start)
        elif not handoff.body.prose:
            for match in _URL.finditer(text, handoff.span.start, handoff.span.end):
                yield _url(match[0], match.start())


def _in_string(raw: str, start: int) -> Iterator[Link]:
    """The URLs in the source of a JSON string, which may escape slashes."""
    for match in re.finditer(r"https?:(?:\\?/){2}[^\s<>\"'`|^{}]+", raw):
        link = _url(match[0], start + match.start())
        yield link._replace(url=link.url.replace("\\/", "/"))


def _url(written: str, start: int) -> Link:
    url = written.rstrip(".,;:!?*_")
    while url.endswith(")") and url.count("(") < url.count(")"):
        url = url[:-1]
    return Link(Span(start, start + len(url)), url=url)
