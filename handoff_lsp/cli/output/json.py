"""A run as one JSON object, for programs; each file, handoff and finding is on a line of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from handoff_lsp import __version__
from handoff_lsp.cli.output.format import Document, Look
from handoff_lsp.cli.output.summary import Failed, Skipped, Summary
from handoff_lsp.cli.usage import SEVERITIES
from handoff_lsp.reports.data import data_of, json_line
from handoff_lsp.reports.pack import PackReport
from handoff_lsp.reports.report import Handoff, Report


class Output:
    """Prints the object at the end of the run."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None:
        self._write = write
        self._files: list[str] = []
        self._handoffs: list[str] = []
        self._findings: list[str] = []

    def document(self, document: Document) -> None:
        """Receive the report of one document."""
        report = document.report
        self._files.append(json_line(file_data(report)))
        self._handoffs += (json_line(handoff_data(handoff)) for handoff in report.handoffs)
        self._findings += (json_line(data_of(finding)) for finding in report.findings)

    def finish(self, summary: Summary) -> None:
        """Print the object."""
        problems = [json_line(data_of(problem)) for problem in summary.problems]
        parts = [
            f'"version": {json_line(__version__)}',
            f'"files": {array(self._files)}',
            f'"handoffs": {array(self._handoffs)}',
            f'"failed": {array([because(each) for each in (*summary.failed, *summary.not_fixed)])}',
            f'"skipped": {array([because(each) for each in summary.skipped])}',
            f'"summary": {json_line(summary_data(summary))}',
            f'"findings": {array([*problems, *self._findings])}',
            *(
                [f'"packs": {array([json_line(pack_data(pack)) for pack in summary.packs])}']
                if summary.packs is not None
                else []
            ),
        ]
        self._write("{\n " + ",\n ".join(parts) + "\n}\n")


def array(lines: list[str]) -> str:
    """Items that are JSON already as an array, one on a line."""
    return "[\n  " + ",\n  ".join(lines) + "\n ]" if lines else "[]"


def because(each: Failed | Skipped) -> str:
    """A path that was not checked, with the reason."""
    return json_line({"path": each.shown, "reason": each.reason})


def file_data(report: Report) -> dict[str, Any]:
    """One file with its verdict. A file that could not be read is in ``failed`` or ``skipped``."""
    counts = {"handoffs": len(report.handoffs), "examples": report.examples}
    return {"path": report.path, "verdict": data_of(report.verdict), **counts}


def handoff_data(handoff: Handoff) -> dict[str, Any]:
    """One handoff with its decision; ``parse`` has its fields, and its findings are below."""
    data = data_of(handoff)
    return {name: value for name, value in data.items() if name not in {"fields", "findings"}}


def pack_data(pack: PackReport) -> dict[str, Any]:
    """One pack; its findings are among all of them."""
    return {name: value for name, value in data_of(pack).items() if name != "findings"}


def summary_data(summary: Summary) -> dict[str, Any]:
    """The counts of a run."""
    all_counts = summary.counts + Counter[str](problem.severity for problem in summary.problems)
    counts = {severity: all_counts[severity] for severity in SEVERITIES}
    told = {"files": summary.files, "handoffs": summary.handoffs, "files_with_findings": summary.with_findings}
    return {
        **told,
        **counts,
        "fixed": summary.fixed,
        "baseline": summary.baselined,
        "failed": len(summary.failed),
        "skipped": len(summary.skipped),
        "ignored": summary.ignored,
    }
