"""``handoff-lsp parse``: the fields of a handoff and the decision about it, the same for every format."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from handoff_lsp.cli.check import run_over
from handoff_lsp.cli.output.json import tell_skipped, write_utf8
from handoff_lsp.cli.output.summary import Output, Summary
from handoff_lsp.cli.output.table import table
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.usage import CLEAN, FAILED, FINDINGS
from handoff_lsp.features.reading import handoffs_of, json_line, place
from handoff_lsp.recognition.files import is_data_file

if TYPE_CHECKING:
    from handoff_lsp.binding.handoff import Handoff
    from handoff_lsp.engine import Analysis
    from handoff_lsp.rules.rule import Finding
    from handoff_lsp.workspace.config.config_file import ConfigError


def parse(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    output = ParseOutput(as_json=arguments.output_format == "json")
    run = run_over(arguments, arguments.paths, output)
    if run.summary.broken:
        return FAILED
    return FINDINGS if output.held_up else CLEAN


class ParseOutput(Output):
    """Prints each handoff to standard output, and everything else to standard error.

    Afterward ``held_up`` is True if a named document holds no handoff, or a handoff lacks the readable status that its
    format has, or an error or a doubt withholds it.
    """

    def __init__(self, *, as_json: bool) -> None:
        self.held_up = False
        self._as_json = as_json
        self._first = True

    def report(self, shown: str, analysis: Analysis, *, named: bool) -> None:
        """Print the handoffs of one document."""
        handoffs: list[Handoff] = []
        for handoff, data in handoffs_of(analysis, shown):
            handoffs.append(handoff)
            decides = bool(handoff.spec.contract.status)
            if self._as_json:
                write_utf8(json_line(data) + "\n")
            else:
                sys.stdout.write(("" if self._first else "\n") + "\n".join(table(data, handoff)) + "\n")
            self._first = False
            self.held_up |= decides and handoff.mode == "handoff" and data["status"] is None
            self.held_up |= data["routing"] is not None and bool(data["routing"]["doubts"])
            self.held_up |= any(finding["severity"] == "error" for finding in data["findings"])
        if named and not any(handoff.mode == "handoff" for handoff in handoffs):
            self.held_up = True
            self._note(shown, _no_handoff(shown, analysis, handoffs))
        for finding in analysis.findings:
            if finding.handoff is None:
                self.held_up |= finding.severity == "error"
                self._note(_where(shown, analysis, finding), f"{finding.severity}[{finding.code}] {finding.message}")

    def problem(self, shown: str, error: ConfigError) -> None:
        """Receive a problem of a config or contract file; standard error is enough."""

    def finish(self, summary: Summary) -> None:
        """List the skipped files; unreadable ones have been reported."""
        tell_skipped(summary)

    def _note(self, where: str, what: str) -> None:
        sys.stdout.flush()  # the output so far comes before it
        print(f"handoff-lsp: {printable(where)}: {printable(what)}", file=sys.stderr, flush=True)


def _no_handoff(shown: str, analysis: Analysis, handoffs: list[Handoff]) -> str:
    if handoffs:
        return "only templates or examples, no handoff to act on"
    if analysis.handoffs:
        return "only examples; `--examples` shows them"
    # A data file has no place for a comment.
    names = "`[[files]]` in the config" if is_data_file(shown) else "a comment `<!-- handoff: CONTRACT -->`"
    return f"no handoff found; name its contract with {names}, or see `handoff-lsp explain CONTRACT`"


def _where(shown: str, analysis: Analysis, finding: Finding) -> str:
    line, column = place(analysis.source, finding.span.start)
    return f"{shown}:{line}:{column}"
