"""Binding Markdown: a title and sections to slots, by the contract's fields; what is written as labels beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from handoff_lsp.binding.markdown_labels import bind_labels, bind_root_labels
from handoff_lsp.binding.markdown_lists import bind_list, content
from handoff_lsp.binding.put import put, with_empties
from handoff_lsp.binding.region import Region
from handoff_lsp.binding.slot import Problem, Slot, Unknown
from handoff_lsp.binding.values import is_nothing, read_text, trim
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.spec import NameTable, Spec
from handoff_lsp.syntax.keyvalue import read_pairs
from handoff_lsp.syntax.markdown import MarkdownTree, Node, Section
from handoff_lsp.text import Span


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
    _bind_sections(root, tree, spec, region)
    bind_root_labels(root, tree, spec, region)
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


def _bind_sections(root: Slot, tree: MarkdownTree, spec: Spec, region: Region) -> None:
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
            _take(slot, tree, Span(start, heading.content.end), spec.empty_words)
        else:
            slot.carrier = "section"
            _bind_body(slot, section, tree, spec)


def _bind_body(slot: Slot, section: Section, tree: MarkdownTree, spec: Spec) -> None:
    kind = slot.field.type
    if kind == "object":
        bind_labels(slot, section, tree, spec)
    elif kind in {"list", "rows", "checklist", "table"}:
        bind_list(slot, section, tree, spec.empty_words)
    elif kind == "text":
        _bind_prose(slot, section, tree, spec.empty_words)
    else:
        line = _first_line(section.blocks, tree)
        if line is not None:
            _take(slot, tree, _without_label(slot, tree, line, spec), spec.empty_words)


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
