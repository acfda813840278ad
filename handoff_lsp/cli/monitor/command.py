"""``handoff-lsp monitor``: the agents of all work trees in one table."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from handoff_lsp.cli.monitor.reading import Reader
from handoff_lsp.cli.monitor.rows import CONCERNS, WorktreeRow
from handoff_lsp.cli.output.table import cut
from handoff_lsp.cli.output.utf8 import write_utf8
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.usage import CLEAN, FAILED, FINDINGS, UsageError, did_you_mean
from handoff_lsp.workspace.disk.git_program import GitError

# Sequences for a terminal: go to the first place, erase to the end of the line, and of the screen.
_HOME, _REST_OF_LINE, _REST = "\x1b[H", "\x1b[K", "\x1b[J"
_CLEAR = "\x1b[2J"


def monitor(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    failing = _failing(arguments.fail_on)
    if failing and arguments.watch is not None:
        raise UsageError("`--fail-on` cannot be combined with `--watch`, which ends with Ctrl-C", "monitor")
    try:
        folder = Path(os.path.abspath(arguments.path))
    except OSError as error:
        raise UsageError("the working folder is gone", "monitor") from error
    if not os.path.isdir(folder):
        raise UsageError(f"no such folder: {arguments.path}", "monitor")
    try:
        if arguments.watch is not None:
            _watch(folder, arguments)
        rows = _rows(folder, arguments)
    except GitError as error:
        print(f"handoff-lsp: error: {printable(str(error))}", file=sys.stderr)
        return FAILED
    _print(rows, arguments)
    return FINDINGS if any(row.concerns & failing for row in rows) else CLEAN


def _rows(folder: Path, arguments: argparse.Namespace) -> list[WorktreeRow]:
    """The work trees as they are now. Raises GitError, and UsageError for a broken config in the arguments."""
    reader = Reader(folder, arguments.config, arguments.base)
    if arguments.config is not None and (problems := reader.problems(folder)):
        raise UsageError(problems[0], "monitor")
    return reader.read(time.time(), arguments.stale)


def _failing(given: str | None) -> frozenset[str]:
    """The concerns of `--fail-on`. Raises UsageError for an unknown one."""
    names = [name.strip() for name in (given or "").split(",")] if given is not None else []
    for name in names:
        if name not in CONCERNS:
            meant = did_you_mean(name, CONCERNS) or f": it is one of {', '.join(CONCERNS)}"
            raise UsageError(f"argument --fail-on: unknown name `{name}`{meant}", "monitor")
    return frozenset(names)


def _watch(folder: Path, arguments: argparse.Namespace) -> NoReturn:
    """Print the work trees again and again, until Ctrl-C. Raises GitError."""
    on_screen = sys.stdout.isatty() and arguments.output_format == "text"
    if on_screen:
        sys.stdout.write(_CLEAR)
    while True:
        rows = _rows(folder, arguments)
        if on_screen:
            _redraw(_lines(rows))
        else:
            _print(rows, arguments)
        sys.stdout.flush()
        time.sleep(arguments.watch)


def _redraw(lines: Sequence[str]) -> None:
    """Write over the last picture, all at once, so that nothing flickers."""
    size = shutil.get_terminal_size()
    height = max(size.lines - 1, 2)
    if len(lines) > height:
        lines = [*lines[: height - 1], f"… {len(lines) - height + 1:,} more lines"]
    # A line that the terminal breaks would take a second row.
    shown = (cut(line, size.columns) for line in lines)
    sys.stdout.write(_HOME + "".join(f"{_REST_OF_LINE}{line}\n" for line in shown) + _REST)


def _lines(rows: Sequence[WorktreeRow]) -> list[str]:
    from handoff_lsp.cli.monitor.text import lines_of

    return lines_of(rows, Path(os.path.abspath(".")), shutil.get_terminal_size((100, 24)).columns)


def _print(rows: Sequence[WorktreeRow], arguments: argparse.Namespace) -> None:
    if arguments.output_format == "json":
        from handoff_lsp.cli.monitor.data import data_of
        from handoff_lsp.reports.data import json_line

        write_utf8("".join(f"{json_line(data_of(row))}\n" for row in rows))
    elif arguments.output_format == "markdown":
        from handoff_lsp.cli.monitor.markdown import markdown_of

        write_utf8(markdown_of(rows))
    else:
        sys.stdout.write("".join(f"{line}\n" for line in _lines(rows)))
