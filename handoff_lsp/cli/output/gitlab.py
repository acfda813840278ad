"""A Code Quality report of GitLab, an array of JSON: https://docs.gitlab.com/ci/testing/code_quality/."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handoff_lsp.cli.output.fingerprint import Fingerprints
from handoff_lsp.cli.output.format import Document, Look
from handoff_lsp.cli.output.json import array
from handoff_lsp.cli.output.repository import Checkout
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.output.words import NOT_CHECKED, paragraphs
from handoff_lsp.cli.printable import encodable, printable
from handoff_lsp.reports.data import json_line
from handoff_lsp.reports.report import Finding

_SEVERITIES = {"error": "critical", "warning": "major", "information": "minor", "hint": "info"}
# Of files that could not be checked, and of problems of configs.
_WORST = "blocker"


class Output:
    """Prints the array at the end of the run."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None:
        self._write = write
        self._repository = Checkout()
        self._fingerprints = Fingerprints()
        self._issues: list[str] = []

    def document(self, document: Document) -> None:
        """Receive the findings of one document."""
        for finding in document.report.findings:
            mark = self._fingerprints.of(finding, document)
            self._issues.append(json_line(self._issue(finding, mark, _SEVERITIES[finding.severity])))

    def finish(self, summary: Summary) -> None:
        """Print the array, the problems and failures first."""
        broken = [self._issue(each, self._fingerprints.of(each, None), _WORST) for each in summary.problems]
        for failed in summary.failed:
            broken.append(
                {
                    "description": printable(failed.reason),
                    "check_name": NOT_CHECKED,
                    "fingerprint": self._fingerprints.of_parts(failed.shown, NOT_CHECKED),
                    "severity": _WORST,
                    "location": {"path": self._path(failed.shown) or ".", "lines": {"begin": 1}},
                }
            )
        self._write(array([*map(json_line, broken), *self._issues]) + "\n")

    def _issue(self, finding: Finding, mark: str, severity: str) -> dict[str, Any]:
        message, *more = paragraphs(finding)
        start, end = finding.range.start, finding.range.end
        positions = {
            "begin": {"line": start.line, "column": start.column},
            "end": {"line": end.line, "column": end.column},
        }
        return {
            "description": message,
            "check_name": finding.rule,
            "fingerprint": mark,
            "severity": severity,
            "location": {"path": self._path(finding.path), "positions": positions},
            **({"content": {"body": "\n\n".join(more)}} if more else {}),
        }

    def _path(self, path: str) -> str:
        return encodable(self._repository.path(path))
