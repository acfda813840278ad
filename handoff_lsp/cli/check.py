"""``handoff-lsp check``: check files and folders, print the findings."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable
from functools import partial

from handoff_lsp.cli.checking.cached import cache_folder, cached
from handoff_lsp.cli.output.format import FORMATS, Document, Format, Look
from handoff_lsp.cli.output.utf8 import write_utf8
from handoff_lsp.cli.run import run_with
from handoff_lsp.cli.usage import CLEAN, FAILED, FINDINGS, SEVERITIES

# A narrower terminal breaks the lines itself.
_NARROWEST = 20


def check(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    run, output = run_with(arguments), _output(arguments)
    fixes = FORMATS[arguments.output_format].fixes
    if run.config_of_arguments_is_usable(arguments):
        targets = run.targets(arguments.paths or ["."], arguments.stdin_filename)
        for target, report, text in cached(run, targets, cache_folder(arguments), fixes=fixes):
            run.summary.add(report, named=target.named)
            output.document(Document(report, named=target.named, read=partial(str, text)))
    output.finish(run.summary)
    if run.summary.broken:
        return FAILED
    threshold = SEVERITIES[: SEVERITIES.index(arguments.fail_on) + 1]
    found = any(run.summary.counts[severity] for severity in threshold)
    return FINDINGS if found and not arguments.exit_zero else CLEAN


def _output(arguments: argparse.Namespace) -> Format:
    # Only people need short lines: a program reads one finding from one line.
    width = max(shutil.get_terminal_size().columns, _NARROWEST) if sys.stdout.isatty() else None
    write: Callable[[str], object] = sys.stdout.write if arguments.output_format == "text" else write_utf8
    look = Look(_colored(arguments.color), arguments.quiet, width)
    return FORMATS[arguments.output_format].load()(write, look)


def _colored(wanted: str) -> bool:
    if wanted != "auto":
        return wanted == "always"
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
