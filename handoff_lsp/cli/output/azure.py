"""Logging commands of Azure Pipelines: ``##vso[task.logissue type=error;sourcepath=…;]message``."""

from __future__ import annotations

from collections.abc import Callable

from handoff_lsp.cli.output.format import Document, Look
from handoff_lsp.cli.output.repository import Checkout
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.output.words import NOT_CHECKED, paragraphs
from handoff_lsp.cli.printable import printable_lines
from handoff_lsp.reports.report import Finding
from handoff_lsp.text.lazy import lazy_pattern

_CODES = {";": "%3B", "\r": "%0D", "\n": "%0A", "]": "%5D"}
# A percent sign is escaped only where the agent would read a code: older agents do not know `%AZP25`.
_CODE = lazy_pattern("%(?=3B|0D|0A|5D|AZP25)")
_MARK = lazy_pattern("[;\r\n\\]]")


class Output:
    """Prints each document's commands at once. Azure knows errors and warnings only."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None:
        self._write = write
        self._repository = Checkout()

    def document(self, document: Document) -> None:
        """Print the commands of one document."""
        for finding in document.report.findings:
            self._finding(finding)

    def finish(self, summary: Summary) -> None:
        """Print the problems and failures."""
        for problem in summary.problems:
            self._finding(problem)
        for failed in summary.failed:
            place = {"type": "error", "sourcepath": self._repository.path(failed.shown), "code": NOT_CHECKED}
            self._write(command(place, failed.line))

    def _finding(self, finding: Finding) -> None:
        place = {
            "type": "error" if finding.severity == "error" else "warning",
            "sourcepath": self._repository.path(finding.path),
            "linenumber": str(finding.line),
            "columnnumber": str(finding.column),
            "code": finding.rule,
        }
        self._write(command(place, "\n".join(paragraphs(finding))))


def command(properties: dict[str, str], message: str) -> str:
    """A logging command on a line. An empty property is left out."""
    given = "".join(f"{name}={_escaped(value)};" for name, value in properties.items() if value)
    return f"##vso[task.logissue {given}]{_escaped(message)}\n"


def _escaped(text: str) -> str:
    return _MARK.sub(lambda match: _CODES[match.group()], _CODE.sub("%AZP25", printable_lines(text)))
