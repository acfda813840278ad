"""Where a label that is not there would go in its section, and the edits that put it there."""

from __future__ import annotations

from typing import NamedTuple

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.placement_sections import blank_lines
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import trim
from handoff_lsp.contracts.skeleton import Skeleton, Stops, around, escape_snippet, fill_in, joined, labels
from handoff_lsp.text import Edit, Span, line_start


class LabelStyle(NamedTuple):
    """How the labels of a section are written: what stands before a label, and between it and its value."""

    prefix: str = ""
    separator: str = ": "


def label_style(block: Block, slot: Slot) -> LabelStyle:
    """How a label that is there is written."""
    if slot.key is None:
        return LabelStyle()
    text = block.source.text
    prefix = text[line_start(text, slot.key.start) : slot.key.start]
    separator = text[slot.key.end : slot.value.start] if slot.value is not None else ""
    if not separator.strip() or "\n" in separator or "\r" in separator:
        separator = ":"
    return LabelStyle(prefix, f"{separator.rstrip()} ")


def label_edits(block: Block, parent: Slot, slots: list[Slot], stops: Stops) -> list[Edit]:
    """The edits that put labels into a section, those at one place in one."""
    runs: dict[tuple[int, bool], list[Skeleton]] = {}
    bare: list[Slot] = []
    for slot in slots:
        place = _label_place(block, parent, slot)
        if place is None:
            bare.append(slot)
            continue
        offset, after, style = place
        filled = fill_in(slot.name, slot.field, stops)
        head = f"{style.prefix}{slot.title}{style.separator}"
        made = Skeleton((head + filled.plain).rstrip(), escape_snippet(head) + filled.snippet)
        runs.setdefault((offset, after), []).append(made)
    edits = []
    for (offset, after), parts in runs.items():
        body = joined(parts, "\n")
        made = around("\n", body, "") if after else around("", body, "\n")
        edits.append(Edit(Span(offset, offset), made.plain, made.snippet))
    if bare:
        edits.append(_label_body(block, parent, bare, stops))
    return edits


def _label_place(block: Block, parent: Slot, slot: Slot) -> tuple[int, bool, LabelStyle] | None:
    """Offset, whether it ends a line that stays above, and style; None where there is neither label nor fence."""
    lines = block.source.lines
    names = list(parent.children)
    at = names.index(slot.name)
    before = [parent.children[name] for name in reversed(names[:at]) if parent.children[name].key is not None]
    after = [parent.children[name] for name in names[at + 1 :] if parent.children[name].key is not None]
    if before and before[0].key is not None:
        near = before[0]
        last = near.span.end if near.span is not None else before[0].key.end
        return lines.line_end(lines.line_of(last)), True, label_style(block, near)
    if after and after[0].key is not None:
        return lines.starts[lines.line_of(after[0].key.start)], False, label_style(block, after[0])
    fence = next((node for node in block.tree.fences() if parent.value is not None and node.span == parent.value), None)
    return (fence.opening.end, True, LabelStyle()) if fence is not None else None


def _label_body(block: Block, parent: Slot, slots: list[Slot], stops: Stops) -> Edit:
    """Labels below the heading of a section that has none, in a fence where that is how they are written."""
    made = labels({slot.name: slot.field for slot in slots}, stops)
    if slots[0].field.carriers[:1] == ["yaml"]:
        made = around("```yaml\n", made, "\n```")
    heading = next((item.heading for item in block.tree.all_sections if item.heading.content == parent.key), None)
    end = heading.span.end if heading is not None else parent.anchor().end
    offset = trim(block.source.text, 0, end)[1]
    before, after = blank_lines(block.source.text, offset)
    made = around(before, made, after)
    return Edit(Span(offset, offset), made.plain, made.snippet)
