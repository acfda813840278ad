"""Annotations of GitHub Actions (``::error file=…::message``), and a table of handoffs in the job's summary."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from handoff_lsp.cli.output.format import Document, Look
from handoff_lsp.cli.output.repository import Checkout
from handoff_lsp.cli.output.step_summary import StepSummary
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.output.words import NOT_CHECKED, paragraphs
from handoff_lsp.cli.printable import printable, printable_lines
from handoff_lsp.reports.report import Finding

_COMMANDS = {"error": "error", "warning": "warning", "information": "notice", "hint": "notice"}
# Without the percent sign, which comes first.
_DATA = {"\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


class Output:
    """Prints each document's annotations at once. The summary is written at the end, where GitHub names its file."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None:
        self._write = write
        self._repository = Checkout()
        path = os.environ.get("GITHUB_STEP_SUMMARY")
        self._summary = StepSummary(path, self._repository) if path else None

    def document(self, document: Document) -> None:
        """Print the annotations of one document."""
        if self._summary is not None:
            self._summary.document(document.report)
        for finding in document.report.findings:
            self._finding(finding)

    def finish(self, summary: Summary) -> None:
        """Print the problems and failures, and write the job's summary."""
        for problem in summary.problems:
            self._finding(problem)
        for failed in summary.failed:
            place = {"file": self._repository.path(failed.shown), "title": f"handoff-lsp ({NOT_CHECKED})"}
            self._write(command("error", place, failed.line))
        if self._summary is not None:
            self._summary.finish(summary)

    def _finding(self, finding: Finding) -> None:
        start, end = finding.range.start, finding.range.end
        place = {
            "file": self._repository.path(finding.path),
            "line": str(start.line),
            "endLine": str(end.line),
        }
        if start.line == end.line:  # GitHub takes columns only then
            place |= {"col": str(start.column), "endColumn": str(end.column)}
        # The log shows the message alone, so it has the place, too.
        place["title"] = (
            f"handoff-lsp ({finding.rule})"  # the last: GitHub drops blanks at the end, as of a file's name
        )
        where = printable(f"{finding.path}:{start.line}:{start.column}: ")
        self._write(command(_COMMANDS[finding.severity], place, where + "\n".join(paragraphs(finding))))


def command(name: str, properties: dict[str, str], message: str) -> str:
    """A workflow command on a line. An empty property is left out, as GitHub would drop it."""
    given = ",".join(f"{key}={_escaped(value, _PROPERTY)}" for key, value in properties.items() if value)
    return f"::{name} {given}::{_escaped(message, _DATA)}\n"


def _escaped(text: str, marks: dict[str, str]) -> str:
    text = printable_lines(text).replace("%", "%25")
    return re.sub("|".join(marks), lambda match: marks[match.group()], text)
