"""Findings as JSON, for programs: one array, one finding per line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from handoff_lsp.features.reading import finding_data, json_line, problem_data

if TYPE_CHECKING:
    from handoff_lsp.cli.output.summary import Summary
    from handoff_lsp.engine import Analysis
    from handoff_lsp.workspace.config.config_file import ConfigError


class JsonOutput:
    """Prints an array of findings to standard output, in UTF-8 in every locale."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def report(self, shown: str, analysis: Analysis, *, named: bool) -> None:
        """Receive the findings of one document."""
        for finding in analysis.findings:
            self._lines.append(json_line(finding_data(shown, analysis.source, finding)))

    def problem(self, shown: str, error: ConfigError) -> None:
        """Receive a problem of a config or contract file."""
        self._lines.append(json_line(problem_data(shown, error.rule, error.message, error.line, error.columns)))

    def finish(self, summary: Summary) -> None:
        """Print the array, and the skipped files to standard error."""
        write_utf8("[\n " + ",\n ".join(self._lines) + "\n]\n" if self._lines else "[]\n")
        tell_skipped(summary)


def tell_skipped(summary: Summary) -> None:
    """List the files that a walk skipped on standard error, as standard output is for programs."""
    if summary.skipped:
        from handoff_lsp.cli.output.text import skipped_words

        sys.stdout.flush()
        print(f"handoff-lsp: {skipped_words(summary)}", file=sys.stderr, flush=True)


def write_utf8(text: str) -> None:
    """Print to standard output in UTF-8, in every locale."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(text)
    else:
        sys.stdout.flush()
        buffer.write(text.encode("utf-8"))
