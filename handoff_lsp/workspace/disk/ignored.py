"""The files that git ignores: ``.gitignore`` in each folder and ``info/exclude``, except for tracked files.

A user's global ignore file is left out: a check gives the same answer on every machine.
"""

from __future__ import annotations

import os
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text
from handoff_lsp.workspace.disk.git_index import Tracked, common_folder, git_folder, tracked

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

NAME = ".gitignore"

# More than this is no list of patterns (bytes, lines): it is not followed.
_MAX_BYTES = 500_000
_MAX_LINES = 5_000


class Cause(NamedTuple):
    """The pattern that git ignores something by: its file, and its line (from 1)."""

    file: str
    line: int
    pattern: str


class Repository:
    """A work tree. ``root`` is the absolute folder with its ``.git``."""

    def __init__(self, root: str) -> None:
        self.root = root

    @cached_property
    def _folder(self) -> str | None:
        return git_folder(self.root)

    @cached_property
    def tracked(self) -> Tracked:
        """The files that git tracks."""
        return tracked(self._folder) if self._folder is not None else Tracked(())

    @cached_property
    def exclude(self) -> _Patterns | None:
        """The patterns of ``info/exclude``."""
        return _patterns(os.path.join(common_folder(self._folder), "info", "exclude")) if self._folder else None


class Rules:
    """The ignore rules of one folder of a work tree. ``only_tracked``: everything untracked is ignored."""

    __slots__ = ("_folder", "_patterns", "_repository", "only_tracked")

    def __init__(
        self, repository: Repository, folder: str, patterns: tuple[_Of, ...], *, only_tracked: bool = False
    ) -> None:
        self._repository = repository
        self._folder = folder  # from the root, with `/` at its end; empty for the root
        self._patterns = patterns  # the innermost first
        self.only_tracked: bool = only_tracked

    def cause(self, name: str, *, is_folder: bool) -> Cause | None:
        """The pattern that ignores an entry of the folder, tracked or not; None without one."""
        path = f"{self._folder}{name}/" if is_folder else self._folder + name
        for start, patterns in self._patterns:
            ignores = patterns.ignores(path[start:])
            if ignores is not None:
                return ignores if ignores.file else None
        return None

    def tracks(self, name: str, *, is_folder: bool) -> bool:
        """Whether git tracks a file of the folder, or a file somewhere in a folder of it."""
        path = self._folder + name
        return self._repository.tracked.below(path) if is_folder else self._repository.tracked.file(path)

    def inside(self, name: str, *, only_tracked: bool) -> Rules:
        """The rules of a folder in this one, before its own patterns."""
        return Rules(self._repository, f"{self._folder}{name}/", self._patterns, only_tracked=only_tracked)

    def with_own(self) -> Rules:
        """The rules with those of the ``.gitignore`` that is in the folder."""
        path = os.path.join(self._repository.root, *self._folder.split("/"), NAME)
        patterns = _patterns(path)
        if patterns is None:
            return self
        own = (_Of(len(self._folder), patterns), *self._patterns)
        return Rules(self._repository, self._folder, own, only_tracked=self.only_tracked)


class _Of(NamedTuple):
    """The patterns of a folder, given the length of its path from the root."""

    start: int
    patterns: _Patterns


def rules_of_root(root: str) -> Rules:
    """The rules of a work tree's root, before its own ``.gitignore``."""
    repository = Repository(root)
    exclude = repository.exclude
    return Rules(repository, "", (_Of(0, exclude),) if exclude is not None else ())


def rules_above(folder: str) -> Rules | None:
    """The rules of an absolute folder, before its own patterns; None where it is in no work tree, or is its root.

    Where git ignores the folder itself, nothing that ignores it counts: someone wants to look into it.
    """
    root = os.path.dirname(folder)
    if root == folder:
        return None
    while not os.path.lexists(os.path.join(root, ".git")):
        above = os.path.dirname(root)
        if above == root:
            return None
        root = above
    outer = rules_of_root(root)
    rules = outer
    for name in os.path.relpath(folder, root).split(os.sep):
        rules = rules.with_own()
        if rules.cause(name, is_folder=True) is not None:
            rules = Rules(rules._repository, rules._folder, ())
        rules = rules.inside(name, only_tracked=False)
    return rules


class _Patterns:
    """The patterns of one file."""

    def __init__(self, file: str, lines: dict[int, str], spec: GitIgnoreSpec) -> None:
        self._file = file
        self._lines = list(lines.items())
        self._spec = spec

    def ignores(self, path: str) -> Cause | None:
        """The cause that ignores a path (a folder's ends in `/`); a cause without a file means: not ignored."""
        try:
            found = self._spec.check_file(path)
        except ValueError:  # a name that is not UTF-8
            return None
        if found.include is None or found.index is None:
            return None
        line, pattern = self._lines[found.index]
        return Cause(self._file if found.include else "", line, pattern)


def _patterns(path: str) -> _Patterns | None:
    """The patterns of a file; None without any, if it cannot be read, or if it is a link, which git refuses."""
    try:
        about = os.lstat(path)
    except (OSError, ValueError):
        return None
    return _read(path, (about.st_mtime_ns, about.st_size, about.st_ino))


@lru_cache(maxsize=1024)
def _read(path: str, _stamp: tuple[int, int, int]) -> _Patterns | None:
    if os.path.islink(path):
        return None
    try:
        text = read_text(Path(path), limit=_MAX_BYTES)
    except UnreadableFile:
        return None
    from pathspec import GitIgnoreSpec
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    lines: dict[int, str] = {}
    found = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n")[:_MAX_LINES], 1):
        line = line.removesuffix("\r")
        if not line.strip() or line.startswith("#"):
            continue
        try:
            found.append(GitIgnoreSpecPattern(line))
        except ValueError:  # git passes over it, too
            continue
        lines[number] = line.strip()
    # RE2, for patterns are strangers' data: Python's own `re` may take for ever.
    return _Patterns(path, lines, GitIgnoreSpec(found, backend="re2")) if found else None
