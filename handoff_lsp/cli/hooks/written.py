"""The files that an agent wrote, those of its shell commands included: what changed since it began.

A subagent may run beside others, so only files that its commands name count as its own. The main agent gets all that
changed, except for what subagents wrote.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress

from handoff_lsp.cli.hooks.event import HookEvent
from handoff_lsp.cli.hooks.memory import Memory
from handoff_lsp.cli.hooks.other_files import SUFFIXES
from handoff_lsp.cli.hooks.transcript import Told

_DRIVE = re.compile(r"/[A-Za-z]:[/\\]")
# A word of a shell command that may be the path of a handoff.
_PATH = re.compile(r"[^\s\"'`;|&<>()=,]+\.(?:md|markdown|jsonc?|jsonl|ya?ml|log)\b", re.IGNORECASE)

# How long to look for changed files (seconds), and the most that count: more are a checkout or a build.
_PATIENCE = 0.3
_CHANGED = 40
# File systems and clocks round times (seconds).
_ROUNDED = 1.0


def candidates(paths: Iterable[str]) -> list[str]:
    """The absolute paths of files that may hold a handoff, each once, in the order of their last mention."""
    return [path for path in absolute(paths) if path.lower().endswith(SUFFIXES)]


def absolute(paths: Iterable[str]) -> list[str]:
    """The absolute paths of files, each once, in the order of their last mention."""
    found: dict[str, None] = {}
    for path in paths:
        if "\0" not in path:
            full = os.path.abspath(path[1:] if os.name == "nt" and _DRIVE.match(path) else path)
            found.pop(full, None)
            found[full] = None
    return list(found)


def beginning_of(memory: Memory, told: Told) -> float | None:
    """The time at which an agent began: its last prompt, else its first known edit; None if nothing is known."""
    return told.began if told.began is not None else memory.beginning


def named_in_commands(told: Told, began: float | None) -> list[str]:
    """The files that an agent's shell commands name and that changed since it began."""
    if began is None or not told.commands:
        return []
    named = candidates(path for command in told.commands for path in _PATH.findall(command))
    return [path for path in named if is_newer(path, began)]


def changed_below(folder: str, began: float) -> list[str]:
    """The files of a folder that may hold a handoff and changed since a time; none if these are too many."""
    from handoff_lsp.workspace.disk.walking import skipped_folder

    until = time.monotonic() + _PATIENCE
    found: list[str] = []
    waiting = [folder]
    while waiting and time.monotonic() < until:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if not skipped_folder(entry.name):
                        waiting.append(entry.path)
                elif entry.name.lower().endswith(SUFFIXES) and is_newer(entry.path, began):
                    found.append(entry.path)
        if len(found) > _CHANGED:
            return []
    return sorted(found)


def is_newer(path: str, began: float) -> bool:
    """Whether a file exists and changed since a time."""
    try:
        return os.stat(path).st_mtime >= began - _ROUNDED
    except (OSError, ValueError):
        return False


def written_by(event: HookEvent, memory: Memory, told: Told) -> list[str]:
    """The absolute paths of all files that an agent is known to have written, in order."""
    return absolute((*memory.files(), *event.files, *told.files, *named_in_commands(told, beginning_of(memory, told))))


def shown_from(root: str, paths: Iterable[str]) -> Iterator[str]:
    """The paths of existing files below a folder, relative to it, with ``/``."""
    for path in paths:
        if path.startswith(root + os.sep) and os.path.isfile(path):
            yield path[len(root) + 1 :].replace(os.sep, "/")
