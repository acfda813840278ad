"""The hooks of ``.pre-commit-hooks.yaml``, as pre-commit runs them from a clone of this repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from cli.documents import BAD
from pre_commit.clientlib import load_manifest

from handoff_lsp.recognition.paths import DATA_SUFFIXES

ROOT = Path(__file__).parents[2]
HOOKS = ROOT / ".pre-commit-hooks.yaml"
GOOD = BAD.replace("compleet", "complete")


def test_the_hooks_are_valid() -> None:
    load_manifest(str(HOOKS))


def test_the_hooks_get_every_file_that_may_be_a_handoff() -> None:
    import re

    for hook in yaml.safe_load(HOOKS.read_text(encoding="utf-8")):
        data = DATA_SUFFIXES if hook["id"] != "handoff-lsp-sync" else ()  # marked copies are in Markdown
        for suffix in (".md", ".markdown", ".MD", *data):
            assert re.search(hook["files"], f"a/b{suffix}")
        for name in ("a.py", "md", "a.md.bak"):
            assert not re.search(hook["files"], name)


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the working tree of this one as its only commit."""
    folder = tmp_path_factory.mktemp("clone")
    listed = subprocess.check_output(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT)
    for name in filter(None, listed.decode().split("\0")):
        if not name.startswith(("tests/", "editors/", "benchmarks/")) and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    git(folder, "init", "-q")
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-qm", "all")
    return folder


def test_the_hooks_run(clone: Path, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    git(repository, "init", "-q")

    def hook(name: str) -> tuple[int, str]:
        git(repository, "add", "-A")
        command = [sys.executable, "-m", "pre_commit", "try-repo", str(clone), name, "--all-files", "--color=never"]
        home = {"PRE_COMMIT_HOME": str(clone.parent / "home")}
        done = subprocess.run(
            command, cwd=repository, env={**os.environ, **home}, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    (repository / "a-handoff.md").write_text(GOOD, encoding="utf-8")
    (repository / "package.json").write_text("{}", encoding="utf-8")
    code, told = hook("handoff-lsp")
    assert code == 0, told

    (repository / "old").mkdir()
    (repository / "old" / "b-handoff.md").write_text(BAD, encoding="utf-8")
    code, told = hook("handoff-lsp")
    assert code == 1
    assert "old/b-handoff.md:4:1: error[invalid-value]" in told

    (repository / ".handoff-lsp.toml").write_text('exclude = ["old"]\n', encoding="utf-8")
    code, told = hook("handoff-lsp")
    assert code == 0, told

    shutil.copyfile(ROOT / "examples" / "turn-report.md", repository / "turn.md")  # it has a trailing comma
    assert '"done",\n' in (repository / "turn.md").read_text(encoding="utf-8")
    code, told = hook("handoff-lsp-fix")
    assert code == 1
    assert "files were modified by this hook" in told
    assert '"done"\n' in (repository / "turn.md").read_text(encoding="utf-8")
