"""The Reviewdog Diagnostic Format: https://github.com/reviewdog/reviewdog/tree/master/proto/rdf.

Its columns count bytes of UTF-8. reviewdog refuses keys that the format lacks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handoff_lsp.cli.output.format import Document, Look
from handoff_lsp.cli.output.json import array
from handoff_lsp.cli.output.repository import Checkout
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.output.words import NOT_CHECKED, paragraphs
from handoff_lsp.cli.printable import encodable, printable
from handoff_lsp.reports.data import json_line
from handoff_lsp.reports.report import Finding, Position, Range
from handoff_lsp.rules.pages import SITE, page_of
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.text import Source

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "information": "INFO", "hint": "INFO"}


class Output:
    """Prints the object at the end of the run."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None:
        self._write = write
        self._repository = Checkout()
        self._diagnostics: list[str] = []

    def document(self, document: Document) -> None:
        """Receive the findings of one document."""
        self._diagnostics += (
            json_line(self._diagnostic(finding, document.source)) for finding in document.report.findings
        )

    def finish(self, summary: Summary) -> None:
        """Print the object, the problems and failures first."""
        broken = [self._diagnostic(problem, None) for problem in summary.problems]
        for failed in summary.failed:
            place = {"path": encodable(self._repository.path(failed.shown))}
            code = {"value": NOT_CHECKED}
            reason = printable(f"Not checked: {failed.reason}")
            broken.append({"message": reason, "location": place, "severity": "ERROR", "code": code})
        source = json_line({"name": "handoff-lsp", "url": SITE})
        found = array([*map(json_line, broken), *self._diagnostics])
        self._write(f'{{\n "source": {source},\n "diagnostics": {found}\n}}\n')

    def _diagnostic(self, finding: Finding, source: Source | None) -> dict[str, Any]:
        code = {"value": finding.rule}
        if finding.rule in all_rules():
            code["url"] = page_of(finding.rule)
        path = encodable(self._repository.path(finding.path))
        diagnostic: dict[str, Any] = {
            "message": "\n".join(paragraphs(finding)),
            "location": {"path": path, "range": _range(source, finding.range)},
            "severity": _SEVERITIES[finding.severity],
            "code": code,
        }
        # One click commits a suggestion, so it must be safe; and several ones would be alternatives, not one fix.
        if finding.fix is not None and finding.fix.safe and len(finding.fix.edits) == 1:
            (edit,) = finding.fix.edits
            diagnostic["suggestions"] = [{"range": _range(source, edit.range), "text": encodable(edit.text)}]
        return diagnostic


def _range(source: Source | None, range: Range) -> dict[str, Any]:
    return {"start": _position(source, range.start), "end": _position(source, range.end)}


def _position(source: Source | None, position: Position) -> dict[str, int]:
    column = position.column
    if source is not None:
        line = source.lines.line_text(position.line - 1)
        before = column - 1 + (position.line == 1 and line.startswith("\ufeff"))
        column = len(line[:before].encode("utf-8", "replace")) + 1 + max(before - len(line), 0)
    return {"line": position.line, "column": column}
