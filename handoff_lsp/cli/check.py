"""``handoff-lsp check``: check files and folders, print the findings."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable
from functools import partial

from handoff_lsp.cli.output.files import Outputs
from handoff_lsp.cli.output.format import FORMATS, Document, Look
from handoff_lsp.cli.output.utf8 import write_utf8
from handoff_lsp.cli.run import run_with
from handoff_lsp.cli.usage import CLEAN, FAILED, FINDINGS, SEVERITIES
from handoff_lsp.reports.make import report_of

# A narrower terminal breaks the lines itself.
_NARROWEST = 20


def check(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    run = run_with(arguments)
    fails = SEVERITIES[: SEVERITIES.index(arguments.fail_on) + 1]
    with _outputs(arguments, fails) as output:
        if run.config_of_arguments_is_usable(arguments):
            for target in run.targets(arguments.paths or ["."], arguments.stdin_filename):
                analysis = run.analyze(target)
                if analysis is not None:
                    report = report_of(analysis, run.shown(target), fixes=output.fixes)
                    run.summary.add(report, named=target.named)
                    output.document(Document(report, named=target.named, read=partial(str, analysis.source.text)))
                    # `--fix` goes here: the file must still hold the text that was read when it is written.
        output.finish(run.summary)
    if run.summary.broken or output.failed:
        return FAILED
    found = any(run.summary.counts[severity] for severity in fails)
    return FINDINGS if found and not arguments.exit_zero else CLEAN


def _outputs(arguments: argparse.Namespace, fails: tuple[str, ...]) -> Outputs:
    """The output to standard output, and those to files. Raises UsageError for a file that cannot be written."""
    wanted = FORMATS[arguments.output_format]
    # Only people need short lines: a program reads one finding from one line.
    width = max(shutil.get_terminal_size().columns, _NARROWEST) if sys.stdout.isatty() else None
    write: Callable[[str], object] = sys.stdout.write if wanted.people else write_utf8
    look = Look(_colored(arguments.color), arguments.quiet, width, fails=fails)
    return Outputs(arguments.output_format, wanted.load()(write, look), arguments.output, look)


def _colored(wanted: str) -> bool:
    """Whether text is colored: as `--color` says, else as NO_COLOR, else FORCE_COLOR, else on a terminal.

    Python's own tools have the same order.
    """
    if wanted != "auto":
        return wanted == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
