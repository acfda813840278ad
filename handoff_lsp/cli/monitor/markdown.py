"""The rows as Markdown, for the summary of a job or a comment. Text of others is only ever in code spans.

In a code span nothing is markup: no link, mention, reference, image or HTML.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from handoff_lsp.cli.monitor.rows import WorktreeRow
from handoff_lsp.cli.monitor.words import (
    ago,
    attention_of,
    commits_of,
    criteria_of,
    details_of,
    place_of,
    progress_of,
    status_of,
    summary_of,
)
from handoff_lsp.cli.printable import printable

_HEADS = ("agent", "status", "progress", "criteria", "updated", "commits", "attention")
# The most characters of a text, and the most items of a list.
_LONGEST = 200
_MOST = 20
_BACKTICKS = re.compile("`+")


def markdown_of(rows: Sequence[WorktreeRow]) -> str:
    """The table, and below it the details of each work tree."""
    lines = [f"| {' | '.join(_HEADS)} |", f"|{' --- |' * len(_HEADS)}"]
    lines += [f"| {' | '.join(_cells_of(row))} |" for row in rows]
    for row in rows:
        details = [f"- {name}: {code(text)}" if name else f"  - {code(text)}" for name, text in details_of(row, _MOST)]
        if details:
            lines += ["", f"**{code(row.agent)}** on {code(place_of(row))}", "", *details]
    return "\n".join([*lines, "", " ".join(summary_of(rows)), ""])


def code(text: str, *, in_table: bool = False) -> str:
    """A text of others as a code span on one line; ``-`` if it is empty."""
    line = " ".join(printable(text).split())
    line = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
    if in_table:
        line = line.replace("|", "¦")  # even in a code span it would end the cell
    if line in ("", "-"):
        return "-"
    fence = "`" * (max((len(run) for run in _BACKTICKS.findall(line)), default=0) + 1)
    # A blank on each side is no part of the text. One that has a backtick there needs it.
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def _cells_of(row: WorktreeRow) -> list[str]:
    texts = (row.agent, status_of(row), progress_of(row))
    ours = (criteria_of(row), ago(row.age))
    cells = [*(code(text, in_table=True) for text in texts), *ours, code(commits_of(row.branch), in_table=True)]
    return [*cells, f"**{attention_of(row)}**" if row.told else ""]
