"""The edit that removes a field from a document, with its heading, label or key and nothing else."""

from __future__ import annotations

import re

from handoff_lsp.binding.bodies.body import Body
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import is_choice, is_placeholder, trim
from handoff_lsp.syntax.json.parse import JsonMember, JsonNode, descend
from handoff_lsp.text import Edit, Fragment, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.section_placement import heading_start

# The signs that may be on a line beside a placeholder: marks of lists, checkboxes and quotes, a fence.
_MARKS = lazy_pattern(
    r"^[ \t>]*(?:[-*+][ \t]+)?(?:\[[ xX]?\][ \t]*)?|^[ \t>]*(?:`{3,}|~{3,})[a-z]*[ \t]*$", re.MULTILINE
)
_SEPARATOR = lazy_pattern(r"[ \t\r\n>]*,?[ \t\r\n>]*")
# The signs that may precede a label or key on its line: marks of quotes and lists, emphasis, quotation marks.
LEAD = lazy_pattern(r"[ \t>]*(?:[-*+][ \t]+)?[*_`\"']*")


def is_unfilled(handoff: Handoff, slot: Slot) -> bool:
    """Whether a field holds at least one placeholder and no word of the author's."""
    node = handoff.body.node(slot)
    if node is not None:
        values = [value for value, _ in descend(node) if not value.members and not value.items]
        texts = [str(value.value) for value in values if value.kind == "string" and value.value != ""]
        others = [value for value in values if value.kind not in {"string", "null", "object", "array"}]
        return bool(texts) and not others and not slot.unknown and all(map(is_placeholder, texts))
    held = content_of(handoff, slot)
    if slot.unknown or held is None or slot.field.each or slot.field.kind.holds in {"fields", "table rows"}:
        return False
    lines = [_MARKS.sub("", line).strip() for line in held.of(handoff.source.text).splitlines()]
    texts = [line for line in lines if line]
    return bool(texts) and all(is_placeholder(line) or is_choice(line, slot.field) for line in texts)


def content_of(handoff: Handoff, slot: Slot) -> Span | None:
    """The content of a section below its heading, without blanks at its ends; for other fields, the value."""
    heading = handoff.tree.heading_at(slot.key) if slot.carrier == "section" and slot.key is not None else None
    if heading is None or slot.span is None:
        return slot.value
    end = slot.span.end
    if handoff.source.text[end:].strip():
        end = heading_start(handoff, end)  # comments above the next heading belong to it
    start, end = trim(handoff.source.text, heading.span.end, max(end, heading.span.end))
    return Span(start, end)


def removal(handoff: Handoff, slot: Slot) -> Edit | None:
    """The edit that removes a field; None if it shares its lines with something else."""
    if slot.key is None or slot.span is None or slot.field.each:  # there may be other sections between several
        return None
    if handoff.body.quoted:
        return _member(handoff.body, slot)
    if slot.carrier == "section":
        return _section(handoff, slot, slot.key)
    text, lines = handoff.source.text, handoff.source.lines
    first, last = lines.line_of(slot.key.start), lines.line_of(max(slot.span.end - 1, slot.key.start))
    start, end = lines.line_start(first), lines.line_start(last + 1) if last + 1 < lines.count else len(text)
    alone = LEAD.fullmatch(text, start, slot.key.start) and not text[slot.span.end : lines.line_end(last)].strip()
    return Edit(Span(start, end), "") if alone and slot.carrier != "title" else None


def emptying(handoff: Handoff, slot: Slot) -> Edit | None:
    """The edit that leaves only a section's heading, or a label without a value; None if impossible."""
    held = content_of(handoff, slot)
    if held is None or slot.key is None or handoff.body.quoted or slot.field.each:
        return None
    heading = handoff.tree.heading_at(slot.key) if slot.carrier == "section" else None
    return Edit(held if heading is None else Span(heading.span.end, held.end), "")


def _section(handoff: Handoff, slot: Slot, key: Span) -> Edit | None:
    heading, held = handoff.tree.heading_at(key), content_of(handoff, slot)
    if heading is None or held is None:
        return None
    text = handoff.source.text
    start = handoff.source.lines.line_start(heading.first_line)
    end = len(text) - len(text[held.end :].lstrip())
    if end == len(text):  # the line before it ends the document as it did
        start = trim(text, 0, start)[1]
        end = trim(text, start, end)[1]
    return Edit(Span(max(start, int(text.startswith("\ufeff"))), end), "")


def _member(body: Body, slot: Slot) -> Edit | None:
    if slot.parent is None:
        return None
    node, value, fragment = body.node(slot.parent), body.node(slot), body.fragment
    if node is None or value is None or fragment is None or node.kind != "object":
        return None
    member = next((member for member in node.members if member.value is value), None)
    return member_removal(fragment, node, member) if member is not None else None


def member_removal(fragment: Fragment, node: JsonNode, member: JsonMember) -> Edit | None:
    """The edit that removes a member from an object, with its comma; None if a comment is beside it."""
    index = node.members.index(member)
    if index > 0:
        span, rest = Span(node.members[index - 1].end, member.end), Span(node.members[index - 1].end, member.start)
    elif len(node.members) > 1:
        span, rest = Span(member.start, node.members[1].start), Span(member.end, node.members[1].start)
    else:
        span, rest = Span(member.start, member.end), Span(member.end, member.end)
    if _SEPARATOR.fullmatch(fragment.text, rest.start, rest.end) is None:
        return None
    if index > 0 or len(node.members) == 1:
        return Edit(fragment.outer_span(span.start, span.end), "")
    return Edit(Span(fragment.outer(span.start), fragment.outer(span.end)), "")
