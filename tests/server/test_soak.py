"""A short soak: the work of `benchmarks/soak.py` in small. Memory is counted, and no clock counts."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path

import pytest
from fuzz.editor import Editor, Kind, LateClock, hurried

from benchmarks.soak import PICTURE, ROWS, Work
from benchmarks.soak_picture import picture

# What a server may need more (MB) after the first third of some hundred edits; a contract kept by mistake is 0.3.
_MORE = 25


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux's")
@pytest.mark.parametrize("pull", [True, False], ids=["pull", "push"])
def test_some_minutes_of_work(tmp_path: Path, pull: bool) -> None:
    with tempfile.TemporaryFile() as stderr:
        work = Work(tmp_path.resolve(), 20, stderr, pull=pull, files=20)
        try:
            rows = [work.row(60) for _ in range(6)]
        finally:
            work.end()
        stderr.seek(0)
        assert (work.ours.logged, stderr.read()) == ([], b"")
    assert rows[-1].edits == 360
    assert rows[-1].megabytes - rows[1].megabytes < _MORE


def test_the_picture_is_that_of_the_rows() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(json.loads(ROWS.read_text(encoding="utf-8"))["rows"])


def test_nothing_is_kept_of_a_notification(tmp_path: Path) -> None:
    """pygls keeps the futures of the handlers that it calls for another one, as when folders are opened and closed."""

    async def session() -> list[object]:
        with hurried(LateClock()):
            editor = Editor(Kind(pull=True, watch=True, parts=False, encoding="utf-16"), [tmp_path])
            await editor.start()
            for folders in ([], [tmp_path]) * 3:
                editor.set_folders(folders)
            await editor.settle()
            kept = list(editor._server.protocol._request_futures.values())
            editor.end()
        return kept

    assert asyncio.run(session()) == []
