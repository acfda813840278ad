"""Binding repeated sections, each an item of a list, and the content right in the section of an object or an item."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence

from handoff_lsp.binding.markdown_lists import CONTENT, bind_list, content, has_boxes
from handoff_lsp.binding.put import put, with_empties
from handoff_lsp.binding.slot import UNNAMED, Problem, Slot
from handoff_lsp.binding.values import is_nothing, is_placeholder, read_text
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.syntax.markdown.incremental import BlockKind, MarkdownTree, Node, Section
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

_ITEM = Field(type="object")
_DIGITS = lazy_pattern(r"\d{1,18}")


@once_per_field
def has_sections(field: Field) -> bool:
    """Whether a section that is an object has fields that are sections or its own content."""
    fields = field.fields.values() if field.kind.holds == "fields" else ()
    return any(child.each or "section" in child.carriers or "body" in child.carriers for child in fields)


def bind_each(
    slot: Slot, numbers: Sequence[int], tree: MarkdownTree, bind_parts: Callable[[Slot, Section], None]
) -> None:
    """Give a list an item for each of some sections. ``bind_parts`` binds the fields in one."""
    sections = [tree.all_sections[number] for number in numbers]
    slot.present = slot.written = True
    slot.carrier = "section"
    slot.key = sections[0].heading.content
    slot.span = Span(sections[0].heading.span.start, sections[-1].span.end)
    slot.data = []
    for index, section in enumerate(sections):
        item = slot.add_item(slot.field.items or _ITEM, section.span)
        item.carrier, item.key, item.raw = "section", section.heading.content, section.title
        _add_groups(item, slot.field.each)
        bind_parts(item, section)
        item.data = {"index": index, **with_empties(item)}
        slot.data.append(item.data)


def _add_groups(item: Slot, pattern: str) -> None:
    """Give an item the named groups of the pattern of its heading."""
    found = search(pattern, item.raw)
    assert item.key is not None
    for name, (start, end) in found.groups.items() if found is not None else ():
        child = item.children[name] = Slot(name, UNNAMED, item)
        child.present = child.written = True
        child.key = child.span = child.value = Span(item.key.start + start, item.key.start + end)
        child.raw = item.raw[start:end]
        if is_placeholder(child.raw):
            child.problem = Problem("placeholder", child.raw, child.value)
        else:
            child.data = int(child.raw) if _DIGITS.fullmatch(child.raw) else child.raw


class _Rest(NamedTuple):
    """The blocks of a section that no field of its own has."""

    blocks: list[Node]
    first_subsection: Section | None = None

    def whole(self, kinds: Container[BlockKind]) -> list[Node]:
        """The blocks of some kinds."""
        return [node for node in self.blocks if node.kind in kinds]


def bind_body(
    slot: Slot, section: Section, tree: MarkdownTree, taken: Container[int], empty_words: frozenset[str]
) -> None:
    """Bind the fields that are the content of the section of an object or an item.

    Lists and tables may be below headings that mean nothing, texts are above the first heading. ``taken``: the numbers
    of the sections in it that are fields or items.
    """
    wanted = [child for child in slot.children.values() if "body" in child.field.carriers and not child.present]
    if not wanted:
        return
    keys = [child.key for child in slot.children.values() if child.key is not None and not child.headed]
    own = list(content(section.blocks, tree))
    blocks = list(own)
    number, end = section.number + 1, tree.number_after(section.number)
    while number < end:
        inside = number in taken
        blocks += () if inside else content(tree.all_sections[number].blocks, tree)
        number = tree.number_after(number) if inside else number + 1
    for child in wanted:
        if child.field.kind.has_boxes:  # other items of the same list may be labels
            _bind_items(child, blocks, tree, empty_words)
        elif child.field.kind.holds_items:
            _bind_items(child, [node for node in blocks if not _holds(node, keys)], tree, empty_words)
        else:
            _bind_text(child, [node for node in own if not _holds(node, keys)], tree, empty_words)


def _holds(node: Node, keys: Iterable[Span]) -> bool:
    return any(node.span.start <= key.start < node.span.end for key in keys)


def _bind_items(slot: Slot, blocks: list[Node], tree: MarkdownTree, empty_words: frozenset[str]) -> None:
    kind = slot.field.kind
    if kind.holds == "table rows":
        found = [node for node in blocks if node.kind == "table"]
    else:
        found = [node for node in blocks if node.kind == "list" and has_boxes(node) == kind.has_boxes]
    if not found:
        return
    _begin(slot, found)
    bind_list(slot, _Rest(found), tree, empty_words)


def _bind_text(slot: Slot, blocks: list[Node], tree: MarkdownTree, empty_words: frozenset[str]) -> None:
    found = [node for node in blocks if node.kind in CONTENT or node.kind == "list"]
    if slot.field.kind.holds != "prose":
        found = [node for node in found if node.kind == "paragraph"][:1]
    if not found:
        return
    _begin(slot, found)
    assert slot.span is not None
    slot.raw = tree.source.slice(slot.span)
    if slot.field.kind.holds == "prose" and not is_placeholder(slot.raw):
        slot.value = slot.span
        slot.data = "" if is_nothing(slot.raw, empty_words) else slot.raw
        return
    put(slot, read_text(slot.field, slot.raw, empty_words), slot.span)


def _begin(slot: Slot, blocks: list[Node]) -> None:
    slot.present = slot.written = True
    slot.carrier = "body"
    slot.span = Span(blocks[0].span.start, blocks[-1].span.end)
