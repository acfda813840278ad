"""What a report, a handoff and a finding are for other programs: frozen, comparable, picklable.

Lines and columns count from 1, columns in code points; a range ends after its last character. A byte order mark has no
column. The JSON of ``check`` and ``parse`` has the same names. A hash leaves out the values of fields, which may be
dictionaries and lists: they are not meant to be changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from handoff_lsp.contracts.model import Mode, RouteAction
from handoff_lsp.reports.verdict import NO_HANDOFF, NONE_FILLED_IN, ONLY_EXAMPLES, Verdict, not_checked
from handoff_lsp.text.lazy_dataclass import lazy_dataclass

Level = Literal["error", "warning", "information", "hint"]

# The rules whose findings say that a text, or a part of it, was not checked. With a lower severity, they are about
# other files.
_NOT_CHECKED = frozenset({"internal-error", "too-large"})
_OF_THE_TEXT = frozenset({"error", "warning"})
# The path of a report on a text without a file: as the library has it, and as the command shows it.
STDIN_SHOWN = "<stdin>"
NO_FILE = frozenset({"", STDIN_SHOWN})


@lazy_dataclass(frozen=True, slots=True)
class Position:
    """A place in a text: line and column, both from 1, the column in code points."""

    line: int
    column: int


@lazy_dataclass(frozen=True, slots=True)
class Range:
    """A piece of a text; ``end`` is after its last character."""

    start: Position
    end: Position


@lazy_dataclass(frozen=True, slots=True)
class Edit:
    """A range and the text to replace it by."""

    range: Range
    text: str


@lazy_dataclass(frozen=True, slots=True)
class Fix:
    """A fix for a finding. ``safe``: it does not change what the document states."""

    title: str
    safe: bool
    edits: tuple[Edit, ...]

    def apply(self, text: str) -> str:
        """The text that was checked, with this fix. After it, the places of other fixes may have moved: check again.

        Raises ValueError if the edits have no place in the text.
        """
        from handoff_lsp.reports.place import applied  # reports are data; reading them takes no more

        return applied(
            (
                (
                    (edit.range.start.line, edit.range.start.column),
                    (edit.range.end.line, edit.range.end.column),
                    edit.text,
                )
                for edit in self.edits
            ),
            text,
        )


@lazy_dataclass(frozen=True, slots=True)
class Related:
    """Another place that a finding is about, perhaps in another document. ``path`` is spelled as the finding's own."""

    path: str
    range: Range
    message: str


@lazy_dataclass(frozen=True, slots=True)
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


@lazy_dataclass(frozen=True, slots=True)
class Doubt:
    """A finding that withholds a decision."""

    rule: str
    message: str
    range: Range


@lazy_dataclass(frozen=True, slots=True)
class Routing:
    """The orchestrator's decision. ``reads``: the fields it reads next; ``doubts``: the findings that withhold it."""

    action: RouteAction
    brief: str
    reason: str
    reads: tuple[str, ...]
    doubts: tuple[Doubt, ...]


@lazy_dataclass(frozen=True, slots=True)
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
    status: Any = field(hash=False)
    readable: bool
    fields: Mapping[str, Any] = field(hash=False)
    decision: str
    routing: Routing | None
    findings: tuple[Finding, ...]


@lazy_dataclass(frozen=True, slots=True)
class Report:
    """The result of checking one document: its handoffs, and all its findings in the order of the text.

    ``examples`` is the number of handoffs left out because they are only examples, which the config does not include.
    ``path`` is spelled as it was given; empty for a text without a file, such as an agent's message. ``sha256`` is the
    hash of the text in UTF-8, which is that of its file.
    """

    path: str
    handoffs: tuple[Handoff, ...]
    findings: tuple[Finding, ...]
    examples: int = 0
    sha256: str = ""
    _feedback: str = field(default="", repr=False, compare=False)

    @property
    def ok(self) -> bool:
        """Whether an orchestrator can act on this document: it holds a handoff, and nothing withholds one.

        False for an error, for a decision without a readable status or with doubts (a comment that hides the finding
        does not help), and for a document without a handoff. Other warnings do not count.
        """
        withheld = any(
            handoff.routing is not None and (handoff.status is None or handoff.routing.doubts)
            for handoff in self.handoffs
        )
        acted = any(handoff.mode == "handoff" for handoff in self.handoffs)
        return acted and not withheld and not self.errors

    @property
    def verdict(self) -> Verdict:
        """The verdict for an agent: clean, findings, or not checked and why. Unlike ``ok``, each finding counts."""
        unchecked = [each for each in self.findings if each.rule in _NOT_CHECKED and each.severity in _OF_THE_TEXT]
        why = unchecked[0].message if unchecked else ""
        if unchecked and len(unchecked) == len(self.findings):
            return not_checked(why, self.sha256)
        if self.findings:
            return Verdict("findings", f"not all was checked: {why}" if why else "", self.sha256)
        if not self.handoffs:
            return not_checked(ONLY_EXAMPLES if self.examples else NO_HANDOFF, self.sha256)
        if self.path in NO_FILE and all(handoff.mode != "handoff" for handoff in self.handoffs):
            return not_checked(NONE_FILLED_IN, self.sha256)  # a message must have one; a file may be a template
        hidden = next(filter(None, map(_hidden, self.handoffs)), "")
        return Verdict("findings" if hidden else "clean", hidden, self.sha256)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings with the severity ``error``."""
        return tuple(finding for finding in self.findings if finding.severity == "error")

    def feedback(self) -> str:
        """The message to the agent that wrote the document, in the words of the hooks; at most 8,000 code points.

        It names the errors with their places, consequences and corrections, else the warnings; or it asks for the
        handoff that is missing. Empty if there is nothing to correct. A report made without fixes has no corrections
        in it. Computed with the report, so it is the same in another process. Only the library's functions do so:
        the reports of other makers have none.
        """
        return self._feedback


def _hidden(handoff: Handoff) -> str:
    """Why a handoff without a listed finding does not advance; empty if none is hidden from the list."""
    routing = handoff.routing
    if routing is None or handoff.mode != "handoff":
        return ""
    if routing.doubts:
        return f"a hidden finding withholds the decision: {routing.doubts[0].message}"
    # A handoff with `ask` may have an optional status that is absent.
    unread = handoff.status is None and routing.action in ("stop", "retry")
    return f"a hidden finding is about the status: {routing.brief}" if unread else ""
