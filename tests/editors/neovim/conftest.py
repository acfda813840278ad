"""A workspace of its own for each file of tests, and one Neovim for all tests of a file that need no other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from editors.neovim.driver import Neovim, neovim

from editors import workspace as made


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> made.Workspace:
    return made.make(tmp_path_factory.mktemp("neovim"))


@pytest.fixture(scope="module")
def editor(workspace: made.Workspace) -> Iterator[Neovim]:
    with neovim(workspace) as running:
        yield running
