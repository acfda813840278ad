"""What the paths of samples have in common, as a pattern and as a glob."""

from __future__ import annotations

import re
from collections.abc import Sequence

from handoff_lsp.text.named_tuple import NamedTuple

_WORD_START = re.compile(r"(?<=[_. -])(?=[A-Za-z])|(?<=[_ -])")
_FEWEST = 3
_MOST_NAMES = 3
_SIGNS = re.compile(r"[][.^$*+?{}()|\\\\]")


def escaped(text: str) -> str:
    """A pattern for a text: only signs that mean something are escaped."""
    return _SIGNS.sub(r"\\\g<0>", text)


class PathHint(NamedTuple):
    """``pattern`` is found in all paths; ``tells`` whether few other files have it. ``usual`` is a glob, or empty."""

    pattern: str
    tells: bool
    usual: str = ""


def path_hint(paths: Sequence[str]) -> PathHint:
    """The narrowest of: one file name, one folder, one ending of the names, one suffix."""
    names = [path.rpartition("/")[2] for path in paths]
    suffixes = {f".{name.rpartition('.')[2]}" if "." in name else "" for name in names}
    suffix = next(iter(suffixes)) if len(suffixes) == 1 else ""
    if len(set(names)) == 1:
        return PathHint(f"(^|/){escaped(names[0])}$", True, f"**/{names[0]}")
    if len(set(names)) <= _MOST_NAMES and 2 * len(set(names)) <= len(names):
        known = "|".join(escaped(name) for name in sorted(set(names)))
        return PathHint(f"(^|/)({known})$", True)
    ending = _common_ending(names)
    stem = ending[: -len(suffix)] if suffix else ending
    if len(stem.strip("._- ")) >= _FEWEST:
        return PathHint(f"{escaped(ending)}$", True, f"**/*{ending}")
    folders = {tuple(path.split("/")[:-1])[-1:] for path in paths}
    if len(folders) == 1 and (folder := next(iter(folders))) and len(paths) > 1:
        found = f"(^|/){escaped(folder[0])}/[^/]+{escaped(suffix)}$"
        return PathHint(found, True, f"**/{folder[0]}/*{suffix}")
    return PathHint(f"{escaped(suffix)}$", False)


def _common_ending(names: Sequence[str]) -> str:
    """The longest common ending that begins a word in each name."""
    ending = names[0]
    while not all(name.endswith(ending) for name in names):
        ending = ending[1:]
    if ending in names:
        return ending
    starts = [match.start() for match in _WORD_START.finditer(ending)]
    if ending[:1] in {"_", "-", "."}:
        starts.insert(0, 0)
    return ending[starts[0] :].lstrip("_- ") if starts else ""
