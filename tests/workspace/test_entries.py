"""The continuations of a path in a document: the files and folders of the workspace, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.known_files import MAX_ENTRIES
from handoff_lsp.workspace.store import Workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("ws/src/a.py", "ws/.env", "ws/.git/config", "ws/.agent/status.json", "ws/docs/notes.md", "other/x.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    return tmp_path / "ws"


def entries(root: Path, folder: str = "", name: str = "docs/report.md", *opened: str) -> list[str]:
    workspace = Workspace(Resolver())
    workspace.set_folders([root])
    for path in opened:
        workspace.open((root / path).as_uri(), root / path, 1, "")
    found = workspace.project.entries(str(root / name), folder)
    return [f"{'.' if entry.beside else ''}:{entry.name}{'/' * entry.is_folder}" for entry in found]


def test_from_the_root_and_then_from_the_documents_folder(root: Path) -> None:
    assert entries(root) == [":.agent/", ":docs/", ":src/", ".:notes.md"]
    assert entries(root, "src/") == [":a.py"]
    assert entries(root, "", "report.md") == [":.agent/", ":docs/", ":src/"]
    assert entries(root, "nowhere/") == []


def test_not_the_document_itself(root: Path) -> None:
    assert entries(root, "docs/", "docs/notes.md") == []


@pytest.mark.parametrize("folder", ["../", "../../", "../other/", "/", "~/", "docs/../../", "\0/", f"{'x/' * 600}"])
def test_nothing_outside(root: Path, folder: str) -> None:
    assert entries(root, folder, "report.md") == []


def test_no_links(root: Path) -> None:
    (root / "link").symlink_to(root.parent / "other")
    (root / "link.py").symlink_to(root.parent / "other/x.py")
    assert entries(root, "", "report.md") == [":.agent/", ":docs/", ":src/"]
    assert entries(root, "link/") == []


def test_open_documents_that_are_not_on_disk(root: Path) -> None:
    assert entries(root, "", "report.md", "new.md", "more/deep/new.md", ".cache/x.md") == [
        ":.agent/",
        ":docs/",
        ":more/",
        ":new.md",
        ":src/",
    ]
    assert entries(root, "more/", "report.md", "more/deep/new.md") == [":deep/"]


def test_hidden_folders(root: Path) -> None:
    for name in (".atl/skill-registry.md", ".cache/x.md", ".venv/x.md", ".DS_Store"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).touch()
    opened = (".cursor/new.md", ".npm/new.md", ".draft.md")
    assert entries(root, "", "report.md", *opened) == [":.agent/", ":.atl/", ":.cursor/", ":docs/", ":src/"]
    assert entries(root, ".atl/", "report.md") == [":skill-registry.md"]


def test_what_the_config_leaves_out(root: Path) -> None:
    (root / ".handoff-lsp.toml").write_text('exclude = ["src"]\n', encoding="utf-8")
    assert entries(root, "", "report.md") == [":.agent/", ":docs/"]


def test_a_very_large_folder(root: Path) -> None:
    for number in range(MAX_ENTRIES + 10):
        (root / f"src/{number}.py").touch()
    assert len(entries(root, "src/")) == MAX_ENTRIES
