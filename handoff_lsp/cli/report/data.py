"""The data of the report: the handoffs, the entries of the timeline and the findings of a run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from handoff_lsp.cli.monitor.rows import WorktreeRow
from handoff_lsp.contracts.model import RouteAction
from handoff_lsp.features.decision.hand_over import NamedAgent
from handoff_lsp.reports.report import Finding


@dataclass(frozen=True)
class HandoffRow:
    """One handoff of the report.

    ``decision`` is the reason for the decision, or for its lack; ``rest`` are the sentences that follow it.
    ``sender`` is named by its file if the handoff names no agent (``is_named`` is False then). ``receivers`` are the
    next agents that it states. ``updated`` is the time that it states, in seconds since 1970.
    """

    path: str
    line: int
    contract: str
    sender: NamedAgent
    is_named: bool
    receivers: tuple[NamedAgent, ...]
    status: str
    action: RouteAction | None
    decision: str
    rest: str
    errors: int
    warnings: int
    updated: float | None


@dataclass(frozen=True)
class TimelineEntry:
    """An entry of the timeline: that of a log, or a handoff that states its time (seconds since 1970)."""

    time: float
    agent: str
    tag: str
    text: str
    path: str
    action: RouteAction | None = None


@dataclass
class Collected:
    """All that the report is about. ``rows`` are the work trees, None if it is about folders.

    ``findings`` has those of each file by its path, ``unread`` the files that could not be checked, with the reason.
    """

    title: str
    now: float
    files: int = 0
    same: int = 0  # files of a work tree that are the same in an earlier one
    handoffs: list[HandoffRow] = field(default_factory=list)
    events: list[TimelineEntry] = field(default_factory=list)
    findings: dict[str, tuple[Finding, ...]] = field(default_factory=dict)
    rows: tuple[WorktreeRow, ...] | None = None
    unread: list[tuple[str, str]] = field(default_factory=list)

    @property
    def severities(self) -> Counter[str]:
        """The number of findings of each severity."""
        return Counter(finding.severity for found in self.findings.values() for finding in found)
