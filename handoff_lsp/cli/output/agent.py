"""Findings for an AI agent, in few words: a verdict on each document, and for each finding the text to write.

Every document that was named or holds a handoff has a line, and the run has an end line: silence would mean nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from handoff_lsp import __version__
from handoff_lsp.cli.output.edits import Written, written_fix
from handoff_lsp.cli.output.format import Document, Look
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.output.text import SEVERITY_NOUNS, further_lines
from handoff_lsp.cli.printable import printable
from handoff_lsp.features.feedback.changes import FILL_IN
from handoff_lsp.reports.report import Finding, Handoff
from handoff_lsp.reports.verdict import VerdictState, not_checked
from handoff_lsp.text import Source

# Of the decisions of one document, and of the files that were not checked, no more are listed.
_MOST_DECISIONS = 5
_MOST_UNCHECKED = 20
# Of fixes among which only the author can choose, no more are shown.
_MOST_CHOICES = 3
_CHOOSE = "Choose one of "


class Output:
    """Prints each document's verdict and findings at once."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None:
        self._write = write
        self._look = look
        self._states: Counter[VerdictState] = Counter()
        self._without = 0

    def document(self, document: Document) -> None:
        """Print the verdict on one document and its findings; nothing about a found file without a handoff."""
        report, verdict = document.report, document.report.verdict
        if not (document.named or report.handoffs or report.findings):
            self._without += 1
            return
        self._states[verdict.state] += 1
        if verdict.state != "clean" or not self._look.quiet:
            self._line(f"{report.path}: {verdict.line}{_decisions(report.handoffs, brief=verdict.state != 'clean')}")
        notes: set[str] = set()
        to_fill = False
        for finding in report.findings:
            written = _written(finding, document.source)
            to_fill |= written is not None and written.to_fill
            for line in _finding(finding, written, known=notes):
                self._line(line)
            for line in written.lines if written is not None else ():
                self._write("\t".join(map(printable, line.split("\t"))) + "\n")  # a tab is part of the text to write
        if to_fill:
            self._line(FILL_IN)

    def finish(self, summary: Summary) -> None:
        """Print the files that were not checked or not fixed, and the end line."""
        for problem in summary.problems:
            self._line(f"{problem.path}:{problem.line}: {problem.severity}[{problem.rule}] {problem.message}")
        unchecked = [(each.shown, each.reason) for each in summary.failed]
        unchecked += ((each.shown, each.reason) for each in summary.skipped)
        for shown, reason in unchecked[:_MOST_UNCHECKED]:
            self._line(f"{f'{shown}: ' if shown else ''}{not_checked(reason).line}")
        if len(unchecked) > _MOST_UNCHECKED:
            self._line(f"… and {len(unchecked) - _MOST_UNCHECKED:,} more not checked")
        for each in summary.not_fixed:
            self._line(each.line)
        self._states["not checked"] += len(unchecked)
        self._line(f"handoff-lsp {__version__}: {self._counted(summary)}")
        if not self._look.quiet:
            for line in further_lines(summary):
                self._line(line)
        if self._look.because:
            self._line(f"Format `agent`, as {self._look.because} is set; for people: `--output-format text`.")

    def _counted(self, summary: Summary) -> str:
        """The numbers of documents by their verdict, and of the findings."""
        numbers = ", ".join(
            f"{summary.counts[severity]:,} {noun if summary.counts[severity] == 1 else noun + 's'}"
            for severity, noun in SEVERITY_NOUNS.items()
            if summary.counts[severity]
        )
        states = {
            "clean": self._states["clean"],
            f"with findings ({numbers})" if numbers else "with findings": self._states["findings"],
            "not checked": self._states["not checked"],
            "without a handoff": self._without,
        }
        return ", ".join(f"{number:,} {state}" for state, number in states.items() if number) or "nothing was checked"

    def _line(self, text: str) -> None:
        self._write(printable(text) + "\n")


def _decisions(handoffs: tuple[Handoff, ...], *, brief: bool) -> str:
    """The decisions about the handoffs of a document, with their lines if there are several."""
    decided = [each for each in handoffs if each.mode == "handoff" and each.routing is not None]
    said = [
        f"{f'line {each.range.start.line}: ' if len(decided) > 1 else ''}"
        f"{each.routing.action if brief and each.routing is not None else each.decision}"
        for each in decided[:_MOST_DECISIONS]
    ]
    more = f"; {len(decided) - _MOST_DECISIONS:,} more" if len(decided) > _MOST_DECISIONS else ""
    return f"; decision: {'; '.join(said)}{more}" if said else ""


def _written(finding: Finding, source: Source) -> Written | None:
    """The only fix of a finding, written out; None if it has none, or several to choose from."""
    fix = finding.fix or (finding.choices[0] if len(finding.choices) == 1 else None)
    return written_fix(fix, finding, source) if fix is not None else None


def _finding(finding: Finding, written: Written | None, *, known: set[str]) -> Iterator[str]:
    """The lines about a finding. Its note is left out if a fix or an earlier finding (``known``) says as much."""
    yield f"{finding.line}:{finding.column} {finding.severity}[{finding.rule}] {finding.message}"
    for related in finding.related:
        if related.path != finding.path:
            yield f"see {related.path}:{related.range.start.line}: {related.message}"
    if written is not None:
        return
    if finding.note and finding.note not in known:
        known.add(finding.note)
        yield f"note: {finding.note}"
    if finding.help and finding.help.removeprefix(_CHOOSE) not in finding.message:
        yield finding.help
    elif not finding.help and finding.choices:
        yield f"choose: {'; '.join(fix.title for fix in finding.choices[:_MOST_CHOICES])}"
