"""An agent's working folder, and the hook as agents run it: a command with JSON on its standard input."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli.hooks.told import PATH

from handoff_lsp.cli.main import main

ROOT = Path(__file__).parents[3]

# The answer to the agent; None for no output.
Answer = dict[str, Any] | None


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The agent's working folder, with a `.git`; the hook's memory is kept outside of it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "caches"))
    monkeypatch.setenv("HOME", str(tmp_path / "caches"))
    folder = tmp_path / "a project"
    (folder / ".git").mkdir(parents=True)
    (folder / PATH).parent.mkdir(parents=True)
    return folder


@pytest.fixture
def command(root: Path) -> Callable[..., Answer]:
    """Run ``handoff-lsp hook AGENT`` as a process of its own, in another folder than the agent's."""

    def run(agent: str, event: dict[str, Any], *options: str) -> Answer:
        done = subprocess.run(
            [sys.executable, "-m", "handoff_lsp", "hook", agent, *options],
            input=json.dumps(event).encode(),
            capture_output=True,
            cwd=root.parent,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return json.loads(done.stdout) if done.stdout else None

    return run


@pytest.fixture
def hook(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """The same in this process: the answer, and the text on standard error. The same event twice is two events."""
    monkeypatch.setattr("handoff_lsp.cli.hooks.judge._AT_ONCE", 0.0)

    def run(agent: str, event: dict[str, Any] | bytes, *options: str) -> tuple[Answer, str]:
        data = event if isinstance(event, bytes) else json.dumps(event).encode()
        monkeypatch.chdir(root.parent)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert main(["hook", agent, *options]) == 0
        told = capsys.readouterr()
        return json.loads(told.out) if told.out else None, told.err

    return run
