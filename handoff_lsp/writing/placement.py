"""Inserting missing fields and values: their place and the edits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from handoff_lsp.binding.bodies.body import Syntax
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import trim
from handoff_lsp.text import Edit, Span, eol_of, line_indent, with_eol
from handoff_lsp.writing.json_placement import member_edits
from handoff_lsp.writing.label_placement import (
    front_edits,
    is_front_key,
    is_label,
    label_edits,
    line_edits,
    root_label_edits,
)
from handoff_lsp.writing.section_placement import blank_lines, body_edits, section_edits
from handoff_lsp.writing.skeleton import Stops, is_own_section


def insertion(handoff: Handoff, slots: Sequence[Slot]) -> list[Edit]:
    """The edits that insert skeletons for absent fields, in the contract's order. Empty without a place for them.

    Fields that go to the same place become one edit; their tab stops are numbered consecutively.
    """
    stops = Stops()
    edits: list[Edit] = []
    # At the same place, the fields of the section above come before the next section.
    for parent, group in sorted(_by_parent(slots), key=lambda entry: not entry[0].path):
        edits += _INSERT[handoff.syntax](handoff, parent, group, stops)
    return [settled(handoff.source.text, edit) for edit in edits]


def _into_markdown(handoff: Handoff, parent: Slot, slots: list[Slot], stops: Stops) -> list[Edit]:
    if parent.path and parent.in_front:
        return line_edits(handoff, parent, slots, stops)
    if parent.path:
        inside = [slot for slot in slots if not is_own_section(slot.field)]
        own = [slot for slot in slots if slot.field.carriers[:1] == ["body"]]
        below = [slot for slot in slots if is_own_section(slot.field) and slot not in own]
        made = label_edits(handoff, parent, inside, stops) + body_edits(handoff, parent, own, stops)
        return made + section_edits(handoff, parent, below, stops)
    front = front_edits(handoff, parent, [slot for slot in slots if is_front_key(slot)], stops)
    labels = root_label_edits(handoff, parent, [slot for slot in slots if is_label(slot)], stops)
    sections = [slot for slot in slots if not is_label(slot) and not is_front_key(slot)]
    return [*front, *labels, *section_edits(handoff, parent, sections, stops)]


def _into_log(handoff: Handoff, parent: Slot, slots: list[Slot], stops: Stops) -> list[Edit]:
    return []  # only what happens makes an entry


_INSERT: Mapping[Syntax, Callable[[Handoff, Slot, list[Slot], Stops], list[Edit]]] = {
    "markdown": _into_markdown,
    "json": member_edits,
    "outline": line_edits,
    "log": _into_log,
}


def put_value(handoff: Handoff, slot: Slot, text: str) -> Edit | None:
    """The edit that gives an empty field a value, below its heading or after its label; None if it has neither."""
    source = handoff.source
    if slot.carrier == "section":
        heading = handoff.tree.heading_at(slot.key) if slot.key is not None else None
        if heading is None:
            return None
        end = trim(source.text, 0, heading.span.end)[1]
        before, after = blank_lines(source.text, end)
        return settled(source.text, Edit(Span(end, end), before + text + after))
    if slot.value is None:
        return None
    gap = "" if source.text[slot.value.start - 1 : slot.value.start].isspace() else " "
    return Edit(slot.value, gap + text)


def settled(text: str, edit: Edit) -> Edit:
    """The final form of an edit that is written with ``\\n`` and full indentation.

    Its text gets the line ends of the document. Its snippet leaves out the indentation of the line on which it
    begins: editors that take snippets add that to every further line themselves.
    """
    indent = line_indent(text, edit.span.start)
    snippet = edit.snippet.replace(f"\n{indent}", "\n") if edit.snippet is not None and indent else edit.snippet
    return Edit(edit.span, with_eol(edit.text, eol_of(text)), snippet)


def _by_parent(slots: Sequence[Slot]) -> list[tuple[Slot, list[Slot]]]:
    """Slots by their parent, in the contract's order."""
    groups: dict[int, tuple[Slot, list[Slot]]] = {}
    for slot in slots:
        if slot.parent is not None:
            groups.setdefault(id(slot.parent), (slot.parent, []))[1].append(slot)
    for parent, group in groups.values():
        names = list(parent.children)
        group.sort(key=lambda slot: names.index(slot.name))
    return list(groups.values())
