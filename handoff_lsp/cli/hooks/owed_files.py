"""The files that an agent owes: whether it wrote them, and where they belong."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from handoff_lsp.cli.hooks.written import is_newer
from handoff_lsp.contracts.owed import Owed
from handoff_lsp.workspace.disk.globs import Glob
from handoff_lsp.workspace.disk.walking import skipped_folder

# How long to look for the files of one pattern (seconds).
_PATIENCE = 0.3
_SIGNS = frozenset("*?[")
_OPEN = "<…>"


def found(owed: Owed, root: str, written: Sequence[str], began: float | None) -> Literal["yes", "no", "unknown"]:
    """Whether an agent that began at a time wrote a file that it owes.

    ``written``: the paths of what it is known to have written (with ``/``, from the root).
    """
    if any(Glob(pattern).matches(path) for pattern in owed.files for path in written):
        return "yes"
    there: list[str] = []
    for pattern in owed.files:
        paths, is_complete = _matching(root, pattern)
        if not is_complete:
            return "unknown"
        there += paths
    if not there:
        return "no"
    if began is None:
        return "unknown"
    return "yes" if any(is_newer(path, began) for path in there) else "no"


def place_of(owed: Owed, root: str, written: Iterable[str]) -> str:
    """Where an agent has to write a file: its pattern with the folders that are known, `<…>` for the rest."""
    paths = [path.split("/") for path in written]
    places = [_filled(_below(pattern.split("/"), paths), root, paths) for pattern in owed.files]
    return min(places, key=lambda place: place.count(_OPEN))


def _below(parts: list[str], paths: list[list[str]]) -> list[str]:
    """The parts of a pattern with the folders for a `**` at its beginning that the written paths show, if any."""
    rest = [part for part in parts if part != "**"]
    if parts[0] == "**" and len(rest) > 1:
        above = {tuple(path[: path.index(rest[0])]) for path in paths if rest[0] in path[:-1]}
        if len(above) == 1:
            return [*above.pop(), *rest]
    return rest


def _filled(parts: list[str], root: str, paths: list[list[str]]) -> str:
    filled: list[str] = []
    for number, part in enumerate(parts):
        if _SIGNS.isdisjoint(part):
            filled.append(part)
            continue
        if number < len(parts) - 1:
            beside = [path for path in paths if len(path) > number + 1 and path[:number] == filled]
            names = {path[number] for path in beside if fnmatchcase(path[number], part)}
            names = names or {name for name in _folders(os.path.join(root, *filled)) if fnmatchcase(name, part)}
            if len(names) == 1:
                filled.append(names.pop())
                continue
        filled.append("".join(_OPEN if char == "*" else char for char in part))
    return "/".join(filled)


def _folders(path: str) -> list[str]:
    try:
        with os.scandir(path) as entries:
            return [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []


def _matching(root: str, pattern: str) -> tuple[list[str], bool]:
    """The files that a pattern matches, and whether all were looked at. Only the folders that can hold one are."""
    parts = pattern.split("/")
    fixed = next((number for number, part in enumerate(parts) if part == "**" or not _SIGNS.isdisjoint(part)), -1)
    if fixed < 0:
        path = os.path.join(root, *parts)
        return ([path] if os.path.isfile(path) else []), True
    deepest = None if "**" in parts else len(parts) - fixed - 1
    glob, start = Glob(pattern), os.path.join(root, *parts[:fixed])
    until = time.monotonic() + _PATIENCE
    matching: list[str] = []
    waiting = [(start, 0)]
    while waiting:
        if time.monotonic() > until:
            return matching, False
        folder, depth = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        if (deepest is None or depth < deepest) and not skipped_folder(entry.name):
                            waiting.append((entry.path, depth + 1))
                    elif glob.matches(Path(os.path.relpath(entry.path, root)).as_posix()):
                        matching.append(entry.path)
        except OSError:
            continue
    return matching, True
