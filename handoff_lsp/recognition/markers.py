"""Markers in a document: those that make it a handoff of a contract, and the signs that it is about the format."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from handoff_lsp.contracts.model import Contract, Detect, Field, Marker
from handoff_lsp.contracts.names import fold_name, key_name
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.contracts.spec import children_of
from handoff_lsp.recognition.evidence import Evidence, Seen
from handoff_lsp.recognition.front_matter import front_key_span, has_front_key
from handoff_lsp.syntax.lines.keyvalue import read_pairs
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Section
from handoff_lsp.text import Span

_LABELS_NEEDED = 3
# The number of code points at the beginning of a text in which patterns are searched.
_LONGEST_READ = 20_000


def heading_names(tree: MarkdownTree) -> set[str]:
    """The folded names of a document's headings."""
    return {whole for whole, _ in tree.of_titles(_folded)}


def _folded(title: str) -> tuple[str, str]:
    """The folded names of a title and of its part before the first colon."""
    whole = fold_name(title)
    return whole, fold_name(title.partition(":")[0]) if ":" in title else whole


def _heads(tree: MarkdownTree) -> set[str]:
    return {head for _, head in tree.of_titles(_folded)}


def weigh(tree: MarkdownTree, path: str, contract: Contract, detect: Detect) -> tuple[Marker, ...]:
    """The markers of ``detect`` that a document has; empty if their weight is not enough."""
    headings = tree.once(_heads)
    total = content = 0
    found: list[Marker] = []
    markers, left = _cheapest_first(detect)
    for marker in markers:
        if total + left < detect.enough:
            return ()
        left -= max(marker.weight, 0)
        if _is_seen(marker, tree, path, contract, headings):
            total += marker.weight
            content += 0 if marker.path else marker.weight
            found.append(marker)
    return tuple(found) if total >= detect.enough and content >= detect.content else ()


@once_per_field
def _cheapest_first(detect: Detect) -> tuple[list[Marker], int]:
    """The markers, text searches last as they cost most and may be unnecessary, and the sum of the weights above 0."""
    return sorted(detect.markers, key=_by_cost), sum(marker.weight for marker in detect.markers if marker.weight > 0)


def document_evidence(tree: MarkdownTree, path: str, entry: ContractEntry, detect: Detect) -> Evidence:
    """The evidence for a contract in a document as a whole: all markers of ``detect``, with their places."""
    headings, contract = tree.once(_heads), entry.contract
    seen = [marker for marker in detect.markers if _is_seen(marker, tree, path, contract, headings)]
    unseen = [marker for marker in detect.markers if marker.weight > 0 and marker not in seen]
    borne = tuple(Seen(marker, _place(marker, tree, contract)) for marker in seen)
    return Evidence(entry, "document", None, seen=borne, unseen=tuple(unseen))


def _place(marker: Marker, tree: MarkdownTree, contract: Contract) -> Span | None:
    """The place of a marker that a document has; None for a marker of its path."""
    if marker.front_matter:
        return front_key_span(tree, marker.front_matter, contract)
    if marker.text:
        found = search(marker.text, tree.source.text[:_LONGEST_READ])
        return Span(found.start, found.end) if found is not None else None
    field = contract.fields.get(marker.section or marker.value or marker.labels)
    number = 0 if marker.title else _heading(marker, tree, field) if field is not None else None
    return tree.heading_spans(number)[0] if number is not None and not marker.path else None


def _by_cost(marker: Marker) -> bool:
    return bool(marker.text)


def any_seen(markers: Iterable[Marker], tree: MarkdownTree, path: str, contract: Contract) -> bool:
    """Whether a document has one of the markers, and none with a negative weight."""
    against = sorted(markers, key=_by_weight)
    return next((marker.weight > 0 for marker in against if _is_seen(marker, tree, path, contract, set())), False)


def _by_weight(marker: Marker) -> tuple[bool, bool]:
    """The sort key: negative weights first, then the markers that are cheap to test."""
    return marker.weight > 0, _by_cost(marker)


def bears_sign(tree: MarkdownTree, path: str, contract: Contract, span: Span) -> bool:
    """Whether a part of a document has one of a contract's signs: in the path, its text or the heading above it."""
    above = bisect_right(tree.all_sections, span.start, key=lambda section: section.span.start) - 1
    heading = tree.titles[above] if above >= 0 else ""
    own = tree.source.text[span.start : min(span.end, span.start + _LONGEST_READ)]
    return any(
        (sign.path and search(sign.path, path))
        or (sign.title and search(sign.title, heading))
        or (sign.text and search(sign.text, own))
        or (sign.front_matter and has_front_key(tree, sign, contract))
        for sign in contract.signs
    )


def reason(marker: Marker, contract: Contract) -> str:
    """A marker that a document has, in words, with its weight."""
    if marker.path:
        what = f"its path matches {marker.path}"
    elif marker.title:
        what = "its title"
    elif marker.text:
        what = f"its text matches {marker.text}"
    elif marker.front_matter:
        what = f"the front matter key {marker.front_matter}"
    else:
        kind = "a section" if marker.section else "a value of" if marker.value else "the fields of"
        what = f"{kind} {contract.fields[marker.section or marker.value or marker.labels].title}"
    return f"{what} ({marker.weight})"


def _is_seen(marker: Marker, tree: MarkdownTree, path: str, contract: Contract, headings: set[str]) -> bool:
    if marker.path:
        return bool(path) and search(marker.path, path) is not None
    if marker.title:
        return search(marker.title, tree.title) is not None
    if marker.text:
        return search(marker.text, tree.source.text[:_LONGEST_READ]) is not None
    if marker.front_matter:
        return has_front_key(tree, marker, contract)
    field = contract.fields.get(marker.section or marker.value or marker.labels)
    if field is not None and field.each:
        return bool(marker.section) and _first_item(tree, field) is not None
    if field is None or not has_heading(field, headings):
        return False
    return bool(marker.section) or _heading(marker, tree, field) is not None


def has_heading(field: Field, headings: set[str]) -> bool:
    """Whether one of a field's names is among the folded names of headings."""
    return not field.each and not _names_of(field).titles.isdisjoint(headings)


def has_item(field: Field, titles: Iterable[str]) -> bool:
    """Whether a heading is that of an item of a list of sections."""
    return bool(field.each) and any(search(field.each, title) is not None for title in titles)


def _first_item(tree: MarkdownTree, field: Field) -> int | None:
    """The number of the first heading that is one of an item."""
    return next((number for number, title in enumerate(tree.titles) if search(field.each, title) is not None), None)


def _heading(marker: Marker, tree: MarkdownTree, field: Field) -> int | None:
    """The number of the first heading with a marker about a field's section."""
    if field.each:
        return _first_item(tree, field)
    titles, names, words = _names_of(field)
    for number, (whole, head) in enumerate(tree.of_titles(_folded)):
        if marker.section:
            if head in titles:
                return number
        elif marker.value:
            if (whole in titles or head in titles) and _begins_with(tree.all_sections[number], words):
                return number
        elif whole in titles:
            body = tree.all_sections[number].body
            keys = {names.get(fold_name(pair.key_text)) for pair in read_pairs(tree.source.text, body)}
            if len(keys - {None}) >= min(_LABELS_NEEDED, len(field.fields)):
                return number
    return None


_WORD = re.compile(r"[^\W_][\w/ -]*")


def begins_with_value(section: Section, field: Field) -> bool:
    """Whether a section begins, or its heading ends, with an enum's value or a word written instead of one."""
    return _begins_with(section, _names_of(field).words)


def _begins_with(section: Section, words: frozenset[str]) -> bool:
    """Whether a section begins, or its heading ends, with one of the words (in ``key_name``'s form)."""
    body = section.tree.source.slice(section.body)[:200].strip()
    line = body.split("\n", 1)[0]
    for text in (section.title.partition(":")[2], line, line.rpartition(":")[2]):
        word = _WORD.search(text)
        if word is not None and {key_name(word.group()), key_name(word.group().split()[0])} & words:
            return True
    return False


class _Names(NamedTuple):
    """The names of a field for detection: its folded names, its children by theirs, and the words for its values."""

    titles: frozenset[str]
    children: dict[str, str]
    words: frozenset[str]


@once_per_field
def _names_of(field: Field) -> _Names:
    titles = frozenset(fold_name(title) for title in (field.title, *field.aliases))
    words = frozenset(key_name(word) for value in field.values for word in (value.value, *value.instead_of))
    return _Names(titles, children_of(field).folded, words)
