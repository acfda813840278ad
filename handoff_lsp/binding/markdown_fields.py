"""Binding Markdown: sections and labels to slots, by the contract's fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, cast

from handoff_lsp.binding.markdown_lists import bind_items, bind_list, content, row_of_text
from handoff_lsp.binding.slot import Problem, Slot, Unknown
from handoff_lsp.binding.values import Read, is_nothing, read_text, trim
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.spec import NameTable, Spec
from handoff_lsp.syntax.keyvalue import Pair, inner_pairs, read_pairs
from handoff_lsp.syntax.markdown import BlockKind, MarkdownTree, Node, Section
from handoff_lsp.syntax.yaml import read_yaml_pairs
from handoff_lsp.text import Span

LABELS = frozenset({"plain-label", "bold-label", "list-label", "quote-label"})
_LABELLED: frozenset[BlockKind] = frozenset({"paragraph", "list", "quote"})
_YAML_TAGS = {"yaml", "yml", "", "text", "txt"}
_EMPTY = {"text": "", "list": [], "rows": [], "checklist": [], "table": [], "map": {}, "object": {}}


class Region(NamedTuple):
    """The part of a document that is one handoff: its title, the numbers of its sections, and its own blocks.

    ``blocks`` are those before the first section, in which labels stand; they are numbers among the top-level blocks.
    """

    title: Section | None
    sections: range
    blocks: range


def whole(tree: MarkdownTree) -> Region:
    """A whole document: its title is the level 1 heading that begins it."""
    titled = bool(tree.headings) and tree.heading_levels[0] == 1
    return Region(
        tree.all_sections[0] if titled else None, range(len(tree.headings)), range(tree.heading_index(int(titled)))
    )


def region_of(tree: MarkdownTree, number: int) -> Region:
    """A section with all that is in it; its title is its heading."""
    return Region(
        tree.all_sections[number],
        range(number + 1, tree.number_after(number)),
        range(tree.headings[number] + 1, tree.heading_index(number + 1)),
    )


def bind_region(tree: MarkdownTree, spec: Spec, region: Region) -> Slot:
    """The root slot of a region: a child for every root field of the contract, there or not."""
    root = Slot("", _ROOT)
    root.present = root.written = True
    for name, field in spec.fields.items():
        root.children[name] = Slot(name, field, root)
    if region.title is not None:
        root.key = region.title.heading.content
        root.span = region.title.heading.span
        _bind_title(root, tree, region.title)
    empty_words = frozenset(word.casefold() for word in spec.contract.empty_words)
    _bind_sections(root, tree, spec, region, empty_words)
    _bind_root_labels(root, tree, spec, region, empty_words)
    root.data = with_empties(root)
    return root


def _bind_title(root: Slot, tree: MarkdownTree, title: Section) -> None:
    """Give the title of the handoff to the fields whose value it is."""
    for slot in root.children.values():
        if "title" in slot.field.carriers:
            slot.present = slot.written = True
            slot.carrier = "title"
            slot.key, slot.span = title.heading.content, title.heading.span
            _take(slot, tree, title.heading.content, frozenset())


def with_empties(root: Slot) -> dict[str, object]:
    """The values of a root's children by name, with empty ones for those that are absent."""
    data: dict[str, object] = {}
    for name, slot in root.children.items():
        value = slot.data
        if value is None and not slot.present:
            value = _EMPTY.get(slot.field.type)
        if value is not None:
            data[name] = value
    return data


_ROOT = Field(type="object")


def heading_name(title: str, names: NameTable, fields: Mapping[str, Field]) -> tuple[str, int] | None:
    """The root field that a heading names, and where in it an inline value begins (-1 where there is none)."""
    found = names.folded.get(fold_name(title))
    if found is not None and "section" in fields[found].carriers:
        return found, -1
    for colon in (":", "：", " — ", " – ", " - "):
        head, sign, tail = title.partition(colon)
        if sign and tail.strip(" *_`"):
            found = names.folded.get(fold_name(head))
            if found is not None and "heading-inline" in fields[found].carriers:
                return found, len(head) + len(colon)
    return None


@lru_cache(maxsize=256)
def _namer(spec: Spec) -> Callable[[str], tuple[str, int] | None]:
    """What ``heading_name`` says of a title, as one function for each spec."""
    return lambda title: heading_name(title, spec.names, spec.fields)


def _bind_sections(root: Slot, tree: MarkdownTree, spec: Spec, region: Region, empty_words: frozenset[str]) -> None:
    named = tree.of_titles(_namer(spec))
    levels = tree.heading_levels
    base = min((levels[number] for number in region.sections if named[number] is not None), default=0)
    seen = {name[0] for number in region.sections if levels[number] == base and (name := named[number]) is not None}
    for number in region.sections:
        name = named[number]
        if name is None:
            if levels[number] > 1:
                root.unknown.append(Unknown(tree.titles[number], *tree.heading_spans(number)))
            continue
        if levels[number] != base and name[0] in seen:
            continue  # a deeper heading of the same name is part of another section's content
        section = tree.all_sections[number]
        heading = section.heading
        slot = root.children[name[0]]
        if slot.present:
            root.duplicates.append(Unknown(slot.title, heading.content, heading.span))
            continue
        slot.present = slot.written = True
        slot.key = heading.content
        slot.span = section.span
        if name[1] >= 0:
            slot.carrier = "heading-inline"
            start = heading.content.start + name[1]
            _take(slot, tree, Span(start, heading.content.end), empty_words)
        else:
            slot.carrier = "section"
            _bind_body(slot, section, tree, spec, empty_words)


def _bind_body(slot: Slot, section: Section, tree: MarkdownTree, spec: Spec, empty_words: frozenset[str]) -> None:
    kind = slot.field.type
    if kind == "object":
        _bind_labels(slot, section, tree, spec)
    elif kind in {"list", "rows", "checklist", "table"}:
        bind_list(slot, section, tree, empty_words)
    elif kind == "text":
        _bind_prose(slot, section, tree, empty_words)
    else:
        line = _first_line(section.blocks, tree)
        if line is not None:
            _take(slot, tree, _without_label(slot, tree, line, spec), empty_words)


def _without_label(slot: Slot, tree: MarkdownTree, line: Span, spec: Spec) -> Span:
    """The value on a line that repeats the section's name before it, as `**Status:** complete` does."""
    pairs = read_pairs(tree.source.text, line)
    repeated = bool(pairs) and spec.names.folded.get(fold_name(pairs[0].key_text)) == slot.name
    return pairs[0].value if repeated else line


def _first_line(blocks: Iterable[Node], tree: MarkdownTree) -> Span | None:
    """The first line that holds content, without list marker, quote mark or fence around it."""
    for node in content(blocks, tree):
        while node.kind in {"list", "quote", "item"} and node.children:
            node = node.children[0]
        if node.kind == "rule":
            continue
        lines = tree.source.lines
        first = lines.line_of(node.content.start)
        span = Span(node.content.start, min(node.content.end, lines.line_end(first)))
        start, end = trim(tree.source.text, span.start, max(span.end, span.start))
        if end > start:
            return Span(start, end)
    return None


def _take(slot: Slot, tree: MarkdownTree, span: Span, empty_words: frozenset[str]) -> None:
    """Give a slot the value that a span of the document holds."""
    raw = tree.source.slice(span)
    slot.raw = raw
    put(slot, read_text(slot.field, raw, empty_words), span)


def put(slot: Slot, read: Read, span: Span) -> None:
    """Give a slot what was read from the text of ``span``."""
    slot.value = Span(span.start + read.start, span.start + read.end)
    if read.problem:
        slot.problem = Problem(read.problem, slot.raw[read.start : read.end], slot.value)  # type: ignore[arg-type]
        return
    slot.data = read.data
    for name, (start, end) in read.groups.items():
        child = slot.children[name] = Slot(name, _GROUP, slot)
        child.present = child.written = True
        child.value = child.key = child.span = Span(span.start + start, span.start + end)
        child.raw = slot.raw[start:end]
        child.data = slot.data.get(name) if isinstance(slot.data, dict) else None


_GROUP = Field(type="any")


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


def _bind_labels(slot: Slot, section: Section, tree: MarkdownTree, spec: Spec) -> None:
    names = spec.table(slot.path)
    for name, field in slot.field.fields.items():
        slot.children[name] = Slot(name, field, slot)
    body = [node for node in section.blocks if node.kind != "html"]
    fenced = any(not field.carriers or "yaml" in field.carriers for field in slot.field.fields.values())
    fences = [node for node in body if node.kind == "fence" and node.info.split(" ")[0].lower() in _YAML_TAGS]
    fences = fences if fenced else []
    fence = next((node for node in fences if _any_known(_fence_pairs(node), names)), None)
    lines = _line_pairs(body, tree)
    if fence is None and not _any_known(lines, names):
        fence = next(iter(fences), None)
        elsewhere = [*_line_pairs(section.whole(_LABELLED), tree), *_table_pairs(section, tree, names)]
        lines = elsewhere if _any_known(elsewhere, names) else lines
    if fence is not None:
        slot.value = fence.span
        _bind_pairs(slot, _fence_pairs(fence), names, "yaml")
    elif body or lines:
        slot.value = Span(body[0].span.start, body[-1].span.end) if body else lines[0].line
        _bind_pairs(slot, lines, names, "plain-label")
    for child in slot.children.values():
        if child.field.type == "list" and child.written:
            _take_items(child, tree, section, names)
    slot.raw = tree.source.slice(slot.value) if slot.value else ""
    slot.data = {name: child.data for name, child in slot.children.items() if child.data is not None}


def _line_pairs(nodes: Iterable[Node], tree: MarkdownTree) -> list[Pair]:
    """The pairs in the lines of some blocks, without what only quotes a tool's output."""
    text = tree.source.text
    spans = (node.span for node in nodes if node.kind not in {"fence", "table"})
    return [pair for span in spans for pair in read_pairs(text, span, comments=True)]


def _any_known(pairs: Iterable[Pair], names: NameTable) -> bool:
    return any(fold_name(pair.key_text) in names.folded for pair in pairs)


def _table_pairs(section: Section, tree: MarkdownTree, names: NameTable) -> Iterator[Pair]:
    """The pairs of a section's tables: name and value side by side, or names above a single row of values."""
    text = tree.source.text
    for table in section.whole({"table"}):
        heads = [row.cells for row in table.children if row.header]
        rows = [row.cells for row in table.children if not row.header]
        across = any(fold_name(cell.of(text)) in names.folded for cells in heads for cell in cells)
        sides = zip(heads[0], rows[0], strict=False) if across and len(rows) == 1 else ()
        cells = sides if across else ((row[0], row[1]) for row in rows if len(row) > 1)
        for key, value in cells:
            line = Span(min(key.start, value.start), max(key.end, value.end))
            yield Pair(key, value, line, key.of(text), value.of(text), None)


_ITEM = re.compile(r"([ \t>]*)[-*+][ \t]+(?=\S)")


def _take_items(slot: Slot, tree: MarkdownTree, section: Section, names: NameTable) -> None:
    """Give a list its items: what stands behind its label, else the list that is nested below it."""
    if slot.value is None or slot.problem is not None:
        return
    if isinstance(slot.data, str) and slot.data:
        slot.data = [slot.data]
        return
    text, lines = tree.source.text, tree.source.lines
    line = lines.line_of(slot.value.start)
    own = _ITEM.match(lines.line_text(line))
    slot.data = []
    for number in range(line + 1, lines.line_of(max(section.span.end - 1, 0)) + 1):
        below = lines.line_text(number)
        if not below.strip():
            continue
        item = _ITEM.match(below)
        if item is None or (own is not None and len(item[1]) <= len(own[1])):
            break
        start, end = trim(text, lines.starts[number] + item.end(), lines.line_end(number))
        if own is None and _any_known(read_pairs(text, Span(start, end)), names):
            break
        child = slot.add_item(_GROUP, Span(start, end))
        child.value, child.raw, child.data = Span(start, end), text[start:end], text[start:end]
        slot.data.append(child.data)
        slot.span = Span(slot.span.start, end) if slot.span is not None else None


def _fence_pairs(fence: Node) -> list[Pair]:
    fragment = fence.fragment()
    return [
        pair._replace(
            key=fragment.outer_span(*pair.key),
            value=fragment.outer_span(*pair.value),
            line=fragment.outer_span(*pair.line),
        )
        for pair in _inner_pairs(fence, fragment.text)
    ]


def _inner_pairs(fence: Node, text: str) -> Sequence[Pair]:
    """The pairs of a fence in offsets of its body; read once as long as nothing in the fence changes."""
    cache = fence.green.cache
    if cache is None:
        cache = fence.green.cache = {}
    if _inner_pairs not in cache:
        pairs: Sequence[Pair] | None = read_yaml_pairs(text)
        if pairs is None:  # not YAML, as `outcome: a: b` is not: read it as the lines it was meant to be
            pairs = read_pairs(text, Span(0, len(text)), comments=True)
        cache[_inner_pairs] = pairs
    return cast("Sequence[Pair]", cache[_inner_pairs])


def _bind_pairs(slot: Slot, pairs: Iterable[Pair], names: NameTable, carrier: str) -> None:
    for pair in _each(pairs, names):
        name = names.folded.get(fold_name(pair.key_text))
        if name is None:
            slot.unknown.append(Unknown(pair.key_text, pair.key, pair.line))
            continue
        child = slot.children[name]
        if child.written:
            slot.duplicates.append(Unknown(pair.key_text, pair.key, pair.line))
            continue
        _take_pair(child, pair, carrier)


def _take_pair(slot: Slot, pair: Pair, carrier: str, empty_words: frozenset[str] = frozenset()) -> None:
    slot.written = True
    slot.carrier = carrier  # type: ignore[assignment]
    slot.key, slot.span = pair.key, pair.line
    slot.raw = pair.value_text
    slot.value = pair.value
    if not pair.value_text.strip():
        slot.present = True
        slot.value = Span(pair.value.start, pair.value.start)
        return
    slot.present = True
    read = read_text(slot.field, pair.value_text, empty_words)
    if pair.value.end - pair.value.start != len(pair.value_text):  # quoted or folded: the token is all of it
        read = read._replace(start=0, end=pair.value.end - pair.value.start, groups={})
        slot.raw = pair.value_text
        put(slot, read, pair.value)
        if slot.problem is not None:
            slot.problem = slot.problem._replace(found=pair.value_text)
        return
    put(slot, read, pair.value)


def _each(pairs: Iterable[Pair], names: NameTable) -> Iterator[Pair]:
    """Pairs, and for a line that holds several, as `Total: 3 / Pass: 2 / Fail: 1` does, each of them."""
    for pair in pairs:
        if fold_name(pair.key_text) in names.folded:
            yield from inner_pairs(pair, lambda key: fold_name(key) in names.folded)
        else:
            yield pair


def _bind_root_labels(root: Slot, tree: MarkdownTree, spec: Spec, region: Region, empty_words: frozenset[str]) -> None:
    """Root fields written as labels: before the first section, below a one-value section, some of them anywhere."""
    wanted = {name for name, slot in root.children.items() if not slot.present and LABELS & set(slot.field.carriers)}
    if not wanted:
        return
    anywhere = {name for name in wanted if root.children[name].field.anywhere}
    headed = (slot for slot in root.children.values() if slot.carrier == "section")
    short = [slot.span for slot in headed if slot.field.type in {"enum", "any"}]
    _bind_boxed(root, tree, spec, region, wanted, empty_words)
    end = region.blocks.stop
    for number in region.sections:
        end = tree.heading_index(number + 1)
    for index, _ in tree.labels:
        if not region.blocks.start <= index < end:
            continue
        node = tree.block(index)
        own = index in region.blocks or any(span is not None and span.holds(node.span.start) for span in short)
        taken = wanted if own else anywhere
        if not taken:
            continue
        for pair in _each(read_pairs(tree.source.text, node.span), spec.names):
            name = spec.names.folded.get(fold_name(pair.key_text))
            if name is None or name not in wanted:
                continue
            slot = root.children[name]
            if name in taken and not slot.present and (own or not _is_told(slot.field, pair)):
                _take_label(slot, pair, tree, index, empty_words)


def _bind_boxed(
    root: Slot, tree: MarkdownTree, spec: Spec, region: Region, wanted: set[str], empty_words: frozenset[str]
) -> None:
    """Root fields in a fence or a table below a section that holds anything."""
    keys = {slot.key for slot in root.children.values() if slot.carrier == "section" and slot.field.type == "any"}
    if not keys:
        return
    for number in region.sections:
        section = tree.all_sections[number]
        if section.heading.content not in keys:
            continue
        fences = (pair for node in section.whole({"fence"}) for pair in _fence_pairs(node))
        for pair in _each([*fences, *_table_pairs(section, tree, spec.names)], spec.names):
            name = spec.names.folded.get(fold_name(pair.key_text))
            if name in wanted and not root.children[name].present:
                _take_pair(root.children[name], pair, "plain-label", empty_words)


def _is_told(field: Field, pair: Pair) -> bool:
    """Whether a line that begins like a label is a sentence: more than one word that its value cannot be."""
    return read_text(field, pair.value_text).problem in {"value", "type", "format"} and " " in pair.value_text.strip()


def _take_label(slot: Slot, pair: Pair, tree: MarkdownTree, index: int, empty_words: frozenset[str]) -> None:
    """Give a root field the value behind its label, or the list below it."""
    kind = slot.field.type
    if kind not in {"list", "rows", "checklist"}:
        _take_pair(slot, pair, "bold-label", empty_words)
        return
    slot.present = slot.written = True
    slot.carrier, slot.key, slot.span = "bold-label", pair.key, pair.line
    slot.raw, slot.value = pair.value_text, pair.value
    if not pair.value_text.strip():
        following = tree.block(index + 1) if index + 1 < len(tree.greens) else None
        if following is not None and following.kind == "list":
            bind_items(slot, [following], tree, empty_words, countable=True)
            slot.span = Span(pair.line.start, following.span.end)
        else:
            slot.data = []
    elif is_nothing(pair.value_text, empty_words):
        slot.data = []
    elif kind == "rows":
        slot.data = [row_of_text(slot, pair.value_text, pair.value)]
    elif kind == "list":
        slot.data = [pair.value_text]
