"""What is installed, as the server's start and the cache of the command compare it with an earlier time."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoff_lsp.workspace.disk import installed as module
from handoff_lsp.workspace.disk.installed import installed


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a package that `installed` reads in place of this one."""
    disk = tmp_path / "handoff_lsp" / "workspace" / "disk"
    disk.mkdir(parents=True)
    monkeypatch.setattr(module, "__file__", str(disk / "installed.py"))
    (disk / "walking.py").write_text("")
    return disk


def test_the_lock_of_an_editor_in_the_package_does_not_end_the_start(folder: Path) -> None:
    before = installed()
    (folder / ".#installed.py").symlink_to("ada@host.4711")  # as Emacs makes it: a link to nothing
    assert installed() == before
    (folder / "walking.py").write_text("pass")
    assert installed() != before, "what comes after it counts"


def test_each_file_and_its_folder_counts_but_not_what_python_compiles(folder: Path) -> None:
    before = installed()
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "walking.pyc").write_text("")
    assert installed() == before
    (folder.parent / "other").mkdir()
    (folder / "walking.py").rename(folder.parent / "other" / "walking.py")
    assert installed() != before
    (folder.parent / "other" / "walking.py").rename(folder / "walking.py")
    (folder.parent / "other").rmdir()
    assert installed() == before
    (folder / "ja.mo").write_text("")
    assert installed() != before
