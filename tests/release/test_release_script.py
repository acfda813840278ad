"""A tag is released only if every file that names the version names the tag's: the script that the workflow calls."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import handoff_lsp

ROOT = Path(__file__).parent.parent.parent
SCRIPT = ROOT / "scripts" / "release.py"

# Every file that names the version, with the words around it.
NAMING = {
    "handoff_lsp/__init__.py": '__version__ = "{}"',
    "editors/vscode/package.json": '"version": "{}"',
    "editors/zed/extension.toml": 'version = "{}"',
    "editors/zed/Cargo.toml": 'version = "{}"',
    "editors/neovim/submit/mason-registry/packages/handoff-lsp/package.yaml": "handoff-lsp@{}",
    "packaging/homebrew/Formula/handoff-lsp.rb": "handoff_lsp-{}.tar.gz",
    "packaging/mcp-registry/server.json": '"version": "{}"',
    "docs/ci.md": "v{}",
}
# Files that name it in several places.
SEVERAL = ("docs/ci.md", "packaging/mcp-registry/server.json")


@pytest.fixture
def ready(tmp_path: Path) -> Path:
    """A copy of the files that name the version, with version 9.8.7 in each, and its section in the changelog."""
    for name, words in NAMING.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        old = words.format(handoff_lsp.__version__)
        assert old in text, name
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(
            text.replace(old, words.format("9.8.7"), -1 if name in SEVERAL else 1), encoding="utf-8"
        )
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## Unreleased\n\n- Later.\n\n## 9.8.7 (2026-12-01)\n\n- One thing.\n- Another.\n"
        "\n## 9.8.6\n\n- Old.\n",
        encoding="utf-8",
    )
    (tmp_path / "scripts").mkdir()
    shutil.copy(SCRIPT, tmp_path / "scripts")
    return tmp_path


def run(root: Path, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, root / "scripts" / "release.py", *arguments], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_a_tag_with_its_version_in_every_file(ready: Path) -> None:
    assert run(ready, "check", "v9.8.7") == (0, "", "")
    assert run(ready, "notes", "v9.8.7") == (0, "- One thing.\n- Another.\n", "")


@pytest.mark.parametrize("name", NAMING)
def test_a_file_with_another_version(ready: Path, name: str) -> None:
    path = ready / name
    path.write_text(path.read_text(encoding="utf-8").replace("9.8.7", "9.8.6"), encoding="utf-8")
    code, _, errors = run(ready, "check", "v9.8.7")
    assert (code, errors) == (
        1,
        f"error: {name} has version 9.8.6, but the tag is v9.8.7: write 9.8.7 there\n",
    )


def test_a_changelog_that_does_not_know_the_version(ready: Path) -> None:
    path = ready / "CHANGELOG.md"
    path.write_text(path.read_text(encoding="utf-8").replace("9.8.7", "9.9"), encoding="utf-8")
    code, _, errors = run(ready, "check", "v9.8.7")
    assert (code, errors) == (
        1,
        "error: CHANGELOG.md has no text below a heading `## 9.8.7`: rename `## Unreleased`\n",
    )


@pytest.mark.parametrize("tag", ["9.8.7", "v9.8", "v9.8.7rc1", "v9.8.7-1", "latest", ""])
def test_a_tag_that_is_no_version(ready: Path, tag: str) -> None:
    code, _, errors = run(ready, "check", tag)
    assert (code, errors) == (1, f'error: the tag is "{tag}", but must be of the form v1.2.3\n')


def test_wrong_arguments() -> None:
    assert run(ROOT, "publish") == (2, "", "usage: python scripts/release.py check|notes TAG\n")


def test_the_files_agree_today() -> None:
    """The version of the clone is the same everywhere; only the changelog may still say `Unreleased`."""
    _, _, errors = run(ROOT, "check", f"v{handoff_lsp.__version__}")
    assert [line for line in errors.splitlines() if "CHANGELOG.md" not in line] == []
