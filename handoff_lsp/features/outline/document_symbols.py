"""The outline of a document with handoffs: its handoffs, sections and fields, as the reader sees them nested."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.slot import Slot
from handoff_lsp.decide.routing import routing_of
from handoff_lsp.engine import Analysis
from handoff_lsp.features.outline.data_symbols import json_symbols, outline_symbols
from handoff_lsp.features.outline.field_symbols import field_detail, field_kind, label_symbols
from handoff_lsp.features.outline.log_symbols import log_symbols
from handoff_lsp.features.outline.symbol import Symbol, nested, plain
from handoff_lsp.text import Source, Span


def symbols(analysis: Analysis) -> list[Symbol]:
    """The outline of a document; empty for one without handoffs. The spans of children lie in their parents'."""
    if not analysis.blocks:
        return []
    return nested(_all(analysis))


def _all(analysis: Analysis) -> Iterator[Symbol]:
    """All symbols, those of handoffs before those of their fields."""
    headed = {block.root.key: block for block in reversed(analysis.blocks) if is_headed(block)}
    yield from (_of_block(block) for block in analysis.blocks if not is_headed(block))
    sections = {
        slot.key: slot
        for block in analysis.blocks
        if block.syntax == "markdown"
        for slot in block.slots
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
            _tell(symbol, sections[title], analysis.source)
        yield symbol
    for block in analysis.blocks:
        if block.json is not None:
            yield from json_symbols(block, block.json)
        elif block.outline is not None:
            yield from outline_symbols(block, block.outline)
        elif block.log is not None:
            yield from log_symbols(block, block.log)
        else:
            yield from label_symbols(block)


def _tell(symbol: Symbol, slot: Slot, source: Source) -> None:
    """Say of a heading which field it is."""
    symbol.kind, symbol.detail, symbol.deprecated = field_kind(slot), field_detail(slot), bool(slot.field.deprecated)
    if slot.carrier == "heading-inline" and slot.value is not None and slot.key is not None:
        before = source.text[slot.key.start : slot.value.start].strip(" \t:：—–-*_`")
        symbol.name = plain(before) or symbol.name


def is_headed(block: Block) -> bool:
    """Whether a heading stands for the whole handoff."""
    return block.syntax == "markdown" and block.root.key is not None


def _of_block(block: Block) -> Symbol:
    """A handoff that has no heading of its own."""
    span = trimmed(block.source, *block.span)
    home = block.home() if block.log is None else block.source.lines.first_line_of(span)
    selection = home if span.covers(home) else Span(span.start, span.start)
    return Symbol(block.spec.contract.title, "handoff", span, selection, _detail(block, titled=False))


def _detail(block: Block, *, titled: bool) -> str:
    """What a handoff is, where a title of its own does not tell, and what its status makes the orchestrator do."""
    parts = [block.spec.contract.title] if titled else []
    if block.mode != "handoff":
        return " · ".join([*parts, block.mode])
    routing, status = routing_of(block), status_text(block)
    decision = " → ".join(part for part in (status, routing.action if routing is not None else "") if part)
    return " · ".join([*parts, decision] if decision else parts)


def status_text(block: Block) -> str:
    """The status of a handoff as it is shown: as the contract spells it, else as it is written."""
    slot = block.status
    if slot is None or not slot.present:
        return ""
    return field_detail(slot).strip("\"'")


def trimmed(source: Source, start: int, end: int) -> Span:
    """A stretch without the blank lines and blanks at its end, and without a byte order mark."""
    start += source.text.startswith("\ufeff", start)
    part = source.text[start:end]
    return Span(start, start + len(part.rstrip())) if part.strip() else Span(start, max(start, end))
