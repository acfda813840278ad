"""The targets in a document: its sections, its lines, and the places where a definition file names itself."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from urllib.parse import unquote

from handoff_lsp.contracts.names import fold_name, leading_number, without_parenthesis
from handoff_lsp.syntax.markdown.front_matter import front_matter
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Section, parse_markdown
from handoff_lsp.text import Source, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# The most sections to look for by name in running text.
MOST_SECTIONS = 100

_LINK = lazy_pattern(r"\]\(#([^()\s]+)\)")
_LINE = lazy_pattern(r"L?(\d{1,7})")
# The words before a section's name that mark it as one, and the quotes around it.
_POINTS = r"(?i:\b(?:see|under|in|section|cf\.?|refer to|read)\s+(?:the\s+)?(?:section\s+)?)"
_AROUND = "`*_\"'“”「」『』【】[]"


class Mentioned(NamedTuple):
    """A mention of a section: its index among the headings, the span of its name, and the kind of mention."""

    number: int
    span: Span
    how: str  # "heading", "link" or "text"


def slug(title: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    kept = (char for char in unicodedata.normalize("NFC", title.strip().lower()) if char in " -_" or char.isalnum())
    return "".join(kept).replace(" ", "-")


def find_section(tree: MarkdownTree, anchor: str) -> Section | None:
    """The section that an anchor (without ``#``) leads to: by its slug, else by its name."""
    wanted = unquote(anchor).lower()
    slugs, names = tree.once(_numbers)
    number = slugs.get(wanted, names.get(fold_name(wanted.replace("-", " "))))
    return tree.all_sections[number] if number is not None else None


def _numbers(tree: MarkdownTree) -> tuple[dict[str, int], dict[str, int]]:
    """The indexes of the sections by slug, which is unique, and by name, the first of each."""
    slugs: dict[str, int] = {}
    names: dict[str, int] = {}
    seen: Counter[str] = Counter()
    for number, title in enumerate(tree.titles):
        made = slug(title)
        slugs.setdefault(f"{made}-{seen[made]}" if seen[made] else made, number)
        seen[made] += 1
        names.setdefault(fold_name(title), number)
    return slugs, names


def line_number(place: str) -> int | None:
    """The line (1-based) of a place in a file such as `12` or `L12`; None for any other place."""
    line = _LINE.fullmatch(place)
    return max(int(line[1]), 1) if line is not None else None


def place_in(source: Source, place: str) -> tuple[Span, Span]:
    """The span to go to for a place in a file, and its full extent: a line, a section, or the start of the file."""
    line = line_number(place)
    if line is not None:
        span = source.lines.line_span(min(line, source.lines.count) - 1)
        return Span(span.start, span.start), span
    if place:
        section = find_section(parse_markdown(source), place)
        if section is not None:
            return section.heading.content, section.span
    return Span(0, 0), Span(0, 0)


def own_names(tree: MarkdownTree) -> list[Span]:
    """The places of its name in a file that defines one: ``name:`` in the front matter, then the first heading."""
    spans = []
    front = front_matter(tree)
    name = front.entry("name") if front is not None else None
    if front is not None and name is not None and name.value.kind == "scalar" and name.value.text:
        quoted = name.value.span.of(front.fragment.text)[0] in "\"'"
        start, end = front.fragment.outer_span(*name.value.span)
        spans.append(Span(start + quoted, end - quoted))
    if tree.headings:
        spans.append(tree.heading_spans(0)[0])
    return spans


def mentioned_sections(tree: MarkdownTree) -> list[Mentioned]:
    """All mentions of a document's own sections: headings, links, and phrases such as `see Abstract`."""
    return tree.once(_mentioned_sections)


def _mentioned_sections(tree: MarkdownTree) -> list[Mentioned]:
    headings = [Mentioned(number, tree.heading_spans(number)[0], "heading") for number in range(len(tree.headings))]
    text = tree.source.text
    links = []
    for match in _LINK.finditer(text):
        section = find_section(tree, match[1])
        if section is not None:
            links.append(Mentioned(section.number, Span(*match.span(1)), "link"))
    inside = {span for _, span, _ in headings}
    named = [item for item in _named(tree) if not any(span.overlaps(item.span) for span in inside)]
    return sorted([*headings, *links, *named], key=lambda item: item.span)


def _named(tree: MarkdownTree) -> Iterator[Mentioned]:
    """The names of sections in running text. A single word needs a phrase before it, quotes or the like to count."""
    names: dict[str, int] = {}
    for number, title in enumerate(tree.titles[:MOST_SECTIONS]):
        name = without_parenthesis(title)
        name = name.removeprefix(leading_number(name)).strip(f" {_AROUND}")
        if tree.heading_levels[number] > 1 and len(name) > 2:
            names.setdefault(name, number)
    if not names:
        return
    words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    pattern = re.compile(rf"(?P<before>{_POINTS})?(?P<open>[{re.escape(_AROUND)}]*)(?<!\w)(?P<name>{words})(?!\w)")
    text = tree.source.text
    for match in pattern.finditer(text):
        name = match["name"]
        quoted = match["open"] and text[match.end() : match.end() + 1] in tuple(_AROUND)
        if match["before"] or quoted or any(char.isspace() for char in name) or text.startswith("を参照", match.end()):
            yield Mentioned(names[name], Span(*match.span("name")), "text")
