"""Findings for people: each on one line below the name of its file."""

from __future__ import annotations

from collections.abc import Callable

from handoff_lsp.cli.output.format import Document, Look
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.output.text import BOLD, DIM, closing, headline, paint
from handoff_lsp.cli.printable import printable


class Output:
    """Prints each document's findings at once, and the summary at the end."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None:
        self._write = write
        self._look = look

    def document(self, document: Document) -> None:
        """Print the findings of one document below its name."""
        findings = document.report.findings
        if not findings:
            return
        self._write(paint(f"{printable(document.report.path)}:", BOLD, self._look) + "\n")
        places = [f"{finding.line}:{finding.column}" for finding in findings]
        cells = max(map(len, places))
        for place, finding in zip(places, findings, strict=True):
            self._write(headline(finding, "  " + paint(place.rjust(cells), DIM, self._look), self._look))
        self._write("\n")

    def finish(self, summary: Summary) -> None:
        """Print the summary."""
        self._write(closing(summary, self._look))
