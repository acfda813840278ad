"""A run as JSON Lines, for programs that read while it runs: one object per line, each with its ``type``.

``file`` has the answer for a file, before its ``finding`` objects; ``failed`` and ``skipped`` are files without an
answer, ``pack`` is the matrix of a workspace (``--drift``). ``summary`` is the last line: without it the run was cut
off.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handoff_lsp import __version__
from handoff_lsp.cli.output.format import Document, Look
from handoff_lsp.cli.output.json import file_data, handoff_data, pack_data, summary_data
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.reports.data import data_of, json_line


class Output:
    """Prints each document's objects at once."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None:
        self._write = write

    def document(self, document: Document) -> None:
        """Print the objects of one document."""
        self._line("file", file_data(document.report))
        for handoff in document.report.handoffs:
            self._line("handoff", handoff_data(handoff))
        for finding in document.report.findings:
            self._line("finding", data_of(finding))

    def finish(self, summary: Summary) -> None:
        """Print the problems of configs, the files without an answer, and the summary."""
        for problem in summary.problems:
            self._line("finding", data_of(problem))
        for failed in summary.failed:
            self._line("failed", {"path": failed.shown, "reason": failed.reason})
        for skipped in summary.skipped:
            self._line("skipped", {"path": skipped.shown, "reason": skipped.reason})
        for pack in summary.packs or ():
            self._line("pack", pack_data(pack))
        self._line("summary", {"version": __version__, **summary_data(summary)})

    def _line(self, kind: str, data: dict[str, Any]) -> None:
        self._write(json_line({"type": kind, **data}) + "\n")
