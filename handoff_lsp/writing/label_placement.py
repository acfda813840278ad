"""Inserting missing labels: their place and the edits."""

from __future__ import annotations

from collections.abc import Callable

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.markdown_labels import holds_labels
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import trim
from handoff_lsp.contracts.model import LABEL_CARRIERS, Field
from handoff_lsp.text import Edit, Span, line_start
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.writing.section_placement import MOST_NEIGHBOURS, blank_lines, document_start
from handoff_lsp.writing.skeleton import Skeleton, Stops, around, escape_snippet, fill_in, joined, labels
from handoff_lsp.writing.unclaimed import missing

# A sign of an earlier label on the line, or of a comment.
_NOT_ALONE = lazy_pattern(r"[:：]|<!--")
# The signs before a label on its line: blanks, marks of quotes and lists, emphasis.
_LEAD = lazy_pattern(r"(?:[ \t>]|[-*+](?=[ \t]))*[*_`]{0,3}")
_NO_QUOTE = lazy_pattern(r"[^>\t]")


class LabelStyle(NamedTuple):
    """The notation of a section's labels: the text before a label, and between it and its value."""

    prefix: str = ""
    separator: str = ": "


_STYLES: dict[str, LabelStyle] = {
    "bold-label": LabelStyle("**", "**: "),
    "plain-label": LabelStyle(),
    "list-label": LabelStyle("- "),
    "bold-list-label": LabelStyle("- **", "**: "),
    "quote-label": LabelStyle("> "),
}


def label_style(handoff: Handoff, slot: Slot) -> LabelStyle:
    """The notation of an existing label."""
    if slot.key is None:
        return LabelStyle()
    text = handoff.source.text
    start = line_start(text, slot.key.start)
    prefix = text[start : slot.key.start]
    if _NOT_ALONE.search(prefix):  # another label precedes it on the line, or the beginning of a comment
        lead = _LEAD.match(prefix)
        prefix = lead.group() if lead is not None else ""
    separator = text[slot.key.end : slot.value.start] if slot.value is not None else ""
    if not separator.strip() or "\n" in separator or "\r" in separator:
        separator = ":"
    return LabelStyle(prefix, f"{separator.rstrip()} ")


def is_label(slot: Slot) -> bool:
    """Whether a missing field would be written as a label."""
    return slot.field.carriers[:1] != [] and slot.field.carriers[0] in _STYLES


def is_front_key(slot: Slot) -> bool:
    """Whether a missing field would be written in front matter."""
    return slot.field.carriers[:1] == ["front-matter"]


def front_edits(handoff: Handoff, root: Slot, slots: list[Slot], stops: Stops) -> list[Edit]:
    """The edits that insert keys into the front matter of a document, which gets one if it has none."""
    edits, bare = _by_neighbours(handoff, root, slots, stops, _lines)
    if bare:
        fields = [(slot.name, missing(handoff, slot)) for slot in bare]
        made = joined([_lines(name, field, LabelStyle(), stops) for name, field in fields], "\n")
        node = handoff.tree.front_matter
        if node is not None:
            offset, made = node.content.start, around("", made, "\n")
        else:
            text = handoff.source.text
            offset = int(text.startswith("\ufeff"))
            gap = "\n" if text[offset : offset + 1] in {"", "\n", "\r"} else "\n\n"
            made = around("---\n", made, f"\n---{gap}")
        edits.append(Edit(Span(offset, offset), made.plain, made.snippet))
    return edits


def label_edits(handoff: Handoff, parent: Slot, slots: list[Slot], stops: Stops) -> list[Edit]:
    """The edits that insert labels into a section, one for each place."""
    edits, bare = _by_neighbours(handoff, parent, slots, stops, _label)
    if bare:
        edits.append(_label_body(handoff, parent, bare, stops))
    return edits


def root_label_edits(handoff: Handoff, root: Slot, slots: list[Slot], stops: Stops) -> list[Edit]:
    """The edits that insert labels before the first section of a handoff: beside its labels, else below its heading."""
    edits, bare = _by_neighbours(handoff, root, slots, stops, _label)
    if bare:
        edits.append(_below_heading(handoff, bare, stops))
    return edits


def line_edits(handoff: Handoff, parent: Slot, slots: list[Slot], stops: Stops) -> list[Edit]:
    """The edits that insert ``key: value`` lines into an outline: beside its keys, else below their parent's key."""
    if parent.path and parent.raw.startswith("{"):
        return [_into_braces(handoff, parent, slots, stops)]
    edits, bare = _by_neighbours(handoff, parent, slots, stops, _lines)
    if bare:
        text, lines = handoff.source.text, handoff.source.lines
        if parent.span is not None and _is_outline_item(parent):
            at, prefix = parent.span.end, _bare_lead(text, parent.span.start)
        elif parent.key is not None and parent.path:
            at, prefix = parent.key.start, _bare_lead(text, parent.key.start) + "  "
        elif handoff.node is not None:
            at = handoff.node.opening.start
            prefix = _bare_lead(text, at)
        elif handoff.form == "file":
            at, prefix = handoff.span.start + len(handoff.source.slice(handoff.span).rstrip()), ""
        elif handoff.run_form is not None and handoff.run_form.first_line:
            at, prefix = handoff.span.start, _bare_lead(text, handoff.span.start)
        else:
            return edits
        offset = lines.line_end(lines.line_of(at))
        made = joined(
            [_lines(slot.name, missing(handoff, slot), LabelStyle(prefix), stops) for slot in bare],
            "\n",
        )
        edits.append(Edit(Span(offset, offset), f"\n{made.plain}", f"\n{made.snippet}"))
    return edits


def _into_braces(handoff: Handoff, parent: Slot, slots: list[Slot], stops: Stops) -> Edit:
    """The edit that inserts keys into an object in braces, behind those that it has."""
    spans = [child.span for child in parent.children.values() if child.span is not None]
    spans += [unknown.span for unknown in parent.unknown]
    start = parent.value.start + 1 if parent.value is not None else parent.anchor().end
    fields = [(slot.name, missing(handoff, slot)) for slot in slots]
    made = joined([_label(name, field, LabelStyle(), stops) for name, field in fields], ", ")
    made = around(", ", made, "") if spans else made
    at = max((span.end for span in spans), default=start)
    return Edit(Span(at, at), made.plain, made.snippet)


def _bare_lead(text: str, offset: int) -> str:
    """The beginning for lines below an offset's line: its quote marks, with blanks for everything else."""
    return _NO_QUOTE.sub(" ", text[line_start(text, offset) : offset])


def _label(name: str, field: Field, style: LabelStyle, stops: Stops) -> Skeleton:
    filled = fill_in(name, field, stops)
    if not filled.plain and (field.filled is True or field.severity.get("empty-value") == "error"):
        filled = stops.hole((field.title or name).lower())  # an empty value would count as content, or be an error
    head = f"{style.prefix}{field.title}{style.separator}"
    if "|" in style.prefix:  # a row of a table, which a bar would divide
        row = head + filled.plain.replace("|", "\\|") + " |"
        return Skeleton(row, escape_snippet(row))
    return Skeleton((head + filled.plain).rstrip(), (escape_snippet(head) + filled.snippet).rstrip())


def _lines(name: str, field: Field, style: LabelStyle, stops: Stops) -> Skeleton:
    """A key of an outline, with the keys below it that are always required."""
    below = [(key, child) for key, child in field.fields.items() if child.required is True]
    if field.kind.holds != "fields" or not below:
        return _label(name, field, style, stops)
    deeper = LabelStyle(_NO_QUOTE.sub(" ", style.prefix) + "  ")
    line = f"{style.prefix}{field.title}{style.separator}".rstrip()
    head = Skeleton(line, escape_snippet(line))
    return joined([head, *(_lines(key, child, deeper, stops) for key, child in below)], "\n")


def _by_neighbours(
    handoff: Handoff,
    parent: Slot,
    slots: list[Slot],
    stops: Stops,
    written: Callable[[str, Field, LabelStyle, Stops], Skeleton],
) -> tuple[list[Edit], list[Slot]]:
    """The edits that insert labels beside existing ones, and the slots for which there is no such place.

    ``written`` returns the lines of a field by its name.
    """
    runs: dict[tuple[int, bool], list[Skeleton]] = {}
    bare: list[Slot] = []
    for slot in slots:
        place = _label_place(handoff, parent, slot)
        if place is None:
            bare.append(slot)
            continue
        offset, after, style = place
        runs.setdefault((offset, after), []).append(written(slot.name, missing(handoff, slot), style, stops))
    edits = []
    for (offset, after), parts in runs.items():
        body = joined(parts, "\n")
        made = around("\n", body, "") if after else around("", body, "\n")
        edits.append(Edit(Span(offset, offset), made.plain, made.snippet))
    return edits, bare


def _label_place(handoff: Handoff, parent: Slot, slot: Slot) -> tuple[int, bool, LabelStyle] | None:
    """Offset, whether it ends a line that stays above, and style; None without a label or fence."""
    lines = handoff.source.lines
    names = list(parent.children)
    index = names.index(slot.name)
    before = [parent.children[name] for name in reversed(names[:index]) if _is_neighbour(parent, name, slot)]
    after = [parent.children[name] for name in names[index + 1 :] if _is_neighbour(parent, name, slot)]
    if before and before[0].key is not None:
        neighbour = before[0]
        last = neighbour.span.end if neighbour.span is not None else before[0].key.end
        if _is_closing(handoff, slot):  # a line below it would no longer belong to the handoff
            spans = [one.span for one in parent.children.values() if one.span is not None]
            last = max(span.end for span in (*spans, *(one.span for one in parent.unknown)))
        return lines.line_end(lines.line_of(last)), True, _member_style(handoff, parent, neighbour)
    if after and after[0].key is not None:
        style, own = _member_style(handoff, parent, after[0]), label_style(handoff, after[0])
        if style != own and after[0].span is not None:  # the line above it is above the bullet of the item
            return lines.line_end(lines.line_of(after[0].span.end)), True, style
        return lines.line_start(lines.line_of(after[0].key.start)), False, own
    held = (node for node in handoff.tree.fences() if parent.value is not None and node.span == parent.value)
    fence = next(filter(holds_labels, held), None)
    return (fence.opening.end, True, LabelStyle()) if fence is not None else None


def _member_style(handoff: Handoff, parent: Slot, neighbour: Slot) -> LabelStyle:
    """The notation of a label beside another; in an item of an outline without its bullet, which begins an item."""
    style = label_style(handoff, neighbour)
    return style._replace(prefix=_NO_QUOTE.sub(" ", style.prefix)) if _is_outline_item(parent) else style


def _is_outline_item(parent: Slot) -> bool:
    return parent.name.endswith("]") and not parent.is_section_item


def _is_closing(handoff: Handoff, slot: Slot) -> bool:
    """Whether a field's line ends its handoff, which is a run."""
    return handoff.run_form is not None and handoff.run_form.closing_field == slot.path


def _is_neighbour(parent: Slot, name: str, wanted: Slot) -> bool:
    """Whether another label can go beside a field's; a line of a handoff's head cannot go into a section."""
    slot = parent.children[name]
    if slot.key is None or slot.headed or slot.carrier == "title" or slot.is_group:
        return False
    if slot.in_front != (parent.in_front or is_front_key(wanted)):
        return False
    if wanted.field.carriers[:1] != ["quote-label"]:
        return True
    at = slot.key.start
    return not any(other.headed and other.span and other.span.holds(at) for other in parent.children.values())


def _below_heading(handoff: Handoff, slots: list[Slot], stops: Stops) -> Edit:
    """The edit that inserts labels right below the heading of a handoff, else at its beginning; never in a section."""
    text = handoff.source.text
    offset = handoff.heading.span.end if handoff.heading is not None else document_start(handoff)
    offset = max(trim(text, 0, offset)[1], int(text.startswith("\ufeff")))
    before, after = blank_lines(text, offset)
    made = joined(
        [_label(slot.name, missing(handoff, slot), _STYLES[slot.field.carriers[0]], stops) for slot in slots],
        "\n",
    )
    made = around(before, made, after)
    return Edit(Span(offset, offset), made.plain, made.snippet)


def _label_body(handoff: Handoff, parent: Slot, slots: list[Slot], stops: Stops) -> Edit:
    """The edit that inserts labels below the heading of a section without any, in a fence if they are YAML."""
    style = _style_beside(handoff, parent)
    fields = [(slot.name, missing(handoff, slot)) for slot in slots]
    if style is not None:
        made = joined([_label(name, field, style, stops) for name, field in fields], "\n")
    else:
        made = labels(dict(fields), stops)
    if slots[0].field.carriers[:1] == ["yaml"]:
        made = around("```yaml\n", made, "\n```")
    heading = handoff.tree.heading_at(parent.key) if parent.key is not None else None
    end = heading.span.end if heading is not None else parent.anchor().end
    offset = trim(handoff.source.text, 0, end)[1]
    before, after = blank_lines(handoff.source.text, offset)
    made = around(before, made, after)
    return Edit(Span(offset, offset), made.plain, made.snippet)


def _style_beside(handoff: Handoff, item: Slot) -> LabelStyle | None:
    """The notation of the labels in the items beside one that is a section; None if they have none."""
    around = item.parent.items if item.is_section_item and item.parent is not None else []
    labelled = (child for one in around[:MOST_NEIGHBOURS] for child in one.children.values())
    first = next((child for child in labelled if child.carrier in LABEL_CARRIERS and child.key is not None), None)
    return label_style(handoff, first) if first is not None else None
