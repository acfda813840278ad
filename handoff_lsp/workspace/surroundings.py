"""The files around a document: open buffers over the disk, within the root of the workspace, bound when asked for.

Everything that was asked is kept with the state of the files that the answer came from, so that a document is judged
again when one of them has changed. Nothing watches the disk: its files are looked at again when they are next used.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol

from handoff_lsp.binding.block import Block
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import Options, bind_document
from handoff_lsp.text import Source
from handoff_lsp.workspace.config import relative_to
from handoff_lsp.workspace.contract_files import MAX_FILES, MAX_FOLDERS, expand
from handoff_lsp.workspace.files import UnreadableFile, read_text
from handoff_lsp.workspace.globs import Glob, unsafe_reason
from handoff_lsp.workspace.resolver import TRUSTED_FOR

# More than this many files before a document in its folder are not looked at, nor more than so many characters.
MAX_SIBLINGS = 200
MAX_SIBLING_CHARACTERS = 20_000_000
# What is kept of files on disk: their handoffs, as long as the files have no more characters than this together.
MAX_KEPT_CHARACTERS = 30_000_000
# A path beyond this names no file.
MAX_PATH = 1_000
# Answers about the disk that are kept.
MAX_LOOKS = 20_000

_DRIVE = re.compile(r"[A-Za-z]:")
_DIGITS = re.compile(r"(\d+)")

# What a file was: the text of an open buffer, or time, size and number of a file on disk; None where there is none.
_Content = Source | tuple[int, int, int] | None
# That, and what it is read by.
_State = tuple[object, Options, Registry] | None


class Buffer(Protocol):
    """A document that an editor has open."""

    @property
    def full(self) -> str:
        """The absolute path of its file."""

    @property
    def source(self) -> Source:
        """Its text, the same object as long as that does not change."""

    def bound(self, name: str, registry: Registry, options: Options) -> tuple[Block, ...]:
        """Its handoffs, by its path from the root."""


class Settings(Protocol):
    """What decides how files are read; a ``Resolver`` is one."""

    def root(self, path: Path) -> Path | None:
        """The root of the workspace that a file is in."""

    def name(self, path: Path | None) -> str:
        """A file's path from there."""

    def options(self, path: Path | None) -> Options:
        """What the config decides for a file."""

    def registry(self, path: Path | None) -> Registry:
        """The contracts known for a file."""


class Fixed:
    """Settings without a config: one root, the same contracts for every file."""

    def __init__(self, root: Path, registry: Registry, options: Options) -> None:
        self._root = Path(os.path.abspath(root))
        self._registry = registry
        self._options = options

    def path(self, name: str) -> Path:
        """The file of a path from the root."""
        return self._root / name

    def root(self, path: Path) -> Path | None:
        """The root, for the files in it."""
        return self._root if relative_to(os.path.abspath(path), str(self._root)) is not None else None

    def name(self, path: Path | None) -> str:
        """A file's path from the root."""
        return (relative_to(os.path.abspath(path), str(self._root)) or "") if path is not None else ""

    def options(self, path: Path | None) -> Options:
        """The same for all."""
        return self._options

    def registry(self, path: Path | None) -> Registry:
        """The same for all."""
        return self._registry


class _Read:
    """A file as it was read, or why it could not be."""

    def __init__(self, state: _State, source: Source | None, bind: Callable[[Source], tuple[Block, ...]], unread: str):
        self.state = state
        self.source = source
        self.unread = unread
        self._bind = bind

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Its handoffs, bound when asked for."""
        return self._bind(self.source) if self.source is not None else ()


class Files:
    """The files that documents ask about. One for a session or a run; what was read is kept while it is unchanged.

    ``opened`` are the documents that an editor has open, by the last part of their paths.
    """

    def __init__(
        self,
        settings: Settings,
        opened: Mapping[str, Sequence[Buffer]] | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings = settings
        self._opened: Mapping[str, Sequence[Buffer]] = opened if opened is not None else {}
        self._clock = clock
        self._looks: dict[tuple[str, ...], tuple[float, object]] = {}
        self._real: dict[str, tuple[float, str]] = {}
        self._reads: dict[str, _Read] = {}
        self._kept = 0

    def around(self, path: Path | None) -> Around | None:
        """The surroundings of a document that is about to be judged; None where it is in no workspace."""
        if path is None:
            return None
        full = os.path.abspath(path)
        root = self.settings.root(Path(full))
        return Around(self, full, str(root)) if root is not None else None

    def refresh(self) -> None:
        """Look at the disk again when it is next asked about."""
        self._looks.clear()
        self._real.clear()

    def inside(self, base: str, path: str, root: str) -> str | None:
        """The file that a path from a folder names, where it is in the root by its name and by what links lead to."""
        if not path or len(path) > MAX_PATH or path.startswith(("/", "~", "\\")) or _DRIVE.match(path) or "\0" in path:
            return None
        full = os.path.normpath(os.path.join(base, path))
        if not _within(full, root) or not _within(self.real(full), self.real(root)):
            return None
        return full

    def real(self, full: str) -> str:
        """Where a path leads by its links, which need not be there."""
        known, now = self._real.get(full), self._clock()
        if known is None or now - known[0] >= TRUSTED_FOR:
            if len(self._real) > MAX_LOOKS:
                self._real.clear()
            known = self._real[full] = (now, os.path.realpath(full))
        return known[1]

    def exists(self, full: str) -> bool:
        """Whether there is a file or folder, on disk or open."""
        return self.look(("exists", full), lambda: os.path.exists(full)) is True or self._buffer(full) is not None

    def content(self, full: str) -> _Content:
        """The state of a file, by which a change of it is seen."""
        buffer = self._buffer(full)
        if buffer is not None:
            return buffer.source
        found = self.look(("stat", full), lambda: _stamp(full))
        return found if isinstance(found, tuple) else None

    def state(self, full: str) -> _State:
        """The state of a file and of what it is read by; None where it is not there."""
        content = self.content(full)
        if content is None:
            return None
        path = Path(full)
        return content, self.settings.options(path), self.settings.registry(path)

    def read(self, full: str) -> _Read:
        """A file as it is now."""
        state = self.state(full)
        known = self._reads.get(full)
        if known is not None and known.state == state:
            return known
        if known is not None:
            self._forget(full)
        made = self._read(full, state)
        self._reads[full] = made
        self._kept += len(made.source or "")
        while self._kept > MAX_KEPT_CHARACTERS and len(self._reads) > 1:
            self._forget(next(iter(self._reads)))
        return made

    def _read(self, full: str, state: _State) -> _Read:
        path, buffer = Path(full), self._buffer(full)
        name, options, registry = self.settings.name(path), self.settings.options(path), self.settings.registry(path)
        if buffer is not None:
            return _Read(state, buffer.source, lambda _: buffer.bound(name, registry, options), "")
        source, unread = None, ""
        try:
            source = Source(read_text(path)) if state is not None else None
        except UnreadableFile as error:
            unread = error.reason
        return _Read(state, source, lambda source: bind_document(source, name, registry, options), unread)

    def folder(self, folder: str, suffix: str) -> list[str]:
        """The names of the files in a folder with a suffix, open ones among them, without links."""

        def scan() -> list[str]:
            try:
                with os.scandir(folder) as entries:
                    return [entry.name for entry in entries if _has(entry.name, suffix) and _is_file(entry)]
            except OSError:
                return []

        on_disk = self.look(("folder", folder, suffix), scan)
        names = set(on_disk) if isinstance(on_disk, list) else set()
        for name, buffers in self._opened.items():
            if _has(name, suffix) and any(os.path.dirname(buffer.full) == folder for buffer in buffers):
                names.add(name)
        return list(names)

    def matching(self, root: str, globs: Sequence[str]) -> frozenset[str] | None:
        """The files from a root that match globs; None where there are too many to look at, or not all can be."""
        safe = [pattern for pattern in globs if unsafe_reason(pattern) is None]

        def find() -> frozenset[str] | None:
            found: set[str] = set()
            for pattern in safe:
                expanded = expand(Path(root), pattern)
                too_many = len(expanded.files) > MAX_FILES or len(expanded.folders) > MAX_FOLDERS
                if too_many or (expanded.problem is not None and "symbolic link" in expanded.problem):
                    return None
                found.update(name for path in expanded.files if (name := relative_to(str(path), root)) is not None)
            return frozenset(found)

        on_disk = self.look(("globs", root, *safe), find)
        if not isinstance(on_disk, frozenset):
            return None
        names = set(on_disk)
        patterns = [Glob(pattern) for pattern in safe]
        for buffer in (buffer for buffers in self._opened.values() for buffer in buffers):
            name = relative_to(buffer.full, root)
            if name is not None and any(glob.matches(name) for glob in patterns):
                names.add(name)
        return frozenset(names)

    def look(self, key: tuple[str, ...], find: Callable[[], object]) -> object:
        """What the disk says, asked again after a moment."""
        known, now = self._looks.get(key), self._clock()
        if known is None or now - known[0] >= TRUSTED_FOR:
            if len(self._looks) > MAX_LOOKS:
                self._looks.clear()
            try:
                known = (now, find())
            except (OSError, ValueError):
                known = (now, None)
            self._looks[key] = known
        return known[1]

    def _buffer(self, full: str) -> Buffer | None:
        """The open document of a file, whichever way its editor spells the path."""
        for buffer in self._opened.get(os.path.basename(full), ()):
            if buffer.full == full or self.real(buffer.full) == self.real(full):
                return buffer
        return None

    def _forget(self, full: str) -> None:
        self._kept -= len(self._reads.pop(full).source or "")


class Around:
    """The surroundings of one document while it is judged, and afterwards what became of what it asked."""

    def __init__(self, files: Files, full: str, root: str) -> None:
        self._files = files
        self._full = full
        self._folder = os.path.dirname(full)
        self._root = root
        self._asked: dict[tuple[str, ...], object] = {}
        self._earlier: dict[tuple[str, str], list[Block]] = {}
        self._names: dict[int, tuple[Block, str]] = {}
        self._limits: dict[str, None] = {}

    def still_true(self) -> bool:
        """Whether everything that was asked would be answered from the same files in the same state."""
        return all(self._state_of(question) == state for question, state in self._asked.items())

    def exists(self, path: str) -> bool | None:
        """Whether there is a file or folder at a path from the root; None for one that is not within it."""
        return self._exists(self._files.inside(self._root, path, self._root))

    def exists_beside(self, path: str) -> bool | None:
        """Whether there is one at a path from the folder of the document; None for one that is not within the root."""
        return self._exists(self._files.inside(self._folder, path, self._root))

    def block(self, path: str, contract: str) -> Block | None:
        """The first handoff of a contract in the document at a path from the folder of this one."""
        full = self._files.inside(self._folder, path, self._root)
        if full is None or full == self._full:
            return None
        self._asked[("state", full)] = self._files.state(full)
        return next(iter(self._named(full, self._of(full, contract))), None)

    def before(self, contract: str, mentioning: str) -> Sequence[Block]:
        """The handoffs of a contract in the files of this folder that come before this one, in their order."""
        if (contract, mentioning) not in self._earlier:
            states = self._before()
            self._asked[("before",)] = states
            found: list[Block] = []
            for full, _ in states:
                source = self._files.read(full).source
                if source is not None and mentioning in source.text:
                    found += self._named(full, (block for block in self._of(full, contract) if block.mode == "handoff"))
            self._earlier[contract, mentioning] = found
        return self._earlier[contract, mentioning]

    def defined(self, globs: Sequence[str]) -> frozenset[str]:
        """The names, without suffix, of the files that match globs from the root; empty where there are too many."""
        files = self._files.matching(self._root, globs)
        self._asked[("globs", *globs)] = files
        if files is None:
            self._limits[
                f"Not all files that match {' and '.join(globs)} could be looked at, so no name was checked"
            ] = None
            return frozenset()
        return frozenset(os.path.splitext(name.rpartition("/")[2])[0] for name in files)

    def name_of(self, block: Block) -> str:
        """The path of the document that a block from here is in, from the folder of this one."""
        known = self._names.get(id(block))
        return known[1] if known is not None else ""

    def limits(self) -> Sequence[str]:
        """What was asked but is too much to look at all of it."""
        return list(self._limits)

    def _exists(self, full: str | None) -> bool | None:
        if full is None:
            return None
        found = self._files.exists(full)
        self._asked[("exists", full)] = found
        return found

    def _state_of(self, question: tuple[str, ...]) -> object:
        kind, *rest = question
        if kind == "exists":
            return self._files.exists(rest[0])
        if kind == "state":
            return self._files.state(rest[0])
        if kind == "before":
            return self._before()
        return self._files.matching(self._root, rest)

    def _before(self) -> list[tuple[str, _State]]:
        """The files of the folder that come before this one with their states: the nearest, in their order."""
        own = os.path.basename(self._full)
        names = self._files.folder(self._folder, os.path.splitext(own)[1])
        earlier = sorted((name for name in names if _natural(name) < _natural(own)), key=_natural)
        if len(earlier) > MAX_SIBLINGS:
            told = (
                f"{len(earlier):,} files come before this one in its folder; only the last {MAX_SIBLINGS} are looked at"
            )
            self._limits[told] = None
        states: list[tuple[str, _State]] = []
        size = 0
        for name in reversed(earlier[-MAX_SIBLINGS:]):
            full = self._files.inside(self._folder, name, self._root)
            if full is None:
                continue
            state = self._files.state(full)
            content = state[0] if state is not None else None
            size += len(content) if isinstance(content, Source) else content[1] if isinstance(content, tuple) else 0
            if size > MAX_SIBLING_CHARACTERS:
                self._limits["The files before this one in its folder are too large to look at all of them"] = None
                break
            states.append((full, state))
        states.reverse()
        return states

    def _of(self, full: str, contract: str) -> Iterator[Block]:
        read = self._files.read(full)
        if read.unread.startswith("too large"):
            self._limits[f"{os.path.basename(full)}, which this is judged by, is {read.unread} and is not read"] = None
        return (block for block in read.blocks if block.spec.name == contract)

    def _named(self, full: str, blocks: Iterable[Block]) -> list[Block]:
        name = os.path.relpath(full, self._folder).replace(os.sep, "/")
        found = list(blocks)
        for block in found:
            self._names[id(block)] = (block, name)
        return found


def _natural(name: str) -> list[tuple[int, int, str]]:
    """A name as people put names in order: `turn-2` before `turn-10`."""
    parts = _DIGITS.split(name.casefold())
    key = [(0, int(part[:18]), "") if index % 2 else (1, 0, part) for index, part in enumerate(parts)]
    return [*key, (2, 0, name)]


def _within(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def _has(name: str, suffix: str) -> bool:
    return name.casefold().endswith(suffix.casefold()) and not name.startswith(".")


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:
        return False


def _stamp(full: str) -> tuple[int, int, int]:
    about = os.stat(full)
    return about.st_mtime_ns, about.st_size, about.st_ino
