"""Run every cell, and write `docs/compare.md`. The arguments are the folders of the peers' programs."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.peers.page import mark, page
from benchmarks.peers.rows import every_row
from benchmarks.peers.run import run
from benchmarks.peers.tools import TOOLS, folder_of, version_of

PAGE = Path(__file__).parents[2] / "docs" / "compare.md"


def main(arguments: list[str]) -> int:
    """With `--show FEATURE`, print the runs of a feature and write nothing."""
    show = arguments[arguments.index("--show") + 1] if "--show" in arguments else ""
    names = [name for name in arguments if name not in ("--show", show)]
    folders = [Path(sys.executable).parent, *(Path(name).resolve() for name in names)]
    found = [
        (tool, folder)
        for tool in TOOLS
        if (folder := folder_of(tool, folders[:1] if tool is TOOLS[0] else folders[1:]))
    ]
    for tool in TOOLS:
        if tool not in [one for one, _ in found]:
            print(f"left out: {tool.name} is in none of the folders", file=sys.stderr)
    groups = every_row()
    cells = [
        (row, tool, folder) for _, rows in groups for row in rows for tool, folder in found if show in ("", row.feature)
    ]
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda cell: run(cell[1], cell[0].script_for(cell[1].name), [cell[2]]), cells))
    held = {(row.feature, tool.name): row.holds(ran) for (row, tool, _), ran in zip(cells, runs, strict=True)}
    if show:
        for (row, tool, _), ran in zip(cells, runs, strict=True):
            print(f"=== {tool.name}: {mark(row, tool, held[row.feature, tool.name])}, exit {ran.code}")
            print(tool.command(row.script_for(tool.name)), "---", ran.out[:1500], "---", ran.err[:800], sep="\n")
        return 0
    versions = [(tool, version_of(tool, folder)) for tool, folder in found]
    PAGE.write_text(page(groups, versions, held), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
