"""The outline of a document with handoffs: its handoffs, sections and fields, nested as in the text."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.decide.routing import routing_of
from handoff_lsp.engine import Analysis
from handoff_lsp.features.outline.data_symbols import data_symbols
from handoff_lsp.features.outline.field_symbols import field_detail, field_kind, label_symbols
from handoff_lsp.features.outline.symbol import Symbol, nested, plain
from handoff_lsp.text import Source, Span


def symbols(analysis: Analysis) -> list[Symbol]:
    """The outline of a document; empty for one without handoffs. The spans of children lie in their parents'."""
    if not analysis.handoffs:
        return []
    return nested(_all(analysis))


def _all(analysis: Analysis) -> Iterator[Symbol]:
    """All symbols, those of handoffs before those of their fields."""
    headed = {one.title_span: one for one in reversed(analysis.handoffs) if one.title_span is not None}
    yield from (_of_handoff(handoff) for handoff in analysis.handoffs if handoff.title_span is None)
    sections = {
        slot.key: slot
        for handoff in analysis.handoffs
        if handoff.body.prose
        for slot in handoff.slots
        if slot.headed and slot.key is not None
    }
    tree = analysis.tree
    for number in range(len(tree.headings)):
        title, heading = tree.heading_spans(number)
        end = tree.block_start(tree.heading_index(tree.number_after(number)))
        symbol = Symbol(
            plain(tree.titles[number]) or "#" * tree.heading_levels[number],
            "section",
            trimmed(analysis.source, heading.start, end),
            title,
        )
        if title in headed:
            symbol.kind, symbol.detail = "handoff", _detail(headed[title], titled=True)
        elif title in sections:
            _describe(symbol, sections[title], analysis.source)
        yield symbol
    for handoff in analysis.handoffs:
        yield from label_symbols(handoff) if handoff.body.prose else data_symbols(handoff)


def _describe(symbol: Symbol, slot: Slot, source: Source) -> None:
    """Give the symbol of a heading the kind, detail and name of its field."""
    symbol.kind, symbol.detail, symbol.deprecated = field_kind(slot), field_detail(slot), bool(slot.field.deprecated)
    if slot.carrier == "heading-inline" and slot.value is not None and slot.key is not None:
        before = source.text[slot.key.start : slot.value.start].strip(" \t:：—–-*_`")
        symbol.name = plain(before) or symbol.name


def _of_handoff(handoff: Handoff) -> Symbol:
    """The symbol of a handoff without a heading of its own."""
    span = trimmed(handoff.source, *handoff.span)
    home = handoff.source.lines.first_line_of(span) if handoff.body.append_only else handoff.home()
    selection = home if span.covers(home) else Span(span.start, span.start)
    return Symbol(handoff.spec.contract.title, "handoff", span, selection, _detail(handoff, titled=False))


def _detail(handoff: Handoff, *, titled: bool) -> str:
    """The contract of a handoff if it is ``titled``, its status and the orchestrator's action, or its mode."""
    parts = [handoff.spec.contract.title] if titled else []
    if handoff.mode != "handoff":
        return " · ".join([*parts, handoff.mode])
    routing, status = routing_of(handoff), status_text(handoff)
    decision = " → ".join(part for part in (status, routing.action if routing is not None else "") if part)
    return " · ".join([*parts, decision] if decision else parts)


def status_text(handoff: Handoff) -> str:
    """The status of a handoff in the contract's spelling, else as written; empty without one."""
    slot = handoff.status
    if slot is None or not slot.present:
        return ""
    return field_detail(slot).strip("\"'")


def trimmed(source: Source, start: int, end: int) -> Span:
    """The span without trailing blanks and blank lines, and without a byte order mark."""
    start += source.text.startswith("\ufeff", start)
    part = source.text[start:end]
    return Span(start, start + len(part.rstrip())) if part.strip() else Span(start, max(start, end))
