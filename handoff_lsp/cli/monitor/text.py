"""The rows as a table for a terminal, and the details of each work tree below it."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from handoff_lsp.cli.monitor.rows import Row
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

# The head of each column and its narrowest width in cells; the columns share what is left.
_COLUMNS = (("agent", 10), ("status", 9), ("progress", 10), ("criteria", 7), ("updated", 8), ("commits", 9))
_GAP = 2
_NARROWEST = 40
# The most items of a list and the most cells of a detail, in lines.
_MOST = 5
_LINES = 3


def lines_of(rows: Sequence[Row], here: Path, width: int) -> list[str]:
    """The table, the details and the summary, in lines of at most ``width`` cells."""
    width = max(width, _NARROWEST)
    texts = [[head.upper() for head, _ in _COLUMNS], *(_texts_of(row) for row in rows)]
    if _is_too_wide(texts, width):  # the details have the numbers by prefix
        texts = [
            texts[0],
            *([*line[:-1], str(len(row.branch.own) or "-")] for line, row in zip(texts[1:], rows, strict=True)),
        ]
    widths = _widths(texts, width)
    lines = [_line(line, widths) for line in texts]
    for row in rows:
        details = list(details_of(row, _MOST))
        if details:
            lines += ["", *_head(row, here, width)]
            for name, text in details:
                lines += _detail(name, text, width)
    return [*lines, "", *_filled(summary_of(rows), width)]


def _texts_of(row: Row) -> list[str]:
    mark = "! " if row.told else ""
    texts = (f"{mark}{row.agent}", status_of(row), progress_of(row), criteria_of(row))
    return [printable(text) for text in (*texts, ago(row.age), commits_of(row.branch))]


def _is_too_wide(lines: Sequence[Sequence[str]], width: int) -> bool:
    return sum(_content(lines)) + _GAP * (len(_COLUMNS) - 1) > width


def _content(lines: Sequence[Sequence[str]]) -> list[int]:
    return [max(cells(line[index]) for line in lines) for index in range(len(_COLUMNS))]


def _widths(lines: Sequence[Sequence[str]], width: int) -> list[int]:
    """The width of each column: as wide as its content if all fit, else the widest are cut first."""
    wanted = [min(content, width) for content in _content(lines)]
    least = [min(narrow, want) for (_, narrow), want in zip(_COLUMNS, wanted, strict=True)]
    room = width - _GAP * (len(_COLUMNS) - 1)
    while sum(wanted) > room and wanted != least:
        spare = [want - few for want, few in zip(wanted, least, strict=True)]
        wanted[spare.index(max(spare))] -= 1
    return wanted


def _line(texts: Sequence[str], widths: Sequence[int]) -> str:
    parts = []
    for text, width in zip(texts, widths, strict=True):
        shown = cut(text, width)
        parts.append(shown + " " * (width - cells(shown)))
    return (" " * _GAP).join(parts).rstrip()


def _head(row: Row, here: Path, width: int) -> Iterator[str]:
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
