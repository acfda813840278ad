"""Binding labels in Markdown: those in the section of an object, and root fields that are written as labels."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from handoff_lsp.binding.markdown_lists import bind_items, row_of_text
from handoff_lsp.binding.markdown_pairs import any_known, each_pair, fence_pairs, line_pairs, table_pairs
from handoff_lsp.binding.put import put
from handoff_lsp.binding.region import Region, Scope
from handoff_lsp.binding.slot import UNNAMED, Slot, Unknown
from handoff_lsp.binding.values import is_nothing, read_text, trim
from handoff_lsp.contracts.model import LABEL_CARRIERS, Carrier, Field
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.spec import NameTable
from handoff_lsp.syntax.lines.keyvalue import Pair, read_pairs
from handoff_lsp.syntax.markdown.incremental import BlockKind, MarkdownTree, Node, Section
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

_LABELLED: frozenset[BlockKind] = frozenset({"paragraph", "list", "quote"})
_YAML_TAGS = {"yaml", "yml", "", "text", "txt"}
_ITEM = lazy_pattern(r"([ \t>]*)[-*+][ \t]+(?=\S)")
# A paragraph that introduces the next block.
_INTRODUCES = lazy_pattern(r"[:：][*_]*\s*\Z|\A\*\*[^*]+\*\*\s*\Z")


def holds_labels(fence: Node) -> bool:
    """Whether the tag of a fence is one of those that may hold labels."""
    return fence.info.split(" ")[0].lower() in _YAML_TAGS


def bind_labels(slot: Slot, section: Section, tree: MarkdownTree, names: NameTable) -> None:
    """Bind the fields of an object from its section: from a fence, lines with labels, or a table."""
    for name, field in slot.field.fields.items():
        slot.children[name] = Slot(name, field, slot)
    body = [node for node in section.blocks if node.kind != "html"]
    fenced = any(not field.carriers or "yaml" in field.carriers for field in slot.field.fields.values())
    fences = [node for node in body if node.kind == "fence" and holds_labels(node)]
    fences = fences if fenced else []
    fence = next((node for node in fences if any_known(fence_pairs(node), names)), None)
    lines = line_pairs(body, tree, comments=fenced)
    if fence is None and not any_known(lines, names) and not any(field.each for field in slot.field.fields.values()):
        fence = next(iter(fences), None)
        elsewhere = [*line_pairs(section.whole(_LABELLED), tree, comments=fenced), *table_pairs(section, tree, names)]
        lines = elsewhere if any_known(elsewhere, names) else lines
    if fence is not None:
        slot.value = fence.span
        _bind_pairs(slot, fence_pairs(fence), names, "yaml")
    elif body or lines:
        slot.value = Span(body[0].span.start, body[-1].span.end) if body else lines[0].line
        _bind_pairs(slot, lines, names, "plain-label")
    for child in slot.children.values():
        if child.field.kind.holds == "plain items" and child.written:
            _take_items(child, tree, section, names)
    slot.raw = tree.source.slice(slot.value) if slot.value else ""
    slot.data = {name: child.data for name, child in slot.children.items() if child.data is not None}


def _bind_pairs(slot: Slot, pairs: Iterable[Pair], names: NameTable, carrier: Carrier) -> None:
    for pair in each_pair(pairs, names):
        name = names.folded.get(fold_name(pair.key_text))
        if name is None:
            slot.add_unknown(Unknown(pair.key_text, pair.key, pair.line))
            continue
        child = slot.children[name]
        if child.written:
            slot.add_duplicate(Unknown(child.title, pair.key, pair.line))
            continue
        _take_pair(child, pair, carrier)


def _take_pair(slot: Slot, pair: Pair, carrier: Carrier, empty_words: frozenset[str] = frozenset()) -> None:
    slot.written = True
    slot.carrier = carrier
    slot.key, slot.span = pair.key, pair.line
    slot.raw = pair.value_text
    slot.value = pair.value
    if not pair.value_text.strip():
        slot.present = True
        slot.value = Span(pair.value.start, pair.value.start)
        return
    slot.present = True
    read = read_text(slot.field, pair.value_text, empty_words)
    if pair.value.end - pair.value.start != len(pair.value_text):  # quoted or folded: the whole text is the token
        read = read._replace(start=0, end=pair.value.end - pair.value.start, groups={})
        slot.raw = pair.value_text
        put(slot, read, pair.value)
        if slot.problem is not None:
            slot.problem = slot.problem._replace(found=pair.value_text)
        slot.remark = pair.value if slot.remark is not None else None
        return
    put(slot, read, pair.value)


def _take_items(slot: Slot, tree: MarkdownTree, section: Section, names: NameTable) -> None:
    """Give a list its items: the text after its label, else the items of the list nested below it."""
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
        start, end = trim(text, lines.line_start(number) + item.end(), lines.line_end(number))
        if own is None and any_known(read_pairs(text, Span(start, end)), names):
            break
        child = slot.add_item(UNNAMED, Span(start, end))
        child.value, child.raw, child.data = Span(start, end), text[start:end], text[start:end]
        slot.data.append(child.data)
        slot.span = Span(slot.span.start, end) if slot.span is not None else None


def bind_root_labels(root: Slot, tree: MarkdownTree, spec: Scope, region: Region) -> None:
    """Bind root fields from labels: before the first section, below a one-value section, some of them anywhere."""
    wanted = {
        name for name, slot in root.children.items() if not slot.present and LABEL_CARRIERS & set(slot.field.carriers)
    }
    if not wanted:
        return
    anywhere = {name for name in wanted if root.children[name].field.anywhere}
    headed = (slot for slot in root.children.values() if slot.carrier == "section")
    short = [slot.span for slot in headed if slot.field.kind.is_choice or slot.field.kind.untyped]
    _bind_boxed(root, tree, spec, region, wanted)
    end = region.blocks.stop
    for number in region.sections:
        end = tree.heading_index(number + 1)
    labels = tree.labels
    first = bisect_left(labels, region.blocks.start, key=_index_of)
    for index, _ in labels[first : bisect_left(labels, end, first, key=_index_of)]:
        node = tree.block(index)
        own = index in region.blocks or any(span is not None and span.holds(node.span.start) for span in short)
        taken = wanted if own else anywhere
        if not taken:
            continue
        for pair in each_pair(read_pairs(tree.source.text, node.span), spec.names):
            name = spec.names.folded.get(fold_name(pair.key_text))
            if name is None or name not in wanted:
                continue
            slot = root.children[name]
            if name in taken and not slot.present and (own or not _is_sentence(slot.field, pair)):
                _take_label(slot, pair, tree, index, spec.empty_words)
            elif own and name == spec.status and slot.field.kind.is_choice and not slot.field.restated:
                again = Slot(slot.name, slot.field, root)
                _take_label(again, pair, tree, index, spec.empty_words)
                slot.add_other(again)
            elif own and slot.carrier == "bold-label" and _is_again(slot, pair, tree, index):
                root.add_duplicate(Unknown(slot.title, pair.key, pair.line))


def _is_again(slot: Slot, pair: Pair, tree: MarkdownTree, index: int) -> bool:
    """Whether a label repeats that of a slot with a single value: at the start of a line, and not of a sentence.

    A label of the handoff itself is repeated in the same block, or in bold twice; elsewhere are quotations and lists.
    A line such as `Before the fix:` introduces labels of something else.
    """
    text = tree.source.text
    if slot.field.kind.holds != "value" or slot.field.restated or slot.key is None or slot.span is None:
        return False
    if text[pair.line.start].isspace() or _is_sentence(slot.field, pair):
        return False
    if slot.parent is not None and slot.parent.is_section_item:
        return True
    if text.startswith(">", pair.line.start) != text.startswith(">", slot.span.start):
        return False
    if tree.block(index).span.holds(slot.key.start):
        return True
    bold = all(text.startswith("**", max(key.start - 2, 0)) for key in (pair.key, slot.key))
    return bold and _INTRODUCES.search(tree.block(index - 1).text) is None


def _index_of(label: tuple[int, tuple[str, ...]]) -> int:
    return label[0]


def _bind_boxed(root: Slot, tree: MarkdownTree, spec: Scope, region: Region, wanted: set[str]) -> None:
    """Bind root fields from a fence or a table below the section of a field of type ``any``."""
    keys = {slot.key for slot in root.children.values() if slot.carrier == "section" and slot.field.kind.untyped}
    if not keys:
        return
    for number in region.sections:
        section = tree.all_sections[number]
        if section.heading.content not in keys:
            continue
        fences = (pair for node in section.whole({"fence"}) for pair in fence_pairs(node))
        for pair in each_pair([*fences, *table_pairs(section, tree, spec.names)], spec.names):
            name = spec.names.folded.get(fold_name(pair.key_text))
            if name in wanted and not root.children[name].present:
                _take_pair(root.children[name], pair, "plain-label", spec.empty_words)


def _is_sentence(field: Field, pair: Pair) -> bool:
    """Whether a line that begins like a label is a sentence: several words that are no valid value."""
    return read_text(field, pair.value_text).problem in {"value", "type", "format"} and " " in pair.value_text.strip()


def _take_label(slot: Slot, pair: Pair, tree: MarkdownTree, index: int, empty_words: frozenset[str]) -> None:
    """Bind a root field to the value after its label, or to the list below it."""
    kind = slot.field.kind
    if not kind.holds_items or kind.holds == "table rows":
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
    elif kind.has_marks:
        slot.data = [row_of_text(slot, pair.value_text, pair.value)]
    elif not kind.has_boxes:
        slot.data = [pair.value_text]
