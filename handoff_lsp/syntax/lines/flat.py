"""Flat outlines: ``key: value`` lines for a reader that knows no YAML and cuts each line at its first colon."""

from __future__ import annotations

from handoff_lsp.syntax.lines.outline_tree import Outline, OutlineEntry, OutlineValue
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

# The characters that Go's TrimSpace removes: neither the byte order mark nor zero-width characters.
BLANKS = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
# A lone \r ends no line.
_LINE = lazy_pattern(r"[^\n]++")


def read_flat(text: str, end: int | None = None) -> Outline:
    """The lines of a text up to an offset: names and values as written, without the blanks around them.

    A line without a colon, or with nothing before it, is stray. Never raises; takes time linear in the text.
    """
    end = len(text) if end is None else end
    entries: list[OutlineEntry] = []
    stray: list[Span] = []
    last = 0
    for match in _LINE.finditer(text, 0, end):
        line = Span(match.start(), match.end() - match.group().endswith("\r"))
        whole = _trimmed(text, *line)
        if whole.start == whole.end:
            continue
        last = line.end
        colon = text.find(":", whole.start, whole.end)
        key = _trimmed(text, whole.start, colon) if colon >= 0 else Span(0, 0)
        if key.start == key.end:
            stray.append(whole)
            continue
        value = _trimmed(text, colon + 1, line.end)
        if value.start == value.end:
            at = min(colon + 2, line.end)  # after the colon and one blank
            value = Span(at, at)
        read = OutlineValue("scalar" if value.end > value.start else "empty", value, value.of(text))
        entries.append(OutlineEntry(key, key.of(text), read, line, Span(whole.start, max(whole.end, value.end))))
    return Outline(tuple(entries), tuple(stray), last)


def _trimmed(text: str, start: int, end: int) -> Span:
    part = text[start:end]
    start += len(part) - len(part.lstrip(BLANKS))
    return Span(start, start + len(part.strip(BLANKS)))
