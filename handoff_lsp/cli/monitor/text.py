"""The rows as a table for a terminal, and the details of each work tree below it."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from handoff_lsp.cli.monitor.rows import WorktreeRow
from handoff_lsp.cli.monitor.words import (
    ago,
    commits_of,
    criteria_of,
    details_of,
    place_of,
    progress_of,
    status_of,
    summary_of,
)
from handoff_lsp.cli.output.table import cells, cut
from handoff_lsp.cli.printable import printable
from handoff_lsp.text.named_tuple import NamedTuple


class _Column(NamedTuple):
    """A column of the table. ``least`` is the fewest cells to which it is cut."""

    head: str
    least: int
    text: Callable[[WorktreeRow], str]


_PROGRESS = _Column("progress", 8, progress_of)
_COMMITS = _Column("commits", 7, lambda row: commits_of(row.branch))
# In place of that where there is no room; the details have the numbers by prefix.
_NUMBER = _Column("commits", 7, lambda row: str(len(row.branch.own) or "-"))
_COLUMNS = (
    _Column("agent", 10, lambda row: f"{'! ' if row.told else ''}{row.agent}"),
    _Column("status", 10, status_of),
    _PROGRESS,
    _Column("criteria", 8, criteria_of),
    _Column("updated", 7, lambda row: ago(row.age)),
    _COMMITS,
)
_GAP = 2
# A narrower terminal breaks the lines itself; `--watch` cuts them.
_NARROWEST = 40
# The most items of a list and the most lines of a detail.
_MOST = 5
_LINES = 3


def lines_of(rows: Sequence[WorktreeRow], here: Path, width: int) -> list[str]:
    """The table, the details and the summary, in lines of at most ``width`` cells."""
    width = max(width, _NARROWEST)
    columns = _columns(rows, width)
    widths = _widths(columns, rows, width)
    lines = [_line([column.head.upper() for column in columns], widths)]
    lines += [_line([printable(column.text(row)) for column in columns], widths) for row in rows]
    room = dict(zip(columns, widths, strict=True)).get(_PROGRESS, 0)
    for row in rows:
        details = list(details_of(row, _MOST))
        if cells(progress_of(row)) > max(room, 1):  # the table has only its beginning
            details.insert(len(row.told), ("progress", progress_of(row)))
        if details:
            lines += ["", *_head(row, here, width)]
            for name, text in details:
                lines += _detail(name, text, width)
    return [*lines, "", *_filled(summary_of(rows), width)]


def _columns(rows: Sequence[WorktreeRow], width: int) -> list[_Column]:
    """The columns for which there is room."""
    if _sum(_content(_COLUMNS, rows)) <= width:
        return list(_COLUMNS)
    columns = [*_COLUMNS[:-1], _NUMBER]
    for column in (_PROGRESS, _NUMBER):
        if _sum([column.least for column in columns]) > width:
            columns.remove(column)
    return columns


def _sum(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _content(columns: Sequence[_Column], rows: Sequence[WorktreeRow]) -> list[int]:
    """The width of each column with its whole content."""
    return [max([len(column.head), *(cells(column.text(row)) for row in rows)]) for column in columns]


def _widths(columns: Sequence[_Column], rows: Sequence[WorktreeRow], width: int) -> list[int]:
    """The width of each column: as wide as its content if all fit, else the widest are cut first."""
    wanted = [min(content, width) for content in _content(columns, rows)]
    least = [min(column.least, want) for column, want in zip(columns, wanted, strict=True)]
    while _sum(wanted) > width and wanted != least:
        spare = [want - few for want, few in zip(wanted, least, strict=True)]
        wanted[spare.index(max(spare))] -= 1
    return wanted


def _line(texts: Sequence[str], widths: Sequence[int]) -> str:
    parts = []
    for text, width in zip(texts, widths, strict=True):
        shown = cut(text, width)
        parts.append(shown + " " * (width - cells(shown)))
    return (" " * _GAP).join(parts).rstrip()


def _head(row: WorktreeRow, here: Path, width: int) -> Iterator[str]:
    shown = min((str(row.worktree.path), _relative(row.worktree.path, here)), key=len)
    parts = [row.agent, *([place_of(row)] if place_of(row) != row.agent else []), shown]
    for index, line in enumerate(_wrapped(printable(" · ".join(parts)), width - 2)):
        yield f"{'  ' if index else ''}{line}"


def _relative(path: Path, here: Path) -> str:
    try:
        return os.path.relpath(path, here)
    except ValueError:  # on another drive
        return str(path)


def _filled(parts: Sequence[str], width: int) -> list[str]:
    """Parts of a sentence in lines that break only between them."""
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1]) + 1 + len(part) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {part}".lstrip()
    return lines


def _detail(name: str, text: str, width: int) -> list[str]:
    """One detail, in a few lines."""
    room = width - 14
    parts = _wrapped(cut(printable(text), room * _LINES), room)[:_LINES]
    return [f"  {name if not index else '':<11} {part}".rstrip() for index, part in enumerate(parts)]


def _wrapped(text: str, room: int) -> list[str]:
    """A text in lines of at most ``room`` cells, between words where that is possible."""
    lines: list[str] = []
    for line in textwrap.wrap(text, room, break_on_hyphens=False) or [""]:
        while cells(line) > room:  # wide characters
            first = cut(line, room)[:-1] or line[0]
            lines.append(first)
            line = line[len(first) :]
        lines.append(line)
    return lines
