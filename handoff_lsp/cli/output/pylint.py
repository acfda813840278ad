"""Lines as pylint's ``--output-format=parseable`` has them: ``path:line: [E(rule), field] message``."""

from __future__ import annotations

from collections.abc import Callable

from handoff_lsp.cli.output.format import Document, Look
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.output.words import NOT_CHECKED
from handoff_lsp.cli.printable import printable
from handoff_lsp.reports.report import Finding

# pylint's categories: error, warning, information, convention. A failure is fatal.
_CATEGORIES = {"error": "E", "warning": "W", "information": "I", "hint": "C"}
_FATAL = "F"
# The patterns of readers such as Jenkins' search for the last brackets.
_BRACKETS = str.maketrans("[]()", "{}{}")
_SQUARE = str.maketrans("[]", "()")


class Output:
    """Prints each document's findings at once."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None:
        self._write = write

    def document(self, document: Document) -> None:
        """Print the findings of one document."""
        for finding in document.report.findings:
            self._finding(finding, _CATEGORIES[finding.severity])

    def finish(self, summary: Summary) -> None:
        """Print the problems and failures."""
        for problem in summary.problems:
            self._finding(problem, _FATAL)
        for failed in summary.failed:
            self._line(failed.shown or "handoff-lsp", 1, _FATAL, NOT_CHECKED, "", failed.reason)

    def _finding(self, finding: Finding, category: str) -> None:
        self._line(finding.path, finding.line, category, finding.rule, finding.field or "", finding.message)

    def _line(self, path: str, line: int, category: str, rule: str, field: str, message: str) -> None:
        field, message = printable(field).translate(_BRACKETS), printable(message).translate(_SQUARE)
        self._write(f"{printable(path)}:{line}: [{category}({rule}), {field}] {message}\n")
