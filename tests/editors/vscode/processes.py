"""Processes as listed in /proc: which server runs, for which client."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Process:
    pid: int
    parent: int
    command: tuple[str, ...]

    def kill(self) -> None:
        with suppress(ProcessLookupError):  # a server ends with its client
            os.kill(self.pid, signal.SIGKILL)


def descendants(pid: int) -> list[Process]:
    """All processes below this one."""
    children: dict[int, list[Process]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and (process := _read(folder)):
            children.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    waiting = [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += [process.pid for process in below]
    return found


def servers(pid: int) -> list[Process]:
    """The language servers below this process."""
    return [process for process in descendants(pid) if is_server(process.command)]


def is_server(command: tuple[str, ...]) -> bool:
    """Whether it is our language server, however it was started."""
    names_it = any(part == "handoff_lsp" or Path(part).name.startswith("handoff-lsp") for part in command)
    return names_it and "server" in command


def _read(folder: Path) -> Process | None:
    try:
        command = (folder / "cmdline").read_bytes()
        parent = int((folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1])
    except (OSError, ValueError):
        return None  # it has ended meanwhile
    return Process(int(folder.name), parent, tuple(command.decode("utf-8", "replace").rstrip("\0").split("\0")))
