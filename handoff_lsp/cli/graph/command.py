"""``handoff-lsp graph``: who emits what, who handles it, and where prompts and contracts disagree."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from pathlib import Path

from handoff_lsp.cli.checking.checked import checked
from handoff_lsp.cli.checking.progress import progress_for
from handoff_lsp.cli.new import check_place, write_file
from handoff_lsp.cli.output.utf8 import tell_skipped, write_utf8
from handoff_lsp.cli.run import Run
from handoff_lsp.cli.usage import CLEAN, FAILED, UsageError
from handoff_lsp.features.packs.gathering import PackGatherer, inside
from handoff_lsp.reports.pack import PackReport
from handoff_lsp.workspace.config.resolver import Resolver

# The format of a file, by its suffix.
_SUFFIXES = {".html": "html", ".htm": "html", ".json": "json", ".txt": "text"}


def graph(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    output, form = _output(arguments)
    try:
        run = Run(Resolver(explicit=arguments.config))
    except OSError as error:
        raise UsageError("the working folder is gone", "graph") from error
    run.progress = progress_for(quiet=output is None)
    if not run.config_of_arguments_is_usable(arguments):
        return FAILED
    paths = arguments.paths or ["."]
    gatherer = PackGatherer(run.resolver, run.files, run.shown_path)
    for path in paths:
        if path:
            gatherer.about(inside(Path(os.path.abspath(path))))
    try:
        for document in checked(run, run.targets(paths, None), fixes=False):
            run.summary.add(document.report, named=document.target.named)
            if document.target.path is not None:
                gatherer.add(document.target.path, document.report)
        run.summary.add_packs(gatherer.packs())
    except KeyboardInterrupt:
        return run.progress.interrupted()
    text = _made(run, form, paths, to_terminal=output is None)
    if output is None:
        (sys.stdout.write if form == "text" else write_utf8)(text)
    else:
        write_file(output, arguments.output, text, "graph", force=True)
    tell_skipped(run.summary)
    return FAILED if run.summary.broken else CLEAN


def _output(arguments: argparse.Namespace) -> tuple[Path | None, str]:
    """The file to write, None for standard output, and the format. Raises UsageError where they do not fit."""
    if "-" in arguments.paths:
        raise UsageError("`-` is no path of a workspace: name its folder", "graph")
    if arguments.output is None:
        return None, arguments.output_format or "text"
    path = Path(arguments.output)
    # It is written again and again, so it replaces the last one; a slip must not replace a prompt.
    by_suffix = _SUFFIXES.get(path.suffix.lower())
    if by_suffix is None or (arguments.output_format or by_suffix) != by_suffix:
        fit = next((suffix for suffix, form in _SUFFIXES.items() if form == arguments.output_format), None)
        ends = f"`{fit}`" if fit is not None else "`.html`, `.json` or `.txt`"
        raise UsageError(f"`{arguments.output}`: the file name must end in {ends}", "graph")
    check_place(path, arguments.output, "graph", force=True)
    return path, by_suffix


def _made(run: Run, form: str, paths: list[str], *, to_terminal: bool) -> str:
    """The text of the output."""
    summary = run.summary
    packs: tuple[PackReport, ...] = summary.packs or ()
    if form == "json":
        from handoff_lsp.cli.graph.json import json_of

        return json_of(packs, summary)
    if form == "html":
        from handoff_lsp.cli.graph.page import GraphPage, page_of

        unread = [(failed.shown, failed.reason) for failed in summary.failed]
        unread += [(skipped.shown, skipped.reason) for skipped in summary.skipped]
        return page_of(GraphPage(_title(paths), time.time(), packs, summary.files, unread))
    from handoff_lsp.cli.check import colored
    from handoff_lsp.cli.graph.text import text_of
    from handoff_lsp.cli.output.format import Look
    from handoff_lsp.cli.printable import inert

    is_terminal = to_terminal and sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if is_terminal else None
    return inert(text_of(packs, Look(color=to_terminal and colored("auto", sys.stdout), width=width)))


def _title(paths: list[str]) -> str:
    names = [os.path.basename(os.path.abspath(path)) or path for path in paths[:3]]
    return ", ".join(names) + (", …" if len(paths) > 3 else "")
