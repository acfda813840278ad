"""Running the command as its users do, and documents to run it on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.documents import BAD

ROOT = Path(__file__).parents[2]


Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture(autouse=True)
def width(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 100 columns, wherever the tests run."""
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run ``python -m handoff_lsp`` in ``tmp_path``, with ``stdin`` as its input."""

    def run_(
        *arguments: str, stdin: bytes = b"", cwd: Path | None = None, **env: str
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "handoff_lsp", *arguments],
            input=stdin,
            capture_output=True,
            cwd=cwd or tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), **env},
            timeout=60,
        )

    return run_


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def bad(here: Path) -> Path:
    """A handoff with one error, ``a-handoff.md`` in the working folder: its line 4 is `compleet`."""
    path = here / "a-handoff.md"
    path.write_text(BAD, encoding="utf-8")
    return path
