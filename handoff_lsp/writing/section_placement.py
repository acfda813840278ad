"""Inserting missing Markdown sections: their place and the edits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import trim
from handoff_lsp.syntax.markdown.incremental import Node
from handoff_lsp.text import Edit, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.skeleton import DEEPEST, Skeleton, Stops, around, body, item_heading, joined, section
from handoff_lsp.writing.unclaimed import missing

_BREAK = lazy_pattern(r"\r\n|\n|\r")
_BLANKS = " \t\r\n"
# So many items beside one are asked how they are written.
MOST_NEIGHBOURS = 20


def section_edits(handoff: Handoff, root: Slot, slots: list[Slot], stops: Stops) -> list[Edit]:
    """The edits that insert sections into a handoff, or into a section of it, one for each place."""
    level = section_level(handoff, root)
    slots = [slot for slot in slots if not slot.field.each or item_heading(slot.field, Stops(), 1).plain]
    placed: dict[str, int] = {}
    runs: dict[int, list[Skeleton]] = {}
    for slot in slots:
        offset = placed[slot.name] = _section_place(handoff, root, slot, level, placed)
        bare = bool(slot.field.forbidden) and handoff.values.holds(slot.field.forbidden)
        runs.setdefault(offset, []).append(section(slot.name, missing(handoff, slot), level, stops, bare=bare))
    edits = []
    for offset, parts in runs.items():
        before, after = blank_lines(handoff.source.text, offset)
        made = around(_close_fence(handoff, offset) + before, joined(parts, "\n\n"), after)
        edits.append(Edit(Span(offset, offset), made.plain, made.snippet))
    return edits


def body_edits(handoff: Handoff, parent: Slot, slots: list[Slot], stops: Stops) -> list[Edit]:
    """The edit that inserts what is right in the section of an object or an item: above the first heading in it."""
    section = handoff.tree.section_of(parent.key) if parent.key is not None else None
    if section is None or not slots:
        return []
    blocks = section.blocks
    offset = trim(handoff.source.text, 0, (blocks[-1] if blocks else section.heading).span.end)[1]
    before, after = blank_lines(handoff.source.text, offset)
    made = joined([body(slot.name, missing(handoff, slot), stops) for slot in slots], "\n\n")
    made = around(_close_fence(handoff, offset) + before, made, after)
    return [Edit(Span(offset, offset), made.plain, made.snippet)]


def section_level(handoff: Handoff, parent: Slot | None = None) -> int:
    """The heading level of a new section: that of the existing ones, else one below the heading that it is below.

    ``parent``: the object or the item that it is in, if it is not one of the handoff's own.
    """
    if parent is not None and parent.path:
        return min(_level_in(handoff, parent), DEEPEST)
    outer = handoff.section.level if handoff.section is not None else 1
    return min(_levels(handoff, handoff.root), default=outer + 1)


def _levels(handoff: Handoff, parent: Slot) -> Iterator[int]:
    """The levels of the sections in one, or in the handoff."""
    keys = (slot.key for slot in parent.children.values() if slot.headed and slot.key is not None)
    sections = map(handoff.tree.section_of, keys)
    return (section.level for section in sections if section is not None)


def _level_in(handoff: Handoff, parent: Slot) -> int:
    """The level of a section in one: as the others in it, else as those in the items beside it, else one deeper."""
    own = handoff.tree.section_of(parent.key) if parent.key is not None else None
    around = parent.parent.items if parent.is_section_item and parent.parent is not None else []
    there = (level for one in (parent, *around[:MOST_NEIGHBOURS]) for level in _levels(handoff, one))
    return next(there, own.level + 1 if own is not None else DEEPEST)


def blank_lines(text: str, start: int, end: int | None = None) -> tuple[str, str]:
    """The line ends before and after a section that replaces ``text[start:end]``."""
    head, tail = text[:start], text[start if end is None else end :]
    above = len(_BREAK.findall(head[len(head.rstrip(_BLANKS)) :]))
    below = len(_BREAK.findall(tail[: len(tail) - len(tail.lstrip(_BLANKS))]))
    wanted = 2 if tail.strip() else 1
    return "\n" * max(0, 2 - above) if head.strip("\ufeff \t\r\n") else "", "\n" * max(0, wanted - below)


def _section_place(handoff: Handoff, root: Slot, slot: Slot, level: int, placed: Mapping[str, int]) -> int:
    """The offset at which to insert a section; ``placed``: the offsets of those inserted with it, by name."""
    names = list(root.children)
    index = names.index(slot.name)
    if not slot.field.first:
        for name in reversed(names[:index]):
            if name in placed:
                return placed[name]
            earlier = root.children[name]
            if earlier.headed and earlier.span is not None:
                return _end_of(handoff, earlier.span)
        later = [root.children[name] for name in names[index + 1 :] if root.children[name].headed]
        if later:
            return heading_start(handoff, min(other.span.start for other in later if other.span is not None))
    if root.path and root.span is not None:
        return _end_of(handoff, root.span)
    if handoff.section is not None:
        return _end_of(handoff, handoff.section.span)
    headings = handoff.tree.all_sections
    title = headings[0] if headings and headings[0].level == 1 and level > 1 else None
    below = [item for item in headings if item is not title and item.level >= level]
    if below:
        return heading_start(handoff, below[0].heading.span.start)
    # Without any heading, the existing text would become part of a section above it.
    return _end_of(handoff, title.span if title is not None else Span(0, len(handoff.source)))


def document_start(handoff: Handoff) -> int:
    """The offset where a document without a heading begins: below its front matter and first comments."""
    end = int(handoff.source.text.startswith("\ufeff"))
    for node in handoff.tree.blocks:
        if node.kind != "front-matter" and not _is_comment(node):
            break
        end = node.span.end
    return end


def _is_comment(node: Node) -> bool:
    return node.kind == "html" and node.source.slice(node.span).lstrip().startswith("<!--")


def heading_start(handoff: Handoff, offset: int) -> int:
    """The beginning of a heading's line, or of the comments right above it, which belong to it."""
    text, lines = handoff.source.text, handoff.source.lines
    line = lines.line_of(offset)
    while line > 0 and lines.line_text(line - 1).strip():
        node = handoff.tree.block_at(lines.line_span(line - 1).start)
        if node is None or not _is_comment(node):
            break
        line = node.first_line
    return max(lines.line_start(line), int(text.startswith("\ufeff")))


def _end_of(handoff: Handoff, span: Span) -> int:
    """The end of a section's content, without comments that belong to the heading below."""
    text = handoff.source.text
    end = span.end
    if text[end:].strip():
        end = heading_start(handoff, end)
    return max(trim(text, span.start, end)[1], span.start)


def _close_fence(handoff: Handoff, offset: int) -> str:
    """The closing line for a fence that would swallow a section at ``offset``; empty without one."""
    node = handoff.tree.block_at(offset)
    if node is None or node.kind != "fence" or node.closed or node.parent is not None or offset <= node.opening.start:
        return ""
    return f"\n{node.marker}"
