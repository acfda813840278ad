"""A workspace with handoffs for an editor to open, and the server under test as the `handoff-lsp` on its PATH."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import handoff_lsp

ROOT = Path(handoff_lsp.__file__).parents[1]

# The defects: no Status, no Status reason, two sections missing, and a verdict after an emoji on its line.
WRONG = "日本 maybe"
HANDOFF = f"""# Board title 🚀 — Handoff from Backend Developer

## Abstract

```yaml
outcome: Board titles can be set
verdict: 🚀{WRONG}
files: 0 created, 0 modified, 0 deleted
next_phase: dod-checker
open_questions: 0
```

## Files Created

- none
"""
VERDICT_LINE = 7
STATUS_FIX = "Insert the Status block"

ORDINARY = """# Notes 🚀

## Status

whatever

**Status**: not a handoff
"""

AGENT_STATUS = """{
  "agent_id": "worker-7f3c",
  "agent_type": "worker",
  "status": "running",
  "task": "🚀 Teach the importer to read tabs",
  "progress": "Starting...",
  "last_checkpoint": null,
  "started_at": "2026-03-02T08:00:00Z",
  "updated_at": "2026-03-02T08:00:00Z",
}
"""


@dataclass(frozen=True)
class Workspace:
    """The places of its files. All names have a blank and a letter outside ASCII, as users' folders may have."""

    root: Path
    handoff: Path
    ordinary: Path
    status: Path
    bin: Path
    started: Path  # the process ids of the servers that were started, one per line
    asked: Path  # those of the commands that only answered and ended

    @property
    def environment(self) -> dict[str, str]:
        """The environment for an editor: the server on PATH, and none of the user's own settings."""
        home = str(self.root.parent)
        return {
            "PATH": os.pathsep.join([str(self.bin), os.environ.get("PATH", os.defpath)]),
            "HOME": home,
            "XDG_CONFIG_HOME": f"{home}/.config",
            "XDG_CACHE_HOME": f"{home}/.cache",
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm-256color",
        }

    def servers(self) -> list[int]:
        """The process ids of the servers started so far."""
        return [int(line) for line in self.started.read_text().split()] if self.started.exists() else []

    def questions(self) -> list[int]:
        """The process ids of the other commands that were run so far: each answers and ends."""
        return [int(line) for line in self.asked.read_text().split()] if self.asked.exists() else []

    def ended(self, timeout: float = 30) -> bool:
        """Whether all processes are gone, waiting for it."""
        return wait_until(lambda: not any(map(_alive, [*self.servers(), *self.questions()])), timeout)


def make(folder: Path) -> Workspace:
    """The workspace, in a folder that is a git repository as far as editors look."""
    root = folder / "my プロジェクト"
    found = Workspace(
        root,
        root / "handoffs" / "board" / "board-dev-handoff.md",
        root / "notes.md",
        root / ".agent" / "status.json",
        folder / "bin",
        folder / "started",
        folder / "asked",
    )
    for path, text in ((found.handoff, HANDOFF), (found.ordinary, ORDINARY), (found.status, AGENT_STATUS)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (root / ".git").mkdir()
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (root / ".handoff-lsp.toml").write_text("[editor]\nwait-while-typing = false\n")
    found.bin.mkdir()
    command = found.bin / "handoff-lsp"
    command.write_text(
        f'#!/bin/sh\ncase " $* " in *" server "*) list={shlex.quote(str(found.started))} ;;'
        f' *) list={shlex.quote(str(found.asked))} ;; esac\necho $$ >> "$list"\n'
        f'PYTHONPATH={shlex.quote(str(ROOT))} exec {shlex.quote(sys.executable)} -m handoff_lsp "$@"\n'
    )
    command.chmod(0o755)
    return found


def awaited(condition: Callable[[], Any], timeout: float) -> Any:
    """The value of a condition as soon as it is true, else its value when the time is up."""
    until = time.monotonic() + timeout
    while not (met := condition()) and time.monotonic() < until:
        time.sleep(0.02)
    return met


def wait_until(condition: Callable[[], object], timeout: float) -> bool:
    """Whether a condition becomes true in time."""
    return bool(awaited(condition, timeout))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
