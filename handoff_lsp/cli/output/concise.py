"""Findings for people and editors: each on one line, ``path:line:column: severity[rule] message``."""

from __future__ import annotations

from collections.abc import Callable

from handoff_lsp.cli.output.format import Document, Look
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.output.text import BOLD, closing, headline, paint
from handoff_lsp.cli.printable import printable


class Output:
    """Prints each document's findings at once, and the summary at the end."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None:
        self._write = write
        self._look = look

    def document(self, document: Document) -> None:
        """Print the findings of one document."""
        for finding in document.report.findings:
            where = f"{printable(finding.path)}:{finding.line}:{finding.column}:"
            self._write(headline(finding, paint(where, BOLD, self._look), self._look))

    def finish(self, summary: Summary) -> None:
        """Print the summary."""
        self._write(closing(summary, self._look))
