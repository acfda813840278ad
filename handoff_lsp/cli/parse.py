"""``handoff-lsp parse``: the fields of a handoff and the decision about it, the same for every format."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from handoff_lsp.cli.output.table import table
from handoff_lsp.cli.output.utf8 import tell_skipped, write_utf8
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.run import run_with
from handoff_lsp.cli.usage import CLEAN, FAILED, FINDINGS
from handoff_lsp.recognition.paths import is_data_file
from handoff_lsp.reports.data import data_of, json_line
from handoff_lsp.reports.make import included_handoffs, position_of, report_of

if TYPE_CHECKING:
    from handoff_lsp.engine import Analysis
    from handoff_lsp.reports.report import Handoff
    from handoff_lsp.rules.rule import Finding


def parse(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    run, printer = run_with(arguments), _Printer(as_json=arguments.output_format == "json")
    if run.config_of_arguments_is_usable(arguments):
        for target in run.targets(arguments.paths, arguments.stdin_filename):
            analysis = run.analyze(target)
            if analysis is not None:
                printer.document(run.shown(target), analysis, named=target.named)
    tell_skipped(run.summary)
    if run.summary.broken:
        return FAILED
    printer.end()
    return FINDINGS if printer.held_up or run.summary.skipped else CLEAN


class _Printer:
    """Prints each handoff to standard output, and everything else to standard error.

    Afterward ``held_up`` is True if a named document holds no handoff, or none of the documents does, or a handoff
    lacks the readable status that its format has, or an error or a doubt withholds it.
    """

    def __init__(self, *, as_json: bool) -> None:
        self.held_up = False
        self._acts = False  # whether there is a handoff to act on
        self._as_json = as_json
        self._first = True

    def document(self, shown: str, analysis: Analysis, *, named: bool) -> None:
        """Print the handoffs of one document."""
        handoffs = report_of(analysis, shown).handoffs
        for internal, handoff in zip(included_handoffs(analysis), handoffs, strict=True):
            if self._as_json:
                write_utf8(json_line(data_of(handoff)) + "\n")
            else:
                sys.stdout.write(("" if self._first else "\n") + "\n".join(table(data_of(handoff), internal)) + "\n")
            self._first = False
            decides = bool(internal.spec.contract.status)
            self.held_up |= decides and handoff.mode == "handoff" and handoff.status is None
            self.held_up |= handoff.routing is not None and bool(handoff.routing.doubts)
            self.held_up |= any(finding.severity == "error" for finding in handoff.findings)
        acts = any(handoff.mode == "handoff" for handoff in handoffs)
        self._acts |= acts
        if named and not acts:
            self.held_up = True
            if not any(finding.rule.of_return for finding in analysis.findings):  # these say more
                self._note(shown, _no_handoff(shown, analysis, handoffs))
        for finding in analysis.findings:
            if finding.handoff is None:
                self.held_up |= finding.severity == "error"
                self._note(_where(shown, analysis, finding), f"{finding.severity}[{finding.code}] {finding.message}")

    def end(self) -> None:
        """Print a note if no document has a handoff to act on."""
        if not self._acts and not self.held_up:
            self.held_up = True
            print("handoff-lsp: no handoff to act on", file=sys.stderr, flush=True)

    def _note(self, where: str, what: str) -> None:
        sys.stdout.flush()  # the output so far comes before it
        print(f"handoff-lsp: {printable(where)}: {printable(what)}", file=sys.stderr, flush=True)


def _no_handoff(shown: str, analysis: Analysis, handoffs: tuple[Handoff, ...]) -> str:
    if handoffs:
        return "only templates or examples, no handoff to act on"
    if analysis.handoffs:
        return "only examples; `--examples` shows them"
    # A data file has no place for a comment.
    names = "`[[files]]` in the config" if is_data_file(shown) else "a comment `<!-- handoff: CONTRACT -->`"
    return f"no handoff found; name its contract with {names}, or see `handoff-lsp explain CONTRACT`"


def _where(shown: str, analysis: Analysis, finding: Finding) -> str:
    at = position_of(analysis.source, finding.span.start)
    return f"{shown}:{at.line}:{at.column}"
