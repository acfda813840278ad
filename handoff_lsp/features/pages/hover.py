"""Hover: the page about a field, a value, a name, a path, a fence's tag, a rule's name or a finding."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import read_text
from handoff_lsp.contracts.model import Field, Value
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import Analysis
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages import contract_pages as pages
from handoff_lsp.features.pages.agent_pages import definition_hover
from handoff_lsp.features.pages.contract_pages import rule_page
from handoff_lsp.features.pages.hover_names import Hover, named
from handoff_lsp.features.pages.markup import code, paragraphs, prose
from handoff_lsp.features.prompts.hover import FOOTER, prompt_hover
from handoff_lsp.language import say
from handoff_lsp.recognition.detect import read_modeline
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.rules.suppression import read_suppressions
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

__all__ = ["Hover", "hover", "rule_page"]

_BREAK = lazy_pattern(r"[\r\n]")


def hover(context: Context, offset: int) -> Hover | None:
    """The page for ``offset`` (code points); None if nothing there has one."""
    analysis = context.analysis
    offset = min(max(offset, 0), len(analysis.source))
    comment = _in_comment(analysis, offset, context.registry)
    if comment is not None:
        return comment
    agent = definition_hover(context, offset)
    if agent is not None:
        return agent
    page = prompt_hover(context, offset, _in_handoffs(analysis, offset))
    page = _with_notes(page, _notes(analysis, offset))
    for other in named(context, offset):
        page = _together(other, page)
    # The marks around a name have its page, too. VS Code drops a hover whose range does not hold the cursor.
    return page and Hover(Span(min(page.span.start, offset), max(page.span.end, offset)), page.markdown)


def _together(first: Hover, then: Hover | None) -> Hover:
    """Two pages joined to one, for the narrower of their spans."""
    if then is None:
        return first
    span = min(then.span, first.span, key=_length)
    return Hover(span, paragraphs(first.markdown, then.markdown))


def _with_notes(found: Hover | None, noted: Hover | None) -> Hover | None:
    """A page with the notes of the findings at its place, those that it does not have anyway, before its footer."""
    if found is None or noted is None:
        return found or noted
    page, rule, footer = found.markdown.rpartition(FOOTER)
    notes = (note for note in noted.markdown.split("\n\n") if note.partition(" — ")[2] not in found.markdown)
    return Hover(found.span, paragraphs(page or footer, *notes) + (rule + footer if page else ""))


def _notes(analysis: Analysis, offset: int) -> Hover | None:
    """The notes of the findings at an offset; None without any. The client itself shows their messages."""
    rules = all_rules()
    lines: dict[str, str] = {}
    span: Span | None = None
    for finding in analysis.findings:
        one_line = not _BREAK.search(analysis.source.text, finding.span.start, finding.span.end)
        if finding.span.holds(offset) and one_line and finding.code in rules and finding.note:
            lines[finding.code] = say("**Note** {rule} — {note}.", rule=code(finding.code), note=prose(finding.note))
            span = finding.span if span is None or _length(finding.span) < _length(span) else span
    return Hover(span, paragraphs(*lines.values())) if span is not None else None


def _length(span: Span) -> int:
    return span.end - span.start


def _in_comment(analysis: Analysis, offset: int, registry: Registry) -> Hover | None:
    if not any(comment.holds(offset) for comment in analysis.tree.comments):
        return None
    for item in read_suppressions(analysis.tree, analysis.handoffs):
        for name, span in item.rules:
            if span.holds(offset):
                page = rule_page(name, registry) or say("Unknown rule {rule}.", rule=code(name))
                return Hover(span, page)
    modeline = read_modeline(analysis.tree)
    contract = modeline.contract if modeline is not None and modeline.span.holds(offset) else None
    if modeline is not None and contract is not None and contract in registry:
        handoff = next((handoff for handoff in analysis.handoffs if handoff.spec.name == contract), None)
        page = pages.handoff_page(handoff) if handoff is not None else pages.contract_page(registry[contract].contract)
        return Hover(modeline.span, page)
    return None


def _in_handoffs(analysis: Analysis, offset: int) -> Hover | None:
    handoff = analysis.handoff_at(offset)
    if handoff is None:
        return None
    fence = handoff.own_fence
    tag = fence.info_span if fence is not None and fence.info else None
    for place in (tag, handoff.title_span, _comment_opening(handoff)):
        if place is not None and place.holds(offset):
            return Hover(place, pages.handoff_page(handoff))
    best: Hover | None = None
    for slot in _around(handoff.root, offset):
        if slot.parent is None:
            continue
        found = _about(analysis, handoff, slot, offset)
        # A child's page before its parent's: the narrower span.
        if found is not None and (best is None or found.span.end - found.span.start <= best.span.end - best.span.start):
            best = found
    return best or _unknown(handoff, offset)


def _around(slot: Slot, offset: int) -> Iterator[Slot]:
    """A slot and those below it, without list items elsewhere: there may be thousands."""
    yield slot
    if slot.present:
        for child in slot.children.values():
            yield from _around(child, offset)
        listed = slot.carrier == "json" and slot.value is not None and slot.value.holds(offset)
        for item in slot.parts if listed else slot.items:
            if item.span is None or item.span.holds(offset):
                yield from _around(item, offset)


def _comment_opening(handoff: Handoff) -> Span | None:
    """The opening line of a handoff that is a comment or has a first line of its own; None for any other."""
    if handoff.run_form is None or not (handoff.run_form.comment or handoff.run_form.first_line):
        return None
    lines = handoff.source.lines
    return Span(handoff.span.start, lines.line_end(lines.line_of(handoff.span.start)))


def _about(analysis: Analysis, handoff: Handoff, slot: Slot, offset: int) -> Hover | None:
    if (
        slot.written
        and slot.key is not None
        and slot.key != slot.value
        and _key_span(analysis, slot, slot.key).holds(offset)
    ):
        return Hover(slot.key, _field_page(handoff, slot))
    span = slot.value
    if span is None or not span.holds(offset) or span.end == span.start:
        return None
    rows = slot.row_of
    if rows is not None:
        return Hover(span, _value_page(handoff, rows, slot.data))
    if slot.is_group:
        return None  # the page of the whole line covers its parts
    if slot.field.values:
        return Hover(span, _value_page(handoff, slot, slot.data))
    if slot.field.kind.holds != "value" and not (slot.carrier == "json" and _is_scalar(slot)):
        return None
    return Hover(span, _field_page(handoff, slot))


def _key_span(analysis: Analysis, slot: Slot, key: Span) -> Span:
    """The span where a key is hovered; for a heading it includes the number signs."""
    if slot.carrier not in {"section", "heading-inline"}:
        return key
    return Span(analysis.source.lines.line_start(analysis.source.lines.line_of(key.start)), key.end)


def _is_scalar(slot: Slot) -> bool:
    return slot.raw[:1] not in {"{", "["} or len(slot.raw) <= 2


def _field_page(handoff: Handoff, slot: Slot) -> str:
    path, field = _declared(handoff, slot)
    return pages.field_page(handoff.spec, path, field, handoff)


def _value_page(handoff: Handoff, slot: Slot, data: object) -> str:
    path, field = _declared(handoff, slot)
    value = _value(field, data)
    if value is None and field.values and slot.problem is None and isinstance(data, str):
        value = _value(field, read_text(field, data).data)  # such as a table's cell, which is kept as written
    if value is not None:
        return pages.value_page(handoff.spec, path, field, value, handoff)
    if slot.problem is not None and slot.problem.kind == "value":
        return pages.unknown_value_page(handoff.spec, path, field, handoff)
    return _field_page(handoff, slot)


def _value(field: Field, data: object) -> Value | None:
    return next((value for value in field.values if value.value == data), None)


def _declared(handoff: Handoff, slot: Slot) -> tuple[str, Field]:
    """A slot's path without the numbers of items, and the contract's field there; for an entry of a map, the map."""
    if slot.parent is not None and slot.parent.field.kind.holds == "pairs":
        return _declared(handoff, slot.parent)
    path = ".".join(part.partition("[")[0] + ("[]" if "[" in part else "") for part in slot.path.split("."))
    field = pages.field_at(handoff.spec, path) or slot.field
    if slot.is_section_item and not field.about:
        path = path.removesuffix("[]")
        field = pages.field_at(handoff.spec, path) or field
    return path, field


def _unknown(handoff: Handoff, offset: int) -> Hover | None:
    """The page about a key that a closed vocabulary does not have."""
    for slot in handoff.root.walk():
        if not slot.field.closed:
            continue
        for unknown in slot.unknown:
            if unknown.key.holds(offset):
                titles = ", ".join(code(child.title) for child in slot.children.values())
                where = say(" of {field}", field=code(slot.path)) if slot.path else ""
                page = paragraphs(
                    say(
                        "{name} is not a field{where}. Known fields: {titles}.",
                        name=code(unknown.name),
                        where=where,
                        titles=titles,
                    ),
                    pages.footer(handoff.spec, handoff),
                )
                return Hover(unknown.key, page)
    return None
