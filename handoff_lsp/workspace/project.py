"""All documents of the folders that an editor has open, open ones as their editors have them.

Nothing watches the disk: what is there is looked at again when it is next used. Of a file that is not open only what
was made of it is kept, as long as neither the file nor its config changes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.mentions import Mention, mentions_of
from handoff_lsp.text import Source, Span
from handoff_lsp.workspace.files import walk
from handoff_lsp.workspace.known_files import Buffer, Files, State
from handoff_lsp.workspace.resolver import Resolver

T = TypeVar("T")

# More files than this are not looked at.
MAX_FILES = 20_000
# How long (in seconds) the list of files on disk is taken for unchanged.
LISTED_FOR = 2.0


class Place(NamedTuple):
    """A span (code points) of a document; ``full`` is the absolute path of its file."""

    full: str
    source: Source
    span: Span


class Project:
    """The documents of the open folders and what is made of them. One for a session.

    ``opened`` are the documents that an editor has open, by the last part of their paths.
    """

    def __init__(
        self,
        resolver: Resolver,
        files: Files,
        opened: Mapping[str, Sequence[Buffer]],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.resolver = resolver
        self.files = files
        self._opened = opened
        self._clock = clock
        self._listed: tuple[float, tuple[str, ...], tuple[str, ...]] | None = None
        self._made: dict[str, _Made] = {}

    def paths(self) -> tuple[str, ...]:
        """The absolute paths of all documents that may hold handoffs: those on disk in their order, then open ones."""
        opened = (buffer.full for buffers in self._opened.values() for buffer in buffers)
        return tuple(dict.fromkeys([*self._on_disk(), *opened]))

    def refresh(self) -> None:
        """List the files again when they are next asked for."""
        self._listed = None

    def of(self, full: str, make: Callable[[Source, Sequence[Block]], T]) -> T | None:
        """What a function makes of a document and its handoffs, made once for each state of it; None for no document.

        The function must live long, and what it makes should be small: it is kept.
        """
        state = self.files.state(full)
        if state is None:
            self._made.pop(full, None)
            return None
        made = self._made.get(full)
        if made is None or made.state != state:
            made = self._made[full] = _Made(state, {})
        if make not in made.results:
            read = self.files.read(full)
            made.results[make] = make(read.source, read.blocks) if read.source is not None else None
        return made.results[make]  # type: ignore[return-value]

    def mentions(self, full: str) -> Sequence[tuple[Mention, Source]]:
        """What the handoffs of a document name."""
        return self.of(full, _mentions) or ()

    def places(self, kind: str, same: Callable[[str], bool]) -> Iterator[tuple[str, Place]]:
        """Each name of a kind that ``same`` is true for, and where it stands, in all documents."""
        for full in self.paths():
            for mention, source in self.mentions(full):
                if mention.kind == kind and same(mention.name):
                    yield mention.name, Place(full, source, mention.span)

    def names(self, kind: str) -> dict[str, list[Place]]:
        """Every name of a kind that is written anywhere, with its places."""
        found: dict[str, list[Place]] = {}
        for name, place in self.places(kind, lambda _: True):
            found.setdefault(name, []).append(place)
        return found

    def defining(self, full: str, globs: Sequence[str]) -> dict[str, str]:
        """The names that files define which match globs from a document's root, with the files' absolute paths."""
        root = self.resolver.root(Path(full))
        found = self.files.matching(str(root), globs) if root is not None else None
        return {
            os.path.splitext(name.rpartition("/")[2])[0]: os.path.normpath(os.path.join(str(root), name))
            for name in sorted(found or ())
        }

    def locate(self, full: str, path: str) -> str | None:
        """The file or folder that a path in a document names: from its root, else from its folder; None for none.

        Never one outside the root.
        """
        root = self.resolver.root(Path(full))
        if root is None:
            return None
        for base in (str(root), os.path.dirname(full)):
            found = self.files.inside(base, path, str(root))
            if found is not None and self.files.exists(found):
                return found
        return None

    def _on_disk(self) -> tuple[str, ...]:
        folders, now = self.resolver.workspaces, self._clock()
        known = self._listed
        if known is None or known[1] != folders or now - known[0] >= LISTED_FOR:
            known = self._listed = (now, folders, tuple(_limited(self._walked(folders))))
        return known[2]

    def _walked(self, folders: Iterable[str]) -> Iterator[str]:
        seen: set[str] = set()
        for folder in folders:
            for path in walk(Path(folder), self.resolver.excluded, also=self.resolver.is_data_file):
                full = str(path)
                if full not in seen:
                    seen.add(full)
                    yield full


class _Made(NamedTuple):
    """What was made of a document in a state, by what made it."""

    state: State
    results: dict[object, object]


def _mentions(source: Source, blocks: Sequence[Block]) -> Sequence[tuple[Mention, Source]]:
    return [(mention, source) for mention in mentions_of(blocks)]


def _limited(paths: Iterator[str]) -> Iterator[str]:
    for _, path in zip(range(MAX_FILES), paths, strict=False):
        yield path
