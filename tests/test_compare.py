"""The column of handoff-lsp in `docs/compare.md`: every feature is there, and each cell is the result of its run."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from benchmarks.peers.page import NO, YES, mark
from benchmarks.peers.rows import Row, every_row
from benchmarks.peers.run import run
from benchmarks.peers.tools import TOOLS

PAGE = (Path(__file__).parent.parent / "docs" / "compare.md").read_text(encoding="utf-8")
OURS = TOOLS[0]
ROWS = [row for _, rows in every_row() for row in rows]
BIN = Path(sys.executable).parent


def on_the_page() -> dict[str, str]:
    """The feature of each row of the table, and the cell of handoff-lsp."""
    cells = [
        [cell.strip() for cell in line.strip("| ").split(" | ")] for line in PAGE.splitlines() if line.startswith("| ")
    ]
    return {row[0]: row[1] for row in cells if len(row) > 1 and row[1] in (YES, NO)}


def test_the_page_has_every_feature() -> None:
    assert list(on_the_page()) == [row.feature for row in ROWS]


def test_the_page_has_every_command_of_ours() -> None:
    for row in ROWS:
        assert OURS.command(row.script_for(OURS.name)).rstrip() in PAGE, row.feature


@pytest.mark.skipif(not shutil.which("bash") or not shutil.which("script"), reason="no bash or no script of util-linux")
@pytest.mark.parametrize("row", ROWS, ids=[row.feature for row in ROWS])
def test_the_cell_is_the_result_of_the_run(row: Row) -> None:
    assert mark(row, OURS, row.holds(run(OURS, row.script_for(OURS.name), [BIN]))) == on_the_page()[row.feature]
