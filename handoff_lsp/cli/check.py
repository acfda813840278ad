"""``handoff-lsp check``: check files and folders, print the findings."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from handoff_lsp.cli.checking.baseline import Baselines
from handoff_lsp.cli.checking.cached import cache_folder, cached
from handoff_lsp.cli.checking.checked import Checked
from handoff_lsp.cli.checking.fix_options import wants_fixes, writes_stdin
from handoff_lsp.cli.checking.progress import FileProgress
from handoff_lsp.cli.checking.selection import Selection, selection_of
from handoff_lsp.cli.output.files import Outputs
from handoff_lsp.cli.output.format import FORMATS, Document, Look
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.output.text import fix_line
from handoff_lsp.cli.output.utf8 import write_utf8
from handoff_lsp.cli.printable import inert
from handoff_lsp.cli.run import Run, run_with
from handoff_lsp.cli.usage import CLEAN, FAILED, FINDINGS, SEVERITIES, STDIN, UsageError

if TYPE_CHECKING:
    import argparse

    from handoff_lsp.features.packs.gathering import PackGatherer

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
    selection, baselines = selection_of(arguments, run.resolver), Baselines(run, arguments)
    with _outputs(arguments, run.progress) as output:
        return _checked(run, arguments, output, selection, baselines, wants=wants)


def _checked(
    run: Run,
    arguments: argparse.Namespace,
    output: Outputs,
    selection: Selection,
    baselines: Baselines,
    *,
    wants: bool,
) -> int:
    """Check the files into the outputs. Returns the exit code."""
    documents: Iterator[Checked] = iter(())
    gatherer = _gatherer(run, arguments)
    wanted = output.wants._replace(decisions=True) if gatherer is not None else output.wants
    if run.config_of_arguments_is_usable(arguments):
        found = run.found(arguments.paths or ["."], arguments.stdin_filename)
        if wants:
            from handoff_lsp.cli.checking.fixing import Fixing  # not before it is needed

            targets = run.progress.over(found)
            fixing = Fixing(run, unsafe=arguments.unsafe_fixes, wanted=wanted, chosen=selection.fixes)
            if arguments.diff:
                write = run.progress.writing(write_utf8)
                fixing.diff(targets, write, color=colored(arguments.color, sys.stdout))
            else:
                documents = fixing.write(targets, echo=writes_stdin(arguments))
        else:
            documents = cached(run, found, cache_folder(arguments), wanted)
    for document in documents:
        report = baselines.applied(document, selection.applied(document.report))
        if gatherer is not None and document.target.path is not None:
            gatherer.add(document.target.path, report)
        run.summary.add(report, named=document.target.named)
        if not arguments.fix_only:
            output.document(Document(report, named=document.target.named, read=partial(str, document.text)))
    if gatherer is not None:
        run.summary.add_packs(gatherer.packs())
    if not (arguments.diff or arguments.fix_only):
        baselines.finish(arguments)
        output.finish(run.summary)
    elif not arguments.quiet:
        sys.stdout.flush()
        print(fix_line(run.summary, would=arguments.diff), file=sys.stderr, flush=True)
    return FAILED if output.failed else _exit_code(run.summary, arguments)


def _gatherer(run: Run, arguments: argparse.Namespace) -> PackGatherer | None:
    """What gathers the packs around the paths, with `--drift`."""
    if not arguments.drift:
        return None
    from handoff_lsp.features.packs.gathering import PackGatherer, inside  # not before it is needed

    gatherer = PackGatherer(run.resolver, run.files, run.shown_path)
    for path in arguments.paths or ["."]:
        given = arguments.stdin_filename if path == STDIN else path
        gatherer.about(inside(Path(os.path.abspath(given or "."))))
    return gatherer


def _exit_code(summary: Summary, arguments: argparse.Namespace) -> int:
    if summary.broken:
        return FAILED
    if arguments.exit_zero:
        return CLEAN
    if summary.fixed and (arguments.diff or arguments.exit_non_zero_on_fix):
        return FINDINGS
    found = any(summary.counts[severity] for severity in _fails(arguments))
    return FINDINGS if found and not (arguments.diff or arguments.fix_only) else CLEAN


def _fails(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The severities that fail the run."""
    return SEVERITIES[: SEVERITIES.index(arguments.fail_on) + 1]


def _outputs(arguments: argparse.Namespace, progress: FileProgress) -> Outputs:
    """The output to standard output, and those to files. Raises UsageError for a file that cannot be written."""
    if arguments.output and (arguments.diff or arguments.fix_only):
        raise UsageError("`--output` needs findings, but `--diff` and `--fix-only` report none", "check")
    if arguments.drift and (arguments.diff or arguments.fix_only or arguments.statistics):
        raise UsageError("`--drift` needs findings, but `--diff`, `--fix-only` and `--statistics` print none", "check")
    if arguments.statistics and (arguments.diff or arguments.fix_only):
        raise UsageError("`--statistics` needs findings, but `--diff` and `--fix-only` report none", "check")
    checked = {_real(path) for path in arguments.paths if path != STDIN} - {""}
    for _, path in arguments.output:
        if _real(path) in checked and not os.path.isdir(path):
            raise UsageError(f"cannot write `{path}`: it is one of the checked files", "check")
    # Only people need short lines: a program reads one finding from one line.
    to_stderr = writes_stdin(arguments)
    stream = sys.stderr if to_stderr else sys.stdout
    width = _width() if stream.isatty() else None
    wanted = FORMATS[arguments.output_format]
    write: Callable[[str], object] = stream.write if wanted.people else partial(write_utf8, to_stderr=to_stderr)
    if wanted.log:
        write = _inert(write)
    color = colored(arguments.color, stream)
    look = Look(color, arguments.quiet, width, fails=_fails(arguments), because=arguments.because)
    load = wanted.load
    if arguments.statistics:
        from handoff_lsp.cli.checking.statistics import counts_format  # not before it is needed

        load = partial(counts_format, arguments.output_format)
    return Outputs(arguments.output_format, load()(progress.writing(write), look), arguments.output, look)


def _width() -> int:
    """The width of the terminal, in columns."""
    import shutil  # loads three libraries for compression

    return max(shutil.get_terminal_size().columns, _NARROWEST)


def _real(path: str) -> str:
    """The path without links; empty for a text that is no path."""
    try:
        return os.path.realpath(path)
    except ValueError:  # a null character
        return ""


def _inert(write: Callable[[str], object]) -> Callable[[str], object]:
    return lambda text: write(inert(text))


def colored(wanted: str, stream: TextIO) -> bool:
    """Whether text is colored: as `--color` says, else as NO_COLOR, else FORCE_COLOR, else on a terminal.

    Python itself has the same order.
    """
    if wanted != "auto":
        return wanted == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"
