"""Binding Markdown: a title and sections to slots, by the contract's fields; `markdown_labels` binds the labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from handoff_lsp.binding.front_matter import bind_front_matter
from handoff_lsp.binding.markdown_items import bind_body, bind_each, has_sections
from handoff_lsp.binding.markdown_labels import bind_labels, bind_root_labels
from handoff_lsp.binding.markdown_lists import bind_list, content
from handoff_lsp.binding.markdown_pairs import column_pairs, head_pairs, table_pairs
from handoff_lsp.binding.markdown_restated import bind_restated, bind_status_again, bound
from handoff_lsp.binding.put import put, with_empties
from handoff_lsp.binding.region import Inside, Region, Scope, region_of
from handoff_lsp.binding.slot import Problem, Slot, Unknown
from handoff_lsp.binding.values import is_nothing, is_withdrawn, outcomes_in, read_text, remark_in, trim
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.names import fold_name, fold_whole
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.contracts.spec import NameTable, Spec, children_of, shared_names
from handoff_lsp.recognition.sections import is_later_round
from handoff_lsp.syntax.lines.keyvalue import Pair, read_pairs
from handoff_lsp.syntax.markdown.green import Green
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Node, Section
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple


def bind_region(tree: MarkdownTree, spec: Spec, region: Region) -> Slot:
    """The root slot of a region: a child for every root field of the contract, present or not."""
    root = Slot("", _ROOT)
    root.present = root.written = True
    for name, field in spec.fields.items():
        root.children[name] = Slot(name, field, root)
    if region.title is not None:
        root.key = region.title.heading.content
        root.span = region.title.heading.span
        _bind_title(root, tree, region.title)
    if region.blocks.start == 0:
        bind_front_matter(root, tree, spec)
    _bind_sections(root, tree, spec, region, _namer(spec))
    bind_root_labels(root, tree, spec, region)
    bind_restated(root, tree, region)
    bind_status_again(root, tree, spec, region)
    root.data = with_empties(root)
    return root


def _bind_title(root: Slot, tree: MarkdownTree, title: Section) -> None:
    """Bind the fields with the handoff's title as their value."""
    for slot in root.children.values():
        if "title" in slot.field.carriers:
            slot.present = slot.written = True
            slot.carrier = "title"
            slot.key, slot.span = title.heading.content, title.heading.span
            _take(slot, tree, title.heading.content, frozenset())


_ROOT = Field(type="object")
# Signs around a value that has its line to itself.
_AROUND_VALUE = " \t>-*_`~.;"
# The beginning of a line that is no fence: quotation marks, a bullet or a number.
_MARKER = lazy_pattern(r"(?![ \t]*(?:```|~~~))[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?")


def heading_name(title: str, names: NameTable, fields: Mapping[str, Field]) -> tuple[str, int] | None:
    """The field that a heading names, and the offset of its inline value in the title (-1 without one).

    A heading of an item names the list that the item is in.
    """
    name = names.folded.get(fold_name(title))
    if name is not None and "section" in fields[name].carriers:
        return name, -1
    for colon in (":", "：", " — ", " – ", " - "):
        head, sign, tail = title.partition(colon)
        if sign and tail.strip(" *_`"):
            name = names.folded.get(fold_name(head))
            if name is not None and "heading-inline" in fields[name].carriers:
                return name, len(head) + len(colon)
    for name, field in fields.items():
        if field.each and search(field.each, title) is not None:
            return name, -1
    return None


@once_per_field
def _namer(spec: Spec) -> Callable[[str], tuple[str, int] | None]:
    """``heading_name`` as a function of the title alone, one for each spec."""
    return lambda title: heading_name(title, spec.names, spec.fields)


@once_per_field
def _namer_in(field: Field) -> Callable[[str], tuple[str, int] | None]:
    """The same for the sections in one that is an object or an item."""
    names = children_of(field)
    return lambda title: heading_name(title, names, field.fields)


def _bind_sections(
    root: Slot,
    tree: MarkdownTree,
    spec: Scope,
    region: Region,
    namer: Callable[[str], tuple[str, int] | None],
) -> set[int]:
    """Bind the fields that are sections; the result is the numbers of these, and of all that are items."""
    named = tree.of_titles(namer)
    levels = tree.heading_levels
    numbers, items = _own_sections(tree, spec, region, named)
    base = min((levels[number] for number in numbers if named[number] is not None), default=0)
    seen = {name[0] for number in numbers if levels[number] == base and (name := named[number]) is not None}
    bound_ones = {number for each in items.values() for number in each}
    again = _said_again(tree, spec, numbers, named) if isinstance(spec, Spec) else frozenset()
    for number in numbers:
        name = named[number]
        if name is None:
            if levels[number] > 1:
                root.add_unknown(Unknown(tree.titles[number], *tree.heading_spans(number), headed=True))
            continue
        if levels[number] != base and name[0] in seen and number not in again:
            continue  # a deeper heading of the same name belongs to the content of another section
        bound_ones.add(number)
        slot = root.children[name[0]]
        if number in again and not slot.field.restated:
            slot = Slot(slot.name, slot.field, root)  # of the last round
        if not slot.written and isinstance(spec, Spec):
            root.children[slot.name] = _section_slot(slot, tree, spec, number, name[1])
            continue
        section = tree.all_sections[number]
        heading = section.heading
        if slot.present and slot.field.restated:
            slot.add_other(Slot(slot.name, slot.field, root))
            _bind_section(slot.others[-1], section, tree, spec, name[1])
        elif not slot.present:
            _bind_section(slot, section, tree, spec, name[1])
        elif not _says_more(tree.titles[number], tree.source.slice(slot.key or heading.content)):
            root.add_duplicate(Unknown(slot.title, heading.content, section.span, headed=True))
            if slot.field.kind.has_boxes and isinstance(slot.data, list):
                slot.data = [*slot.data, *_open_points(slot, section, tree, spec)]
            if slot.name == spec.status and slot.field.kind.is_choice:
                slot.add_other(Slot(slot.name, slot.field, root))
                _bind_section(slot.others[-1], section, tree, spec, name[1])
    for list_name, each in items.items():
        bind_each(root.children[list_name], each, tree, lambda item, section: _bind_parts(item, section, tree, spec))
    return bound_ones


def _said_again(
    tree: MarkdownTree, spec: Spec, numbers: Sequence[int], named: Sequence[tuple[str, int] | None]
) -> frozenset[int]:
    """The numbers of the sections directly in a later round, which count in place of the earlier ones."""
    rounds = [at for at in numbers if named[at] is None and is_later_round(tree, at, spec.contract, spec.names)]
    found: set[int] = set()
    for number in rounds:
        inner = range(number + 1, tree.number_after(number))
        level = min(tree.heading_levels[at] for at in inner)
        found |= {at for at in inner if tree.heading_levels[at] == level}
    return frozenset(found)


def _open_points(slot: Slot, section: Section, tree: MarkdownTree, spec: Scope) -> list[object]:
    """The open points in a second section of a checklist. Readers skip that section, but its open points count."""
    again = Slot(slot.name, slot.field)
    _bind_section(again, section, tree, spec, -1)
    return [point for point in again.data or [] if not point["done"]]


def _own_sections(
    tree: MarkdownTree, spec: Scope, region: Region, named: Sequence[tuple[str, int] | None]
) -> tuple[Sequence[int], dict[str, list[int]]]:
    """The numbers of the sections that may be fields, and of those that are items, by the name of the list.

    What is in an item, or in an object with sections, is its own.
    """
    levels = tree.heading_levels
    highest: dict[str, int] = {}
    for number in region.sections:
        name = named[number]
        if name is not None and spec.fields[name[0]].each and not _is_title(region, number):
            highest[name[0]] = min(levels[number], highest.get(name[0], levels[number]))
    if not highest and not any(has_sections(field) for field in spec.fields.values()):
        return region.sections, {}
    numbers: list[int] = []
    items: dict[str, list[int]] = {}
    number = region.sections.start
    while number < region.sections.stop:
        name = named[number]
        field = spec.fields[name[0]] if name is not None else None
        inside = field is not None and has_sections(field)
        if name is None or field is None or not field.each:
            numbers.append(number)
        elif highest.get(name[0]) == levels[number] and not _is_title(region, number):
            items.setdefault(name[0], []).append(number)
            inside = True
        number = tree.number_after(number) if inside else number + 1
    return numbers, items


def _is_title(region: Region, number: int) -> bool:
    return region.title is not None and region.title.number == number


def _bind_parts(slot: Slot, section: Section, tree: MarkdownTree, spec: Scope) -> None:
    """Bind what is in the section of an object or an item beside labels: sections, items and its own content."""
    scope = Inside(slot.field.fields, children_of(slot.field), spec.empty_words)
    region = region_of(tree, section.number)
    for name, field in slot.field.fields.items():
        if name not in slot.children:
            slot.children[name] = Slot(name, field, slot)
    taken = _bind_sections(slot, tree, scope, region, _namer_in(slot.field))
    if slot.is_section_item:
        bind_root_labels(slot, tree, scope, region)
    bind_body(slot, section, tree, taken, spec.empty_words)


def _says_more(title: str, first: str) -> bool:
    """Whether a heading adds something in brackets to an earlier one of its name: `Findings (second round)`."""
    return fold_whole(title) not in {fold_name(title), fold_whole(first)}


class _Kept(NamedTuple):
    """The slot of a section, kept with the blocks that it was bound from and their start; None at first."""

    blocks: list[Green]
    start: int = 0
    slot: Slot | None = None


def _section_slot(slot: Slot, tree: MarkdownTree, spec: Spec, number: int, inline: int) -> Slot:
    """The slot of a root field with its section. That of an unchanged section is moved here from an earlier text.

    The heading's block keeps it from the second time on: a section that is being typed in has new blocks each time.
    """
    first, after = tree.headings[number], tree.heading_index(tree.number_after(number))
    blocks, start = tree.greens[first : after + 1], tree.block_start(first)  # the next heading may be the value
    cache = blocks[0].cache
    if cache is None:
        cache = blocks[0].cache = {}
    kept = cache.get(spec)
    again = isinstance(kept, _Kept) and kept.blocks == blocks
    if isinstance(kept, _Kept) and again and kept.slot is not None:
        return kept.slot.moved(start - kept.start, slot.parent)
    _bind_section(slot, tree.all_sections[number], tree, spec, inline)
    cache[spec] = _Kept(blocks, start, slot.moved(0, None)) if again else _Kept(blocks)
    return slot


def _bind_section(slot: Slot, section: Section, tree: MarkdownTree, spec: Scope, inline: int) -> None:
    """Give a slot its section; ``inline`` is the offset of the value in the heading's text, -1 without one."""
    heading = section.heading
    slot.present = slot.written = True
    slot.key = heading.content
    slot.span = section.span
    if inline >= 0 and slot.field.restated and _value_in(slot, section, tree, spec, inline):
        inline = -1  # the heading goes on with something else
    if inline >= 0:
        slot.carrier = "heading-inline"
        _take(slot, tree, Span(heading.content.start + inline, heading.content.end), spec.empty_words)
    else:
        slot.carrier = "section"
        _bind_body(slot, section, tree, spec)
    if slot.field.kind.is_choice:
        _take_below(slot, section, tree, spec)


def _value_in(slot: Slot, section: Section, tree: MarkdownTree, spec: Scope, inline: int) -> bool:
    """Whether the body of a section states a value and its heading none behind the name."""
    heading = section.heading.content
    if not read_text(slot.field, tree.source.text[heading.start + inline : heading.end], spec.empty_words).problem:
        return False
    places = (span for span in _value_places(slot, section, tree, spec) if span is not None)
    return any(not read_text(slot.field, tree.source.slice(span), spec.empty_words).problem for span in places)


def _take_below(slot: Slot, section: Section, tree: MarkdownTree, spec: Scope) -> None:
    """Keep the text on the lines below a section's single value: different values, or a remark."""
    if slot.value is None or slot.problem is not None or slot.key is None:
        return
    for line in _lines_below(section, tree, slot.value.end):
        pairs = read_pairs(tree.source.text, line)
        if pairs and _names(slot, pairs[0].key_text, spec):
            line = pairs[0].value
        elif pairs and fold_name(pairs[0].key_text) in spec.names.folded:
            continue  # another field, written as a label
        text = tree.source.slice(line)
        if slot.field.restated and text.strip(_AROUND_VALUE) not in {value.value for value in slot.field.values}:
            continue  # more about a value that may be written several times
        read = read_text(slot.field, text, spec.empty_words)
        remark = remark_in(text, 0)
        if not read.problem and read.data != slot.data:
            slot.add_other(bound(slot, slot.key, line, "section", tree))
        elif read.problem and remark is not None and slot.remark is None:
            slot.remark = Span(line.start + remark[0], line.start + remark[1])


def _lines_below(section: Section, tree: MarkdownTree, start: int) -> Iterator[Span]:
    """The non-empty lines of a section after an offset, without the signs at their beginning."""
    text, lines = tree.source.text, tree.source.lines
    for node in content(section.blocks, tree):
        if node.kind != "html":
            for number in range(lines.line_of(node.span.start), lines.line_of(max(node.span.end - 1, 0)) + 1):
                begin = _MARKER.match(text, lines.line_start(number), lines.line_end(number))
                if begin is not None and lines.line_start(number) >= start:
                    yield Span(begin.end(), lines.line_end(number))


def _bind_body(slot: Slot, section: Section, tree: MarkdownTree, spec: Scope) -> None:
    kind = slot.field.kind
    if kind.holds == "fields":
        bind_labels(slot, section, tree, children_of(slot.field))
        if has_sections(slot.field):
            _bind_parts(slot, section, tree, spec)
            slot.data = with_empties(slot)
    elif kind.holds_items:
        bind_list(slot, section, tree, spec.empty_words)
    elif kind.holds == "prose":
        _bind_prose(slot, section, tree, spec.empty_words)
    else:
        places = [span for span in _value_places(slot, section, tree, spec) if span is not None]
        rows = _rows(slot, section, tree, spec)
        if not places and "table" in slot.field.carriers:  # a table of several values is all there is
            rows = _own_first(slot, column_pairs(section, tree), spec)
            places = [pair.value for pair in rows]
        _take_others(slot, places, rows, tree, spec)
        right = (span for span in places[1:] if not read_text(slot.field, tree.source.slice(span)).problem)
        if places:
            first = not read_text(slot.field, tree.source.slice(places[0]), spec.empty_words).problem
            _take(slot, tree, places[0] if first else next(right, places[0]), spec.empty_words)


def _take_others(slot: Slot, places: list[Span], rows: list[Pair], tree: MarkdownTree, spec: Scope) -> None:
    """Keep different values of the field in other rows of a table that name it by its own names."""
    if not places or not slot.field.restated:
        return
    first = read_text(slot.field, tree.source.slice(places[0])).data
    for row in rows:
        read = read_text(slot.field, row.value_text)
        own = spec.names.folded.get(fold_name(row.key_text)) == slot.name
        if own and row.value != places[0] and not read.problem and read.data != first:
            slot.add_other(bound(slot, row.key, row.value, "table", tree))


def _rows(slot: Slot, section: Section, tree: MarkdownTree, spec: Scope) -> list[Pair]:
    """The rows of a section's tables that hold the field's value, those by its own names first."""
    if "table" not in slot.field.carriers:
        return []
    rows = _own_first(slot, (*table_pairs(section, tree, spec.names), *head_pairs(section, tree)), spec)
    return [row for row in rows if not _has_more_values(slot.field, row.value, tree)]


def _value_places(slot: Slot, section: Section, tree: MarkdownTree, spec: Scope) -> Iterator[Span | None]:
    """The places where a section of one value may hold it, the likeliest first."""
    carriers = slot.field.carriers
    rows = _rows(slot, section, tree, spec)
    yield from (pair.value for pair in rows)
    blocks = [node for node in section.blocks if node.kind != "table" or not (rows or "table" in carriers)]
    line = _first_line(blocks, tree)
    if line is None and "subheading" in carriers and section.first_subsection is not None:
        line = section.first_subsection.heading.content
    if line is None and "subheading" in carriers:
        line = _next_heading(slot, section, tree)
    if line is not None:
        yield _without_label(slot, tree, line, spec)
    if "table" in carriers or "subheading" in carriers:
        prose = (node for node in blocks if node.kind in {"paragraph", "list", "quote"})
        pairs = (pair for node in prose for pair in read_pairs(tree.source.text, node.span))
        yield from (pair.value for pair in _own_first(slot, pairs, spec))


def _next_heading(slot: Slot, section: Section, tree: MarkdownTree) -> Span | None:
    """The heading after an empty section if it is nothing but a value."""
    number = section.number + 1
    if section.blocks or number >= len(tree.headings):
        return None
    content = tree.all_sections[number].heading.content
    return content if not read_text(slot.field, tree.source.slice(content)).problem else None


def _has_more_values(field: Field, value: Span, tree: MarkdownTree) -> bool:
    """Whether the cells after this one hold values, too, so that it is only the first of several."""
    lines = tree.source.lines
    return bool(outcomes_in(field, tree.source.text[value.end : lines.line_end(lines.line_of(value.end))]))


def _own_first(slot: Slot, pairs: Iterable[Pair], spec: Scope) -> list[Pair]:
    """The pairs that name a field; those with one of its own names come first."""
    named = [pair for pair in pairs if _names(slot, pair.key_text, spec)]
    return sorted(named, key=lambda pair: spec.names.folded.get(fold_name(pair.key_text)) != slot.name)


def _names(slot: Slot, key: str, spec: Scope) -> bool:
    """Whether a label or a cell in a field's own section names the field."""
    folded = fold_name(key)
    return spec.names.folded.get(folded) == slot.name or folded in shared_names(slot.field)


def _without_label(slot: Slot, tree: MarkdownTree, line: Span, spec: Scope) -> Span:
    """The value on a line that repeats the section's name before it, as `**Status:** complete` does."""
    pairs = read_pairs(tree.source.text, line)
    repeated = bool(pairs) and _names(slot, pairs[0].key_text, spec)
    return pairs[0].value if repeated else line


def _first_line(blocks: Iterable[Node], tree: MarkdownTree) -> Span | None:
    """The first line with content, without list marker, quote mark or fence around it; None if all are empty."""
    for node in content(blocks, tree):
        while node.kind in {"list", "quote", "item"} and node.children:
            node = node.children[0]
        if node.kind == "rule":
            continue
        lines, text = tree.source.lines, tree.source.text
        for number in range(lines.line_of(node.content.start), lines.line_of(node.content.end) + 1):
            begin = max(node.content.start, lines.line_start(number))
            start, end = trim(text, begin, max(min(node.content.end, lines.line_end(number)), begin))
            if end > start and not is_withdrawn(text[start:end]):
                return Span(start, end)
            if end == start:
                break
    return None


def _take(slot: Slot, tree: MarkdownTree, span: Span, empty_words: frozenset[str]) -> None:
    """Give a slot the value in a span of the document."""
    raw = tree.source.slice(span)
    slot.raw = raw
    put(slot, read_text(slot.field, raw, empty_words), span)


def _bind_prose(slot: Slot, section: Section, tree: MarkdownTree, empty_words: frozenset[str]) -> None:
    parts = [node for node in content(section.blocks, tree) if node.kind != "rule"]
    start, end = (parts[0].span.start, parts[-1].span.end) if parts else (section.body.start, section.body.start)
    inner = section.first_subsection
    if inner is not None:
        end = max(end, trim(tree.source.text, section.body.start, section.body.end)[1])
        start = start if parts else inner.heading.span.start
    slot.raw = tree.source.text[start:end]
    if not slot.raw or is_nothing(slot.raw, empty_words):
        slot.data = ""
        slot.value = Span(start, end) if slot.raw else None
        return
    slot.value = Span(start, end)
    read = read_text(slot.field, slot.raw, empty_words) if len(slot.raw) < 500 else None
    if read is not None and read.problem:
        slot.problem = Problem("placeholder", slot.raw, slot.value)
    else:
        slot.data = slot.raw
