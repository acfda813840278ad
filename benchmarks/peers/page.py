"""The page `docs/compare.md`."""

from __future__ import annotations

from benchmarks.peers.rows import Row
from benchmarks.peers.tools import Tool

YES, NO = "●", "–"
_HEAD = """\
# Compared with its peers

The command lines of handoff-lsp and of five other checkers, compared by running them. They check other things: Python,
Markdown, the settings of agents, JSON. The table is about the work around the checks.

Each cell is the result of a run in a new folder. ●: the run showed the feature. A number: it did, with the limit below
the table. –: it did not. [The runs](#the-runs) have every command. Where a tool has no such option, the command is a
likely one that the tool refused.

This page is written by one command, run by hand in a clone of the repository:

```
python -m benchmarks.peers FOLDER…   # the folders of the peers' programs
```

`tests/test_compare.py` runs the column of handoff-lsp again, and fails if the page says anything else. A tool that is
missing from the folders is left out of the page. To install the peers into a folder, whose `bin` is to be named:

```
bash benchmarks/peers/install FOLDER
```
"""
_NOT_RUN = """\
Not compared: hooks for pre-commit and actions of GitHub, which are in the repositories and not in the packages, so they
do not run here; and speed, which has [a page of its own](speed.md). The package of agnix on PyPI has no
`agnix-lsp`, its language server: that cell is about the package. The runs were made by root on Linux.
"""


def mark(row: Row, tool: Tool, held: bool) -> str:
    """The cell without its footnote: ●, – or ◐ for a feature with a limit."""
    return NO if not held else "◐" if tool.name in row.notes else YES


def page(groups: list[tuple[str, list[Row]]], tools: list[tuple[Tool, str]], held: dict[tuple[str, str], bool]) -> str:
    """`tools`: with their versions. `held`: by feature and name of the tool."""
    notes: list[str] = []
    table = [
        "| | " + " | ".join(f"{tool.name} {version}" for tool, version in tools) + " |",
        "| --- |" + " :-: |" * len(tools),
    ]
    for title, rows in groups:
        table.append(f"| **{title}** |" + " |" * len(tools))
        for row in rows:
            cells = [_cell(row, tool, held[row.feature, tool.name], notes) for tool, _ in tools]
            table.append(f"| {row.feature} | " + " | ".join(cells) + " |")
    listed = [f"{number}. {note[0].upper()}{note[1:]}." for number, note in enumerate(notes, 1)]
    parts = [_HEAD, "\n".join(table), "", "\n".join(listed), "", _NOT_RUN, _runs(groups, tools, held)]
    return "\n".join(parts).rstrip() + "\n"


def _cell(row: Row, tool: Tool, held: bool, notes: list[str]) -> str:
    if not held or tool.name not in row.notes:
        return mark(row, tool, held)
    note = row.notes[tool.name]
    if note not in notes:
        notes.append(note)
    return str(notes.index(note) + 1)


def _runs(groups: list[tuple[str, list[Row]]], tools: list[tuple[Tool, str]], held: dict[tuple[str, str], bool]) -> str:
    parts = ["## The runs", "", "The files in the folder of each run:", "", "````"]
    for tool, _ in tools:
        for name, text in tool.files.items():
            parts += [f"# {tool.name}: {name}", *text.rstrip("\n").split("\n"), ""]
    parts += ["````", ""]
    for title, rows in groups:
        parts += [f"### {title}", ""]
        for row in rows:
            parts += [f"**{row.feature}**: {row.shows}.", "", "```sh"]
            for tool, _ in tools:
                parts += [f"# {tool.name} {mark(row, tool, held[row.feature, tool.name])}"]
                parts += [tool.command(row.script_for(tool.name)).rstrip()]
            parts += ["```", ""]
    return "\n".join(parts)
