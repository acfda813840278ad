"""Real git repositories for the tests."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

# The machine's own git config does not count.
_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{role}_NAME": "A" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_EMAIL": "a@b.invalid" for role in ("AUTHOR", "COMMITTER")},
}


class Repository:
    """A folder that git knows."""

    def __init__(self, path: Path) -> None:
        if shutil.which("git") is None:
            pytest.skip("git is not installed")
        self.path = path

    @classmethod
    def new(cls, path: Path, *arguments: str) -> Repository:
        """A repository without commits, on the branch ``main``."""
        made = cls(path)
        path.mkdir(parents=True, exist_ok=True)
        made.git("init", "-q", "-b", "main", *arguments)
        return made

    def git(self, *arguments: str) -> str:
        """What git prints, without the space around it."""
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, env={**os.environ, **_ENVIRONMENT}, capture_output=True, check=True
        )
        return done.stdout.decode("utf-8").strip()

    def write(self, name: str, text: str = "text\n") -> Path:
        """A file, which git does not know yet."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        return path

    def commit(self, message: str, *names: str) -> str:
        """Commit some files, or nothing. Returns the abbreviated hash."""
        if names:
            self.git("add", "-f", "--", *names)
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "--short", "HEAD")

    def worktree(self, path: Path, *arguments: str) -> Repository:
        """One more work tree."""
        self.git("worktree", "add", "-q", *arguments, str(path))
        return Repository(path)
