"""Collects the data of the report from checked documents."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.cli.report.data import Collected, HandoffRow, TimelineEntry
from handoff_lsp.contracts.field_types import read_timestamp
from handoff_lsp.contracts.kinds import kinds_of
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.decide.routing import decision
from handoff_lsp.decide.words import marked_line_of, mode_words, rest_of, urgency
from handoff_lsp.engine import Analysis
from handoff_lsp.features.decision.hand_over import NamedAgent, next_agents, sender_of
from handoff_lsp.features.decision.overview import ListedHandoff, overviews
from handoff_lsp.reports.make import position_of, report_of
from handoff_lsp.reports.report import Finding


def add(collected: Collected, analysis: Analysis, path: str, registry: Registry) -> None:
    """Add one checked document; ``path`` is its name on the page."""
    collected.files += 1
    findings, rows = said_of(analysis, path, registry)
    if findings:
        collected.findings[path] = collected.findings.get(path, ()) + findings
    for handoff, row in zip(_handoffs(analysis), rows, strict=True):
        collected.handoffs.append(row)
        collected.events += _events(handoff, row)


def said_of(analysis: Analysis, path: str, registry: Registry) -> tuple[tuple[Finding, ...], tuple[HandoffRow, ...]]:
    """The findings and the handoffs of a document, as the page shows them. ``path`` is its name there."""
    pairs = zip(_handoffs(analysis), overviews(analysis), strict=True)
    rows = tuple(_row(handoff, listed, path, registry) for handoff, listed in pairs)
    return report_of(analysis, path, fixes=False, decisions=False).findings, rows


def finish(collected: Collected) -> None:
    """Put the handoffs in order, those that need a person first, and the timeline, the newest entry first."""
    collected.handoffs.sort(key=lambda row: (urgency(row.action), row.path, row.line))
    collected.events.sort(key=lambda event: -event.time)


def _handoffs(analysis: Analysis) -> list[Handoff]:
    return [handoff for handoff in analysis.handoffs if handoff.mode == "handoff"]


def _row(handoff: Handoff, listed: ListedHandoff, path: str, registry: Registry) -> HandoffRow:
    kinds, route = kinds_of(registry), decision(handoff)
    return HandoffRow(
        path=path,
        line=position_of(handoff.source, handoff.span.start).line,
        contract=listed.contract,
        sender=sender_of(handoff, listed.agent, kinds) if listed.agent else NamedAgent(path, path.rpartition("/")[2]),
        is_named=listed.agent is not None,
        receivers=next_agents(handoff, kinds),
        status=listed.status_text,
        action=listed.action,
        decision=marked_line_of(handoff, route).partition(": ")[2] if route is not None else mode_words(handoff),
        rest=rest_of(handoff, route) if route is not None else "",
        errors=listed.errors,
        warnings=listed.warnings,
        updated=_seconds(listed.changed or ""),
    )


def _events(handoff: Handoff, row: HandoffRow) -> Iterator[TimelineEntry]:
    """The entries of a log, in reverse: a later line is newer at the same time. Of any other handoff, its own time."""
    if handoff.spec.is_log:
        entries = next((slot for slot in handoff.root.children.values() if slot.field.holds_entries), handoff.root)
        for item in reversed(entries.items):
            time = _seconds(_text(item, "time"))
            if time is not None:
                yield TimelineEntry(time, row.sender.name, _text(item, "tag"), _text(item, "text"), row.path)
    elif row.updated is not None:
        yield TimelineEntry(row.updated, row.sender.name, row.status, row.decision, row.path, row.action)


def _text(item: Slot, name: str) -> str:
    child = item.children.get(name)
    return child.raw.strip() if child is not None and child.present else ""


def _seconds(text: str) -> float | None:
    time = read_timestamp(text)
    return time.timestamp() if time is not None else None
