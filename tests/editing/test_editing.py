"""The views of the documents in ``tests/editing/cases``, from a real server, in each position encoding."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from editing.cases_of_editing import Case, read_cases
from editing.editor import Editor, Server

CASES = read_cases()
ENCODINGS = ("utf-8", "utf-16", "utf-32")


@pytest.fixture(scope="module", params=ENCODINGS)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server that all cases share."""
    started = Server(request.param)
    with started.client:
        yield started


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(server: Server, case: Case, tmp_path: Path) -> None:
    editor = Editor(server, case, tmp_path)
    try:
        for view in case.views:
            module = importlib.import_module(f"editing.views.{view.name.replace('-', '_')}")
            found = module.view(editor, view.words)
            assert _lines(found) == _lines(view.expected), f"the view {view.name} is\n{found}"
    finally:
        editor.close()


def _lines(text: str) -> list[str]:
    return text.rstrip("\n").split("\n")
