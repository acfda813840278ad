"""Binding a Markdown document: sections and labels to slots, by the contract's fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import cast

from handoff_lsp.binding.slot import Problem, Slot, Unknown
from handoff_lsp.binding.values import Read, is_nothing, is_placeholder, read_text, tables, trim
from handoff_lsp.contracts.model import Field, Value
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.spec import NameTable, Spec
from handoff_lsp.syntax.keyvalue import Pair, read_pairs
from handoff_lsp.syntax.markdown import BlockKind, MarkdownTree, Node, Section
from handoff_lsp.syntax.yaml import read_yaml_pairs
from handoff_lsp.text import Span

_LABELS = {"plain-label", "bold-label", "list-label", "quote-label"}
_CONTENT: frozenset[BlockKind] = frozenset({"paragraph", "fence", "code", "quote", "table", "html"})
_YAML_TAGS = {"yaml", "yml", "", "text", "txt"}


def bind_document(tree: MarkdownTree, spec: Spec) -> Slot:
    """The root slot of a Markdown document: a child for every root field of the contract, there or not."""
    root = Slot("", _ROOT)
    root.present = root.written = True
    for name, field in spec.fields.items():
        root.children[name] = Slot(name, field, root)
    title = tree.all_sections[0] if tree.all_sections and tree.all_sections[0].level == 1 else None
    if title is not None:
        root.key = title.heading.content
        root.span = title.heading.span
    empty_words = frozenset(word.casefold() for word in spec.contract.empty_words)
    _bind_sections(root, tree, spec, empty_words)
    _bind_root_labels(root, tree, title, spec, empty_words)
    root.data = {}
    for name, slot in root.children.items():
        value = slot.data
        if value is None and not slot.present:
            value = {"text": "", "list": [], "rows": [], "object": {}}.get(slot.field.type)
        if value is not None:
            root.data[name] = value
    return root


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


def _bind_sections(root: Slot, tree: MarkdownTree, spec: Spec, empty_words: frozenset[str]) -> None:
    named = tree.of_titles(_namer(spec))
    levels = tree.heading_levels
    base = min((level for level, name in zip(levels, named, strict=True) if name is not None), default=0)
    seen: set[str] = {name[0] for level, name in zip(levels, named, strict=True) if name is not None and level == base}
    for number, name in enumerate(named):
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
    elif kind in {"list", "rows"}:
        _bind_list(slot, section, tree, empty_words)
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


def _content(blocks: Iterable[Node], tree: MarkdownTree) -> Iterable[Node]:
    """Blocks that hold something: comments are not content."""
    for node in blocks:
        if node.kind == "html" and tree.source.slice(node.span).lstrip().startswith("<!--"):
            continue
        yield node


def _first_line(blocks: Iterable[Node], tree: MarkdownTree) -> Span | None:
    """The first line that holds content, without list marker, quote mark or fence around it."""
    for node in _content(blocks, tree):
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
    parts = [node for node in _content(section.blocks, tree) if node.kind != "rule"]
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


def _bind_list(slot: Slot, section: Section, tree: MarkdownTree, empty_words: frozenset[str]) -> None:
    lists = section.whole({"list"})
    slot.value = None
    if not lists:
        rest = list(_content(section.whole(_CONTENT), tree))
        text = "\n".join(node.text for node in rest)
        slot.raw = text
        if slot.field.type == "rows":
            slot.data = _rows_of_lines(slot, rest, tree)
        elif is_nothing(text, empty_words):
            slot.data = []
        elif rest:
            slot.value = rest[0].content  # prose, whose items nobody can count: no value, and nothing is said
        return
    texts = [text for node in lists for text in node.of_items(_text_of)]
    slot.raw = tree.source.text[lists[0].span.start : lists[-1].span.end]
    slot.value = lists[0].child(0).content
    if len(texts) == 1 and is_nothing(texts[0], empty_words):
        slot.data = []
    elif len(texts) == 1 and is_placeholder(texts[0]):
        slot.problem = Problem("placeholder", texts[0], slot.value)
    elif slot.field.type == "rows":
        mark_of = _marker(slot.field)
        slot.data = []
        for node in lists:
            for index, found in enumerate(node.of_items(mark_of)):
                item = node.child(index)
                if found is not None:
                    slot.data.append(_add_row(slot, item.text, item.content, found))
                else:
                    slot.data.append({"mark": "", "text": item.text})
    elif _is_countable(section, lists, empty_words):
        slot.data = texts


def _is_countable(section: Section, lists: list[Node], empty_words: frozenset[str]) -> bool:
    """Whether each item of a list is one thing: a grouped or interrupted list has no number that is certain."""
    if len(lists) != 1 or section.first_subsection is not None:
        return False
    return all(lists[0].of_items(_one_thing(empty_words)))


@lru_cache(maxsize=64)
def _one_thing(empty_words: frozenset[str]) -> Callable[[str, str | None], bool]:
    """What tells whether an item's text is one thing. The same function for the same words: lists remember by it."""

    def is_one(text: str, checkbox: str | None) -> bool:
        if text.rstrip("*_` ").endswith((":", "：", "/", "\\")) or ("{" in text and "," in text):
            return False  # a heading for what is nested below it, or `src/{A,B}.php`
        return not is_nothing(text, empty_words)

    return is_one


def _text_of(text: str, checkbox: str | None) -> str:
    return text


def _rows_of_lines(slot: Slot, nodes: list[Node], tree: MarkdownTree) -> list[dict[str, str]]:
    rows = []
    for node in nodes:
        if node.kind == "row" or node.kind == "table":
            for row in node.children if node.kind == "table" else [node]:
                for cell in row.cells:
                    if found := _row(slot, tree.source.slice(cell), cell, None):
                        rows.append(found)
            continue
        for line in range(node.first_line, node.last_line + 1):
            span = tree.source.lines.line_span(line)
            start, end = trim(tree.source.text, *span)
            if found := _row(slot, tree.source.text[start:end], Span(start, end), None):
                rows.append(found)
    return rows


# The value of a row's mark, and where the mark stands in the row's text.
_Mark = tuple[Value, int, int]
_MARKERS: dict[int, tuple[Field, Callable[[str, str | None], _Mark | None]]] = {}


def _marker(field: Field) -> Callable[[str, str | None], _Mark | None]:
    """What finds the mark of a row, as one function for each field."""
    made = _MARKERS.get(id(field))
    if made is None or made[0] is not field:
        made = _MARKERS[id(field)] = (field, lambda text, checkbox: _mark(field, text, checkbox))
    return made[1]


def _mark(field: Field, text: str, checkbox: str | None) -> _Mark | None:
    mark, start, end = row_mark(field, text)
    if mark is None and checkbox is not None:
        mark = next((value for value in field.values if f"[{checkbox}]" in value.instead_of), None)
    return None if mark is None else (mark, start, end)


def _row(slot: Slot, text: str, span: Span, checkbox: str | None) -> dict[str, str] | None:
    """A row's mark and text, and a slot for its mark; None for an item without a mark."""
    found = _mark(slot.field, text, checkbox)
    return None if found is None else _add_row(slot, text, span, found)


def _add_row(slot: Slot, text: str, span: Span, found: _Mark) -> dict[str, str]:
    mark, start, end = found
    item = Slot(f"{slot.name}[{len(slot.items)}]", _GROUP, slot)
    item.present = item.written = True
    item.key = item.value = Span(span.start + start, span.start + max(end, start)) if end > start else span
    item.span = span
    item.raw = text[start:end]
    item.data = mark.value
    slot.items.append(item)
    return {"mark": mark.value, "text": text[end:].strip()}


def row_mark(field: Field, text: str) -> tuple[Value | None, int, int]:
    """The mark that a row begins (or, after a table's or a colon's manner, ends) with, and where it stands."""
    exact, _, _ = tables(field)
    start, _ = trim(text, 0, len(text), " *_`\"'")
    spellings = [(spelling, value) for value in exact.values() for spelling in (value.value, *value.instead_of)]
    for spelling, value in sorted(spellings, key=lambda pair: -len(pair[0])):
        if text.startswith(spelling, start):
            return value, start, start + len(spelling)
    end = trim(text, 0, len(text), " *_`\"'")[1]
    for spelling, value in spellings:
        first = end - len(spelling)
        if first > start and text.startswith(spelling, first) and text[first - 1] in " \t:：—–-":
            return value, first, end
    return None, 0, 0


def _bind_labels(slot: Slot, section: Section, tree: MarkdownTree, spec: Spec) -> None:
    names = spec.table(slot.path)
    for name, field in slot.field.fields.items():
        slot.children[name] = Slot(name, field, slot)
    body = [node for node in section.blocks if node.kind != "html"]
    fences = (node for node in body if node.kind == "fence")
    fence = next((node for node in fences if node.info.split(" ")[0].lower() in _YAML_TAGS), None)
    if fence is not None:
        slot.value = fence.span
        _bind_pairs(slot, _fence_pairs(fence), names, "yaml")
    elif body:
        slot.value = Span(body[0].span.start, body[-1].span.end)
        _bind_pairs(slot, read_pairs(tree.source.text, slot.value, comments=True), names, "plain-label")
    slot.raw = tree.source.slice(slot.value) if slot.value else ""
    slot.data = {name: child.data for name, child in slot.children.items() if child.data is not None}


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
    for pair in pairs:
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


def _bind_root_labels(
    root: Slot, tree: MarkdownTree, title: Section | None, spec: Spec, empty_words: frozenset[str]
) -> None:
    """Root fields written as labels (`**Status**: complete`) before the first section, or below a one-value section."""
    wanted = {name for name, slot in root.children.items() if not slot.present and _LABELS & set(slot.field.carriers)}
    if not wanted:
        return
    blocks = [*tree.preamble, *(title.blocks if title is not None else [])]
    short = {slot.key for slot in root.children.values() if slot.carrier == "section" and slot.field.type == "enum"}
    blocks += [node for item in tree.all_sections if item.heading.content in short for node in item.blocks]
    for node in blocks:
        if node.kind not in {"paragraph", "list", "quote"}:
            continue
        for pair in read_pairs(tree.source.text, node.span):
            name = spec.names.folded.get(fold_name(pair.key_text))
            if name in wanted and not root.children[name].present:
                _take_pair(root.children[name], pair, "bold-label", empty_words)
