"""Enums that a Markdown handoff writes several times, or under a different name: the place that counts."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Set

from handoff_lsp.binding.markdown_pairs import fence_pairs, row_pairs
from handoff_lsp.binding.put import put
from handoff_lsp.binding.region import Region
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import meant, outcomes_in, read_text, remark_in
from handoff_lsp.contracts.model import LABEL_CARRIERS, Carrier, Field
from handoff_lsp.contracts.names import fold_name, fold_whole, names_later_round
from handoff_lsp.contracts.spec import Spec, shared_names
from handoff_lsp.syntax.lines.keyvalue import Pair, inner_pairs, read_pairs
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Section
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

_YAML = frozenset({"yaml", "yml"})
_PROSE = frozenset({"paragraph", "list", "quote"})
# Emphasis, code or a symbol at the beginning: a value, not a sentence that begins with its word.
_MARKED = lazy_pattern(r"\s*(?:[*_`]|[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff])")

# A label with its value, both emphasized: `**Verdict: PASS**`.
_BOLD_LABEL = lazy_pattern(r"^[ \t>*+-]*\*\*([^:*\n]{1,40}):[ \t]*([^*\n]+)\*\*", re.MULTILINE)
_BOLD = lazy_pattern(r"\*\*[^*\n]+\*\*|__[^_\n]+__")


def bind_restated(root: Slot, tree: MarkdownTree, region: Region) -> None:
    """Complete the enums that may be restated or have further names, once sections and labels are bound."""
    for name, slot in root.children.items():
        field = slot.field
        if field.restated and slot.present:
            taken = {slot.value, *(other.value for other in slot.others)}
            for pair in _labels(tree, region, {fold_name(title) for title in (field.title, *field.aliases)}):
                if LABEL_CARRIERS & set(field.carriers) and not _inside(pair.value, taken):
                    slot.add_other(bound(slot, pair.key, pair.value, "bold-label", tree))
            for pair in _labels(tree, region, shared_names(field)):
                read = read_text(field, pair.value_text)
                if read.data != slot.data and _is_clear(field, pair.value_text) and not _inside(pair.value, taken):
                    slot.add_other(bound(slot, pair.key, pair.value, "bold-label", tree))
            for key, value in _sections_again(slot, tree, region):
                if not _inside(value, taken):
                    slot.add_other(bound(slot, key, value, "section", tree))
            root.children[name] = _newest(slot, tree) or _deciding(slot)
        elif field.also and not slot.present:
            _bind_also(slot, tree, region)
            if slot.others:
                root.children[name] = _newest(slot, tree) or slot


def bind_status_again(root: Slot, tree: MarkdownTree, spec: Spec, region: Region) -> None:
    """Keep different values of the status from front matter, labels before the first section and other parts."""
    slot = root.children.get(spec.contract.status)
    if slot is None or not slot.field.kind.is_choice or slot.problem is not None or slot.data is None:
        return
    titles = {fold_name(title) for title in (slot.field.title, *slot.field.aliases)}
    pairs = [] if slot.field.restated else list(_labels(tree, region, titles))
    front = tree.front_matter
    spans = [front.content] if front is not None and region.blocks.start == 0 else []
    spans += [unknown.span for part in root.children.values() if part.headed for unknown in part.unknown]
    pairs += [pair for span in spans for pair in read_pairs(tree.source.text, span)]
    taken = {slot.value, *(other.value for other in slot.others)}
    for pair in pairs:
        if fold_name(pair.key_text) in titles and not _inside(pair.value, taken):
            read = read_text(slot.field, pair.value_text)
            if not read.problem and read.data != slot.data:
                slot.add_other(bound(slot, pair.key, pair.value, "bold-label", tree))


def _inside(span: Span, taken: set[Span | None]) -> bool:
    return any(one is not None and span.start <= one.start and one.end <= span.end for one in taken)


def _newest(slot: Slot, tree: MarkdownTree) -> Slot | None:
    """The last place with a heading or label that replaces the others; later ones still count.

    None if there is no such place. A round that is empty or a placeholder has no value yet, whatever another one has.
    """
    places = sorted((slot, *slot.others), key=lambda one: one.span.start if one.span is not None else 0)
    for number in reversed(range(len(places))):
        other = places[number]
        counts = other.problem is None or other.problem.kind == "placeholder"
        if counts and other.key is not None and _is_newer(other.key, places[0].key, tree):
            other.others = places[number + 1 :]
            return other
    return None


def _is_newer(key: Span, first: Span | None, tree: MarkdownTree) -> bool:
    """Whether a heading or label names a later round, or the heading above it does that is not above the first."""
    above = _heading_above(tree, key)
    names = [tree.source.slice(key)]
    if above and first is not None and above != _heading_above(tree, first):
        names.append(above)
    return any(map(names_later_round, names))


def _heading_above(tree: MarkdownTree, key: Span) -> str:
    """The title of the heading of a higher level above a heading; empty for a label."""
    starts = tree.heading_starts
    own = bisect_right(starts, key.start) - 1
    if own < 0 or starts[own] != key.start:
        return ""
    levels = tree.heading_levels
    return next((tree.titles[at] for at in range(own - 1, -1, -1) if levels[at] < levels[own]), "")


def _deciding(slot: Slot) -> Slot:
    """The slot of the place that counts: the first, unless it has no word of a value and a later one is valid."""
    text = slot.raw.casefold()
    words = [word for value in slot.field.values for word in (value.value, *value.instead_of)]
    has_value_word = any(re.search(rf"\b{re.escape(word.casefold())}\b", text) for word in words)
    if slot.problem is None and slot.data is not None:
        return slot
    right = next((other for other in slot.others if other.problem is None and other.data is not None), None)
    if right is None or has_value_word:
        return slot
    right.others = [other for other in slot.others if other is not right]
    return right


def _labels(tree: MarkdownTree, region: Region, titles: Set[str]) -> Iterator[Pair]:
    """The labels with the given folded names before the first section, including several on one line."""
    for index in region.blocks:
        node = tree.block(index)
        if node.kind in _PROSE:
            for pair in read_pairs(tree.source.text, node.span):
                yield from (one for one in _each_known(pair, titles) if fold_name(one.key_text) in titles)


def _each_known(pair: Pair, titles: Set[str]) -> Iterator[Pair]:
    """A pair, and the pairs after it on its line with one of the given folded names as key."""
    yield from inner_pairs(pair, lambda key: fold_name(key) in titles)


def _bind_also(slot: Slot, tree: MarkdownTree, region: Region) -> None:
    """Give a slot the value under one of the field's further names, which other things may have, too."""
    also = shared_names(slot.field)
    own = {fold_name(title) for title in (slot.field.title, *slot.field.aliases)}
    slips: list[Pair] = []
    for pair in [*_labels(tree, region, also), *_in_fences(tree, region, own)]:
        if _is_clear(slot.field, pair.value_text):
            _take(slot, pair.key, pair.value, "bold-label", tree)
            return
        slips.append(pair)
    for key, value in _in_sections(tree, region, also, own):
        text = tree.source.slice(value)
        read = read_text(slot.field, text)
        exact = any(text.lstrip().startswith(one.value) for one in slot.field.values)
        if _is_clear(slot.field, text) and (exact or _MARKED.match(text)):
            _take(slot, key, value, "section", tree)
            return
    found = _anywhere(slot, tree, region, own, also)
    if found:
        _take(slot, found[0].key, found[0].value, "bold-label", tree)
        for pair in found[1:]:
            slot.add_other(bound(slot, pair.key, pair.value, "bold-label", tree))
        return
    for pair in slips:
        read = read_text(slot.field, pair.value_text)
        if read.problem == "value" and meant(slot.field, pair.value_text[read.start : read.end])[1]:
            _take(slot, pair.key, pair.value, "bold-label", tree)
            return


def _anywhere(slot: Slot, tree: MarkdownTree, region: Region, own: set[str], also: Set[str]) -> list[Pair]:
    """The labels or rows anywhere with one of a field's own names: only the last one if all values are equal.

    Values that differ are those of parts, so there is no result unless all are in the same section.
    """
    found: list[tuple[object, Pair]] = []
    for pair in _all_pairs(tree, region, also):
        read = read_text(slot.field, pair.value_text) if fold_name(pair.key_text) in own else None
        if read is not None and not read.problem:
            found.append((read.data, pair))
    pairs = sorted({pair.value: pair for _, pair in found}.values(), key=lambda pair: pair.value)
    if len({data for data, _ in found}) < 2:
        return pairs[-1:]
    return pairs if len({bisect_right(tree.heading_starts, pair.value.start) for pair in pairs}) == 1 else []


def _all_pairs(tree: MarkdownTree, region: Region, also: Set[str]) -> Iterator[Pair]:
    """The labels of all sections, also those emphasized with their values, and rows below the given headings."""
    text = tree.source.text
    spans = [tree.block(index).span for index in region.blocks if tree.greens[index].kind in _PROSE]
    for number in region.sections:
        section = tree.all_sections[number]
        spans += [node.span for node in section.blocks if node.kind in _PROSE]
        if fold_name(section.title) in also:
            yield from row_pairs(section, tree)
    for span in spans:
        yield from read_pairs(text, span)
        for one in _BOLD_LABEL.finditer(text, span.start, span.end):
            key, value = Span(*one.span(1)), Span(*one.span(2))
            yield Pair(key, value, Span(*one.span()), one.group(1), one.group(2), None)


def _is_clear(field: Field, text: str) -> bool:
    """Whether a text states one value, and not a count of it or the value of a part."""
    read = read_text(field, text)
    if read.problem or len(outcomes_in(field, text)) > 1:
        return False
    return _OF_A_PART.match(text.lstrip(), len(text[: read.end].lstrip())) is None


# After a value: a word that continues it, or a count.
_OF_A_PART = lazy_pattern(r"[*_`]*\s*[:：=]?\s*\d|[*_`]*[ \t]+[^\W\d]")


def _in_fences(tree: MarkdownTree, region: Region, titles: Set[str]) -> Iterator[Pair]:
    """The pairs with the given folded names in the YAML before the first section."""
    for index in region.blocks:
        node = tree.block(index)
        if node.kind == "fence" and node.info.partition(" ")[0].lower() in _YAML:
            yield from (pair for pair in fence_pairs(node) if fold_name(pair.key_text) in titles)


def _in_sections(tree: MarkdownTree, region: Region, also: Set[str], own: set[str]) -> Iterator[tuple[Span, Span]]:
    """Headings with the given folded names, each with a place in its section or itself that may be a value."""
    levels = tree.heading_levels
    base = min((levels[number] for number in region.sections), default=0)
    for number in region.sections:
        section = tree.all_sections[number]
        title = section.title
        head, colon, tail = title.partition(":")
        heading = section.heading.content
        if levels[number] != base:
            continue
        if colon and tail.strip(" *_`") and fold_name(head) in also:
            yield heading, Span(heading.start + len(head) + 1, heading.end)
        elif fold_name(title) in also:
            yield from ((heading, value) for value in _places(section, tree, also | own))


def _sections_again(slot: Slot, tree: MarkdownTree, region: Region) -> Iterator[tuple[Span, Span]]:
    """Sections with another name of a valid field that contain only a different value, in the contract's spelling."""
    shared = shared_names(slot.field)
    if slot.problem is not None or slot.data is None:
        return
    for key, value in _in_sections(tree, region, shared, set()):
        line = tree.source.text[value.start : tree.source.lines.line_end(tree.source.lines.line_of(value.start))]
        read = read_text(slot.field, line)
        alone = line[read.start : read.end] == read.data and remark_in(line, read.end) is None
        if alone and read.data != slot.data and fold_whole(tree.source.slice(key).partition(":")[0]) in shared:
            yield key, value


def _places(section: Section, tree: MarkdownTree, titles: Set[str]) -> Iterator[Span]:
    """The labeled values of a section, and its first line."""
    text, lines = tree.source.text, tree.source.lines
    blocks = [node for node in section.blocks if node.kind in _PROSE]
    for node in blocks:
        pairs = (one for pair in read_pairs(text, node.span) for one in _each_known(pair, titles))
        yield from (pair.value for pair in pairs if fold_name(pair.key_text) in titles)
    if blocks and blocks[0].kind == section.blocks[0].kind == "paragraph":
        # An emphasized part of the first line's paragraph, then the line itself.
        yield from _emphasised(text, blocks[0].content)
        start = blocks[0].content.start
        yield Span(start, min(blocks[0].content.end, lines.line_end(lines.line_of(start))))


def _emphasised(text: str, span: Span) -> list[Span]:
    """The emphasized part of a paragraph; empty unless there is exactly one."""
    found = [Span(one.start(), one.end()) for one in _BOLD.finditer(text, span.start, span.end)]
    return found if len(found) == 1 else []


def bound(slot: Slot, key: Span, value: Span, carrier: Carrier, tree: MarkdownTree) -> Slot:
    """A further slot of the same field, with the value at a different place."""
    other = Slot(slot.name, slot.field, slot.parent)
    _take(other, key, value, carrier, tree)
    return other


def _take(slot: Slot, key: Span, value: Span, carrier: Carrier, tree: MarkdownTree) -> None:
    slot.present = slot.written = True
    slot.carrier, slot.key = carrier, key
    slot.span = Span(min(key.start, value.start), max(key.end, value.end))
    slot.raw = tree.source.slice(value)
    put(slot, read_text(slot.field, slot.raw), value)
