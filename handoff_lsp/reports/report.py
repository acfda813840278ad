"""What a report, a handoff and a finding are for other programs: frozen, comparable, picklable.

Lines and columns count from 1, columns in code points; a range ends after its last character. A byte order mark has no
column. The JSON of ``check`` and ``parse`` has the same names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from handoff_lsp.contracts.model import Mode, RouteAction

Level = Literal["error", "warning", "information", "hint"]


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a text: line and column, both from 1, the column in code points."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Range:
    """A piece of a text; ``end`` is after its last character."""

    start: Position
    end: Position


@dataclass(frozen=True, slots=True)
class Edit:
    """A range and the text to replace it by."""

    range: Range
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A fix for a finding. ``safe``: it does not change what the document states."""

    title: str
    safe: bool
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that a finding is about, perhaps in another document. ``path`` is spelled as the finding's own."""

    path: str
    range: Range
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a rule.

    ``field`` is a dotted path; ``check`` the name of a contract's own check; ``upstream`` the codes of the original
    system's validator for the same defect. ``fixable``: the kind of its default fix, known without computing it.
    ``fix`` is that fix, proved to keep its promise, ``choices`` those of which only the author can choose; both are
    empty in a report made without fixes.
    """

    path: str
    rule: str
    check: str | None
    severity: Level
    message: str
    note: str
    help: str
    contract: str | None
    profile: str | None
    mode: Mode | None
    field: str | None
    upstream: tuple[str, ...]
    range: Range
    related: tuple[Related, ...] = ()
    fixable: Literal["safe", "unsafe"] | None = None
    fix: Fix | None = None
    choices: tuple[Fix, ...] = ()

    @property
    def line(self) -> int:
        """The line of its beginning, from 1."""
        return self.range.start.line

    @property
    def column(self) -> int:
        """The column of its beginning, from 1, in code points."""
        return self.range.start.column


@dataclass(frozen=True, slots=True)
class Doubt:
    """A finding that withholds a decision."""

    rule: str
    message: str
    range: Range


@dataclass(frozen=True, slots=True)
class Routing:
    """The orchestrator's decision. ``reads``: the fields it reads next; ``doubts``: the findings that withhold it."""

    action: RouteAction
    brief: str
    reason: str
    reads: tuple[str, ...]
    doubts: tuple[Doubt, ...]


@dataclass(frozen=True, slots=True)
class Handoff:
    """One handoff of a document.

    ``status`` is the status by the contract's own spelling, None without a valid one; ``readable`` is False if its
    reader gets none of the ``fields``, which are the recovered ones then. An absent field is left out, one without a
    valid value is None. ``decision`` is the decision on one line, or the reason for its lack.
    """

    path: str
    contract: str
    profile: str
    mode: Mode
    range: Range
    status: Any
    readable: bool
    fields: Mapping[str, Any]
    decision: str
    routing: Routing | None
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The result of checking one document: its handoffs, and all its findings in the order of the text.

    ``examples`` is the number of handoffs left out because they are only examples, which the config does not include.
    """

    path: str
    handoffs: tuple[Handoff, ...]
    findings: tuple[Finding, ...]
    examples: int = 0
