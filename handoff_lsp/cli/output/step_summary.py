"""The summary of a job of GitHub Actions: Markdown with the handoffs, their status and their routing."""

from __future__ import annotations

import os
import sys

from handoff_lsp.cli.output.repository import Checkout
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.output.text import SEVERITY_NOUNS, summary_lines
from handoff_lsp.cli.printable import printable
from handoff_lsp.language import counted
from handoff_lsp.reports.report import Handoff, Report
from handoff_lsp.text.lazy import lazy_pattern

# GitHub refuses a step's summary of more than 1 MiB. Some of it is left for the end of ours.
_MOST_BYTES = 1024 * 1024 - 16 * 1024
# The longest text of a cell, in code points.
_MOST_CHARACTERS = 300
# Failures beyond these are only counted.
_MOST_FAILURES = 20
_HEAD = "| Handoff | Format | Status | The orchestrator's next step | Findings |\n| --- | --- | --- | --- | --- |\n"
# Characters with a meaning in Markdown or HTML, and `@` and `#`, which GitHub makes mentions and links of.
_MARKS = lazy_pattern(r"[\\`*_{}\[\]()<>#+!|~&@:$-]")


class StepSummary:
    """Collects the table, and adds it to the summary's file at the end; what is in the file already stays."""

    def __init__(self, path: str, repository: Checkout) -> None:
        self._path = path
        self._repository = repository
        self._rows: list[str] = []
        self._bytes = os.path.getsize(path) if os.path.exists(path) else 0
        self._left_out = 0

    def document(self, report: Report) -> None:
        """Receive the handoffs of one document."""
        for handoff in report.handoffs:
            row = _row(self._repository.path(handoff.path), handoff)
            size = len(row.encode("utf-8"))
            if self._left_out or self._bytes + size > _MOST_BYTES:
                self._left_out += 1
                continue
            self._bytes += size
            self._rows.append(row)

    def finish(self, summary: Summary) -> None:
        """Write the summary. A failure is only a warning: the findings are printed anyway."""
        text = "### handoff-lsp\n\n" + "".join(f"{as_markdown(line, None)}\n" for line in summary_lines(summary))
        for failed in summary.failed[:_MOST_FAILURES]:
            text += f"- ❌ {as_markdown(failed.shown)}: {as_markdown(failed.reason)}\n"
        for problem in summary.problems[:_MOST_FAILURES]:
            text += f"- ❌ {as_markdown(problem.path)}, line {problem.line}: {as_markdown(problem.message)}\n"
        if self._rows:
            text += "\n" + _HEAD + "".join(self._rows)
        if self._left_out:
            text += f"\n{self._left_out:,} more handoffs do not fit into this summary.\n"
        data = (text + "\n").encode("utf-8")
        try:
            with open(self._path, "ab") as file:
                file.write(data)
        except OSError as error:
            sys.stdout.flush()
            print(f"handoff-lsp: warning: the job's summary was not written: {error.strerror}", file=sys.stderr)


def _row(path: str, handoff: Handoff) -> str:
    counts = [counted(number, noun) for level, noun in SEVERITY_NOUNS.items() if (number := _count(handoff, level))]
    cells = (
        f"{path}:{handoff.range.start.line}",
        handoff.contract,
        "" if handoff.status is None else str(handoff.status),
        handoff.decision,
        ", ".join(counts) or "none",
    )
    return "| " + " | ".join(as_markdown(cell) for cell in cells) + " |\n"


def _count(handoff: Handoff, severity: str) -> int:
    return sum(finding.severity == severity for finding in handoff.findings)


def as_markdown(text: str, most: int | None = _MOST_CHARACTERS) -> str:
    """Text of a document as Markdown on one line: no markup, no HTML, no mention. ``most``: cut after as many."""
    line = printable(text)
    if most is not None and len(line) > most:
        line = line[: most - 1] + "…"
    return _MARKS.sub(lambda match: f"&#{ord(match.group())};", line)
