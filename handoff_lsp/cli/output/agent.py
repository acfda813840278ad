"""Findings for an AI agent, in few words: each with its place, what is expected, and the lines to write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from handoff_lsp.cli.output.format import Document, Look
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.output.text import failure_lines, summary_lines
from handoff_lsp.cli.printable import printable
from handoff_lsp.reports.report import Edit, Finding, Fix
from handoff_lsp.text import Source

# A fix that changes more lines than this is only named.
_MOST_LINES = 12
# Of fixes among which only the author can choose, no more are shown.
_MOST_CHOICES = 3
_PLACEHOLDER = re.compile(r"<[^<>\n]+>")


class Output:
    """Prints each document's findings at once, below the decision about its handoffs."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None:
        self._write = write

    def document(self, document: Document) -> None:
        """Print the findings of one document; nothing without any."""
        report = document.report
        for handoff in report.handoffs:
            if handoff.findings:
                where = f"{handoff.path}:{handoff.range.start.line}"
                self._write(printable(f"{where} {handoff.contract}: decision now: {handoff.decision}") + "\n")
        notes: set[str] = set()
        for finding in report.findings:
            lines = _finding(finding, document.source, known=finding.note in notes)
            self._write("".join(f"{line}\n" for line in lines))
            notes.add(finding.note)

    def finish(self, summary: Summary) -> None:
        """Print the failures, and the summary."""
        for line in failure_lines(summary):
            self._write(f"{line}\n")
        for line in summary_lines(summary):
            self._write(f"{line}\n")


def _finding(finding: Finding, source: Source, *, known: bool) -> Iterator[str]:
    """The lines about a finding; ``known``: the agent has read its note."""
    where = f"{finding.path}:{finding.line}:{finding.column}"
    yield printable(f"{where} {finding.severity}[{finding.rule}] {finding.message}")
    if finding.note and not known:
        yield "  " + printable(finding.note)
    for related in finding.related:
        if related.path != finding.path:
            yield "  " + printable(f"See {related.path}:{related.range.start.line}: {related.message}")
    if finding.fix is not None:
        yield from _fix(finding.fix, source)
    elif finding.help:
        yield "  " + printable(finding.help)
    else:
        for choice in finding.choices[:_MOST_CHOICES]:
            yield from _fix(choice, source)


def _fix(fix: Fix, source: Source) -> Iterator[str]:
    """The lines before and after, as a diff without its heads; ``Possible fix`` if it may change the meaning."""
    yield "  " + printable(f"{'Fix' if fix.safe else 'Possible fix'}: {fix.title}")
    lines = [line for edit in fix.edits for line in _changed(edit, source)]
    if len(lines) <= _MOST_LINES:
        yield from (f"  {line}" for line in lines)
        if any(_PLACEHOLDER.search(edit.text) for edit in fix.edits):
            yield "  Replace everything in `<…>`."


def _changed(edit: Edit, source: Source) -> Iterator[str]:
    start, end = edit.range.start, edit.range.end
    first, last = source.lines.line_text(start.line - 1), source.lines.line_text(end.line - 1)
    bom = [int(line == 1 and text.startswith("\ufeff")) for line, text in ((start.line, first), (end.line, last))]
    old = [source.lines.line_text(number) for number in range(start.line - 1, end.line)]
    new = (first[: start.column - 1 + bom[0]] + edit.text + last[end.column - 1 + bom[1] :]).splitlines()
    # Lines that stay are not part of the change: only an insertion has them.
    while old and new and old[-1] == new[-1]:
        old.pop()
        new.pop()
    at = start.line
    while old and new and old[0] == new[0]:
        at += 1
        del old[0], new[0]
    yield from (f"{at + number}- {_tabbed(line)}" for number, line in enumerate(old))
    yield from (f"{at}+ {_tabbed(line)}" for line in new)


def _tabbed(line: str) -> str:
    return "\t".join(map(printable, line.split("\t")))
