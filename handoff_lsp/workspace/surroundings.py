"""The files around a document: what it may ask of them while it is judged.

Everything that was asked is kept with the state of the files that the answer came from, so that a document is judged
again when one of them has changed.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from glob import escape
from pathlib import Path
from typing import NamedTuple

from handoff_lsp.binding.handoff import Handoff, Note
from handoff_lsp.contracts.kinds import defined_name
from handoff_lsp.contracts.patterns import find_all
from handoff_lsp.text import Source
from handoff_lsp.workspace.known_files import Files, State

# More than this many files before a document in its folder are not looked at, nor more than so many characters.
MAX_SIBLINGS = 200
MAX_SIBLING_CHARACTERS = 20_000_000

_DIGITS = re.compile(r"(\d+)")


def surroundings_of(files: Files, path: Path | None) -> Around | None:
    """The surroundings of a document that is about to be judged; None where it is in no workspace."""
    if path is None:
        return None
    full = os.path.abspath(path)
    root = files.settings.root(Path(full))
    return Around(files, full, str(root)) if root is not None else None


class Around:
    """The surroundings of one document while it is judged, and afterwards what became of what it asked."""

    def __init__(self, files: Files, full: str, root: str) -> None:
        self._files = files
        self._full = full
        self._folder = os.path.dirname(full)
        self._root = root
        self._asked: dict[tuple[str, ...], object] = {}
        self._earlier: dict[tuple[str, str], list[Handoff]] = {}
        self._names: dict[int, tuple[Handoff, str]] = {}
        self._siblings: list[str] = []  # the files of this folder that were looked at
        self._limits: dict[str, None] = {}

    def still_true(self) -> bool:
        """Whether everything that was asked would be answered from the same files in the same state."""
        return all(self._state_of(question) == state for question, state in self._asked.items())

    def settle(self) -> set[str]:
        """Let go of the handoffs that were looked at: nothing more will be asked. The files whose texts had a part."""
        self._earlier.clear()
        self._names.clear()
        found = set(self._siblings)
        for kind, *rest in self._asked:
            if kind == "state":
                found.add(rest[0])
        return found

    def exists(self, path: str) -> bool | None:
        """Whether there is a file or folder at a path from the root; None for one that is not within it."""
        return self._exists(self._files.inside(self._root, path, self._root))

    def exists_beside(self, path: str) -> bool | None:
        """Whether there is one at a path from the folder of the document; None for one that is not within the root."""
        return self._exists(self._files.inside(self._folder, path, self._root))

    def handoff(self, path: str, contract: str) -> Handoff | None:
        """The first handoff of a contract in the document at a path from the folder of this one."""
        full = self._files.inside(self._folder, path, self._root)
        if full is None or full == self._full:
            return None
        self._asked[("state", full)] = self._files.state(full)
        return next(iter(self._named(full, self._of(full, contract))), None)

    def before(self, contract: str, mentioning: str) -> Sequence[Handoff]:
        """The handoffs of a contract in the files of this folder that come before this one, in their order."""
        if (contract, mentioning) not in self._earlier:
            self._siblings = [full for full, _ in self._before()]
            states = self._mentioning(mentioning)
            self._asked[("before", mentioning)] = states
            found: list[Handoff] = []
            for full, _ in states:
                found += self._named(
                    full, (handoff for handoff in self._of(full, contract) if handoff.mode == "handoff")
                )
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
        return frozenset(defined_name(name, globs) for name in files)

    def count(self, globs: Sequence[str], pattern: str) -> int | None:
        """How often a pattern is found in the files that match the first of some globs that matches any."""
        folder = os.path.relpath(self._folder, self._root).replace(os.sep, "/")
        for glob in globs:
            wanted = f"{escape(folder)}/{glob}" if folder != "." else glob
            files = self._files.matching(self._root, [wanted])
            self._asked[("globs", wanted)] = files
            if files is None:
                self._limits[f"Not all files that match {wanted} could be looked at, so nothing was counted"] = None
                return None
            if files:
                return sum(self._found_in(os.path.join(self._root, *name.split("/")), pattern) for name in files)
        return None

    def _found_in(self, full: str, pattern: str) -> int:
        state = self._files.state(full)
        self._asked[("state", full)] = state
        source = self._files.read_in(full, state).source
        return sum(1 for _ in find_all(pattern, source.text)) if source is not None else 0

    def name_of(self, handoff: Handoff) -> str:
        """The path of the document that a block from here is in, from the folder of this one."""
        known = self._names.get(id(handoff))
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
            return self._mentioning(rest[0])
        return self._files.matching(self._root, rest)

    def _before(self) -> list[tuple[str, State]]:
        """The files of the folder that come before this one with their states: the nearest, in their order."""
        own = os.path.basename(self._full)
        known = _siblings(self._files, self._folder, os.path.splitext(own)[1], self._root)
        end = bisect_left(known, _natural(own), key=lambda sibling: sibling.order)
        if end == MAX_SIBLINGS + 1:  # told once in a folder
            told = f"{end} files of its folder come before this one. From here on only the last {MAX_SIBLINGS} count"
            self._limits[Note(told)] = None
        states: list[tuple[str, State]] = []
        size = 0
        for sibling in reversed(known[max(end - MAX_SIBLINGS, 0) : end]):
            full, state = sibling.full, sibling.state
            if self._files.buffer(full) is not None or (state is not None and isinstance(state[0], Source)):
                state = self._files.state(full)
            content = state[0] if state is not None else None
            size += len(content) if isinstance(content, Source) else content[1] if isinstance(content, tuple) else 0
            if size > MAX_SIBLING_CHARACTERS:
                self._limits["The files before this one in its folder are too large to look at all of them"] = None
                break
            states.append((full, state))
        states.reverse()
        return states

    def _mentioning(self, text: str) -> list[tuple[str, State]]:
        """Those of them that have something in their text."""
        found = []
        for full, state in self._before():
            source = self._files.read_in(full, state).source
            if source is not None and text in source.text:
                found.append((full, state))
        return found

    def _of(self, full: str, contract: str) -> Iterator[Handoff]:
        read = self._files.read(full)
        if read.unread.startswith("too large"):
            self._limits[f"{os.path.basename(full)}, which this is judged by, is {read.unread} and is not read"] = None
        return (handoff for handoff in read.handoffs if handoff.spec.name == contract)

    def _named(self, full: str, handoffs: Iterable[Handoff]) -> list[Handoff]:
        name = os.path.relpath(full, self._folder).replace(os.sep, "/")
        found = list(handoffs)
        for handoff in found:
            self._names[id(handoff)] = (handoff, name)
        return found


class _Sibling(NamedTuple):
    """A file of a folder, with its place among the others and its state on disk."""

    order: list[tuple[int, int, str]]
    full: str
    state: State


def _siblings(files: Files, folder: str, suffix: str, root: str) -> list[_Sibling]:
    """The files of a folder with a suffix, in the order of their names. Found once for all that ask for a moment."""

    def find() -> list[_Sibling]:
        names = files.folder(folder, suffix)
        inside = [full for name in names if (full := files.inside(folder, name, root)) is not None]
        found = [_Sibling(_natural(os.path.basename(full)), full, files.state(full)) for full in inside]
        return sorted(found, key=lambda sibling: sibling.order)

    # What is open counts too, and is another question: asking anew for each file takes time with their number.
    known = files.look(("siblings", folder, suffix, root, *sorted(files.opened_in(folder, suffix))), find)
    return known if isinstance(known, list) else []


def _natural(name: str) -> list[tuple[int, int, str]]:
    """A name as people put names in order: `turn-2` before `turn-10`."""
    parts = _DIGITS.split(name.casefold())
    key = [(0, int(part[:18]), "") if index % 2 else (1, 0, part) for index, part in enumerate(parts)]
    return [*key, (2, 0, name)]
