"""Patterns for paths, as the config has them: ``*`` and ``?`` within a name, ``**`` for any number of folders."""

from __future__ import annotations

import re
from fnmatch import translate
from functools import lru_cache

# The longest pattern, and the longest name in it, in characters: file systems have no longer names.
MAX_PATTERN = 2_000
_MAX_NAME = 255


class Glob:
    """One pattern, matched against a path relative to the config file's folder, with ``/``.

    ``anywhere``: a pattern without ``/`` matches that name in any folder, as in a .gitignore. Case counts. The time
    grows with the pattern's parts times the path's, whatever the pattern.
    """

    __slots__ = ("parts",)

    def __init__(self, pattern: str, *, anywhere: bool = False) -> None:
        parts = [part for part in pattern.split("/") if part not in ("", ".")]
        # Several of these in a row match no more than one.
        parts = [part for part, above in zip(parts, [None, *parts], strict=False) if (part, above) != ("**", "**")]
        if anywhere and len(parts) == 1:
            parts.insert(0, "**")
        self.parts: tuple[re.Pattern[str] | None, ...] = tuple(
            None if part == "**" else _name_pattern(part) for part in parts
        )

    def matches(self, path: str) -> bool:
        """Whether the whole path matches."""
        last = self.parts[-1] if self.parts else None
        if last is not None and last.match(path[path.rfind("/") + 1 :]) is None:
            return False  # as for most paths, known by the name alone
        return len(self.parts) in self._reached(path)

    def covers(self, path: str) -> bool:
        """Whether the path or a folder that it is in matches."""
        return self._reached(path, stop_early=True) == {len(self.parts)}

    def _reached(self, path: str, *, stop_early: bool = False) -> set[int]:
        """Which parts of the pattern may come next after the path, as a machine with many states."""
        end = len(self.parts)
        states = self._open({0})
        for name in path.split("/"):
            after = set()
            for state in states:
                if state == end:
                    continue
                part = self.parts[state]
                if part is None:
                    after.add(state)
                elif part.match(name):
                    after.add(state + 1)
            states = self._open(after)
            if stop_early and end in states:
                return {end}
            if not states:
                break
        return states

    def _open(self, states: set[int]) -> set[int]:
        """The states and those reached from them by a ``**`` that matches nothing."""
        reached = set(states)
        for state in sorted(states):
            while state < len(self.parts) and self.parts[state] is None:
                state += 1
                reached.add(state)
        return reached


@lru_cache(maxsize=512)
def _name_pattern(part: str) -> re.Pattern[str]:
    return re.compile(translate(part))


def unsafe_reason(pattern: str) -> str | None:
    """Why a pattern of a config is refused: too long, or a way out of the config file's folder; None if it is not."""
    if len(pattern) > MAX_PATTERN:
        return f"has more than {MAX_PATTERN:,} characters"
    names = re.split(r"[/\\]", pattern)
    if any(len(name) > _MAX_NAME for name in names):
        return f"has a name of more than {_MAX_NAME} characters"
    if not pattern.strip():
        return "is empty"
    if pattern.startswith(("/", "~", "\\")) or re.match(r"[A-Za-z]:", pattern):
        return "is an absolute path; it must be relative to the folder of the config file"
    if ".." in names:
        return "leads out of the folder of the config file with `..`"
    return None
