"""``handoff-lsp check``: check files and folders, print the findings."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import TextIO

from handoff_lsp.cli.checking.cached import cache_folder, cached
from handoff_lsp.cli.checking.checked import Checked
from handoff_lsp.cli.checking.fix_options import wants_fixes, writes_stdin
from handoff_lsp.cli.checking.progress import Progress
from handoff_lsp.cli.checking.selection import selection_of
from handoff_lsp.cli.checking.statistics import counts_format
from handoff_lsp.cli.output.format import FORMATS, Document, Format, Look
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.output.text import fix_line
from handoff_lsp.cli.output.utf8 import write_utf8
from handoff_lsp.cli.run import Run, run_with
from handoff_lsp.cli.usage import CLEAN, FAILED, FINDINGS, SEVERITIES

# A narrower terminal breaks the lines itself.
_NARROWEST = 20


def check(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    run = run_with(arguments)
    try:
        return _check(run, arguments)
    except KeyboardInterrupt:
        return run.progress.interrupted()


def _check(run: Run, arguments: argparse.Namespace) -> int:
    wants = wants_fixes(arguments)
    output = _output(arguments, run.progress)
    selection = selection_of(arguments, run.resolver)
    fixes = FORMATS[arguments.output_format].fixes
    documents: Iterator[Checked] = iter(())
    if run.config_of_arguments_is_usable(arguments):
        targets = run.targets(arguments.paths or ["."], arguments.stdin_filename)
        if wants:
            from handoff_lsp.cli.checking.fixing import Fixing  # not before it is needed

            fixing = Fixing(run, unsafe=arguments.unsafe_fixes, fixes=fixes)
            if arguments.diff:
                fixing.diff(targets, write_utf8, color=_colored(arguments.color, sys.stdout))
            else:
                documents = fixing.write(targets)
        else:
            documents = cached(run, targets, cache_folder(arguments), fixes=fixes)
    for target, whole, text in documents:
        report = selection.applied(whole)
        run.summary.add(report, named=target.named)
        if not arguments.fix_only:
            output.document(Document(report, named=target.named, read=partial(str, text)))
    if arguments.diff or arguments.fix_only:
        if not arguments.quiet:
            sys.stdout.flush()
            print(fix_line(run.summary, would=arguments.diff), file=sys.stderr, flush=True)
    else:
        output.finish(run.summary)
    return _exit_code(run.summary, arguments)


def _exit_code(summary: Summary, arguments: argparse.Namespace) -> int:
    if summary.broken:
        return FAILED
    if arguments.exit_zero:
        return CLEAN
    if summary.fixed and (arguments.diff or arguments.exit_non_zero_on_fix):
        return FINDINGS
    threshold = SEVERITIES[: SEVERITIES.index(arguments.fail_on) + 1]
    found = any(summary.counts[severity] for severity in threshold)
    return FINDINGS if found and not (arguments.diff or arguments.fix_only) else CLEAN


def _output(arguments: argparse.Namespace, progress: Progress) -> Format:
    # Only people need short lines: a program reads one finding from one line.
    to_stderr = writes_stdin(arguments)
    stream = sys.stderr if to_stderr else sys.stdout
    width = max(shutil.get_terminal_size().columns, _NARROWEST) if stream.isatty() else None
    write: Callable[[str], object] = stream.write
    if arguments.output_format != "text":
        write = partial(write_utf8, to_stderr=to_stderr)
    look = Look(_colored(arguments.color, stream), arguments.quiet, width)
    load = FORMATS[arguments.output_format].load
    if arguments.statistics:
        load = partial(counts_format, arguments.output_format)
    return load()(progress.writing(write), look)


def _colored(wanted: str, stream: TextIO) -> bool:
    if wanted != "auto":
        return wanted == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
