"""``handoff-lsp report``: an HTML page about the handoffs of folders, or of all work trees of a repository."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from handoff_lsp.cli.checking.progress import progress_for
from handoff_lsp.cli.monitor.reading import Reader
from handoff_lsp.cli.monitor.rows import WorktreeRow
from handoff_lsp.cli.new import check_place, write_file
from handoff_lsp.cli.output.utf8 import write_utf8
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.report.collecting import add, finish, said_of
from handoff_lsp.cli.report.data import Collected
from handoff_lsp.cli.report.page import page_of
from handoff_lsp.cli.run import Input, Run
from handoff_lsp.cli.usage import CLEAN, FAILED, UsageError
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk.git_program import GitError


def report(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    output = _output(arguments)
    try:
        run = Run(Resolver(explicit=arguments.config))
    except OSError as error:
        raise UsageError("the working folder is gone", "report") from error
    run.progress = progress_for(quiet=output is None)
    if not run.config_of_arguments_is_usable(arguments):
        return FAILED
    collected = Collected(_title(arguments.paths or ["."]), time.time())
    try:
        if arguments.worktrees:
            _worktrees(run, arguments, collected)
        else:
            _add(run, run.targets(arguments.paths or ["."], None), collected)
    except GitError as error:
        print(f"handoff-lsp: error: {printable(str(error))}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return run.progress.interrupted()
    summary = run.summary
    collected.unread += [(failed.shown, failed.reason) for failed in summary.failed]
    collected.unread += [(skipped.shown, skipped.reason) for skipped in summary.skipped]
    finish(collected)
    page = page_of(collected)
    if output is None:
        write_utf8(page)
    else:
        write_file(output, arguments.output, page, "report", force=True)
    return FAILED if summary.broken else CLEAN


def _output(arguments: argparse.Namespace) -> Path | None:
    """The file to write, None for standard output. Raises UsageError for one that is surely meant to be kept."""
    if arguments.output is None:
        return None
    path = Path(arguments.output)
    # It is written again and again, so it replaces the last page; a slip must not replace a handoff.
    if path.suffix.lower() not in {".html", ".htm"}:
        raise UsageError(f"`{arguments.output}`: the file name must end in `.html`", "report")
    check_place(path, arguments.output, "report", force=True)
    return path


def _title(paths: list[str]) -> str:
    names = [os.path.basename(os.path.abspath(path)) or path for path in paths[:3]]
    return ", ".join(names) + (", …" if len(paths) > 3 else "")


def _add(run: Run, targets: Iterator[Input], collected: Collected) -> None:
    for target in targets:
        analysis = run.analyze(target)
        if analysis is not None:
            add(collected, analysis, run.shown(target), run.resolver.registry(target.path))


def _worktrees(run: Run, arguments: argparse.Namespace, collected: Collected) -> None:
    """Add all work trees of a repository.

    A file counts once if its path, text, findings and decisions are the same in an earlier work tree. Raises GitError.
    """
    if len(arguments.paths) > 1:
        raise UsageError("`--worktrees` takes one folder, in the repository", "report")
    given = (arguments.paths or ["."])[0]
    if not os.path.isdir(given):
        raise UsageError(f"no such folder: {given}", "report")
    rows = Reader(Path(os.path.abspath(given)), arguments.config).read(collected.now, None)
    collected.rows = tuple(rows)
    roots = [row.worktree.path for row in rows if row.gone is None]
    main = next((row.worktree.path for row in rows if row.worktree.is_main), None)
    names = {root: _name_of(root, roots) for root in roots}
    if rows:
        collected.title = rows[0].worktree.path.name
    seen: set[tuple[object, ...]] = set()
    for target in run.targets(_paths(run, rows), None):
        text = run.read(target)
        if text is None or target.path is None:
            continue
        root = max((root for root in roots if target.path.is_relative_to(root)), key=lambda root: len(root.parts))
        analysis = run.analysis(target, text)
        if analysis is None:
            continue
        path, registry = target.path.relative_to(root).as_posix(), run.resolver.registry(target.path)
        # The files around it may differ, and so the decision about it.
        key = (path, text, said_of(analysis, path, registry))
        if key in seen:
            collected.same += 1
            continue
        seen.add(key)
        # Short, and without the folders of this machine, for the page may go elsewhere.
        add(collected, analysis, path if root == main else f"{names[root]}/{path}", registry)


def _name_of(root: Path, roots: Sequence[Path]) -> str:
    """The shortest unique name of a work tree: its last folder, with those above it as needed."""
    tails = (root.parts[-length:] for length in range(1, len(root.parts)))
    own = next((tail for tail in tails if sum(other.parts[-len(tail) :] == tail for other in roots) == 1), root.parts)
    return Path(*own).as_posix()


def _paths(run: Run, rows: list[WorktreeRow]) -> list[str]:
    """The folders of the work trees, and the files with the state of the agents in them, which git usually ignores."""
    paths: list[str] = []
    for row in rows:
        if row.gone is not None:
            continue
        root = row.worktree.path
        paths.append(str(root))
        for entry in run.resolver.registry(root / "_"):
            paths += [str(root / place) for place in entry.contract.locations if os.path.isfile(root / place)]
    return paths
