"""All documents of the folders that an editor has open, open ones as their editors have them.

Nothing watches the disk: a file is read again at its next use. Only results are kept of a file that is not open, as
long as neither the file nor its config changes.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.kinds import Kind, defined_name, kinds_of
from handoff_lsp.engine import MAX_LENGTH
from handoff_lsp.names.mentions import OCCURS, Mention, all_mentions
from handoff_lsp.text import Source, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk.walking import walk_in_steps
from handoff_lsp.workspace.known_files import Buffer, Files
from handoff_lsp.workspace.memo import Memo

T = TypeVar("T")

# No more files than this are read.
MAX_FILES = 20_000
# Seconds. The list of files on disk is read again after this time.
LISTED_FOR = 2.0

_LISTED = "listed"
_JOINTS = lazy_pattern(r"[\s_-]+")


class FileSpan(NamedTuple):
    """A span (code points) of a document; ``full`` is the absolute path of its file."""

    full: str
    source: Source
    span: Span


class FolderItem(NamedTuple):
    """A file or folder that can continue a path. ``beside``: relative to the document's folder, not to its root."""

    name: str
    is_folder: bool
    beside: bool


class Project:
    """The documents of the open folders and the results about them, one object for each session.

    ``opened`` are the documents that an editor has open, by the last part of their paths.
    """

    def __init__(self, resolver: Resolver, files: Files, opened: Mapping[str, Sequence[Buffer]]) -> None:
        self.resolver = resolver
        self.files = files
        self.memo: Memo = files.memo
        self._opened = opened

    def paths(self, *, listed_for: float = LISTED_FOR) -> tuple[str, ...]:
        """The absolute paths of all documents that may hold handoffs: those on disk in their order, then open ones.

        ``listed_for``: the greatest age (in seconds) of the list of those on disk.
        """
        opened = (buffer.full for buffers in self._opened.values() for buffer in buffers)
        return tuple(dict.fromkeys([*self.on_disk(listed_for), *opened]))

    def of(self, full: str, make: Callable[[Source, Sequence[Handoff]], T]) -> T | None:
        """The result of a function for a document and its handoffs, computed once for each state; None for no document.

        The function must live long, and its result should be small, since it is kept.
        """
        state = self.files.state(full)

        def result() -> T | None:
            read = self.files.read_in(full, state)
            return make(read.source, read.handoffs) if read.source is not None else None

        return self.memo.about(full).for_revision(make, state, result) if state is not None else None

    def kinds(self, full: str = "") -> Mapping[str, Kind]:
        """The kinds of names in the contracts that apply to a document."""
        return kinds_of(self.resolver.registry(Path(full) if full else None))

    def same(self, kind: str, one: str, other: str, full: str = "") -> bool:
        """Whether two names of a kind, however spelled, may name the same."""
        known = self.kinds(full).get(kind)
        return one == other if known is None else known.same(known.key(one), known.key(other))

    def mentions(self, full: str) -> Sequence[tuple[Mention, Source]]:
        """The names that a document mentions, in its handoffs and in the paths that it writes down."""
        state = self.files.state(full)

        def mentions() -> Sequence[tuple[Mention, Source]]:
            read = self.files.read_in(full, state)
            if read.source is None or state is None:
                return ()
            source = read.source
            return [(mention, source) for mention in all_mentions(source, read.handoffs, kinds_of(state[2]))]

        return self.memo.about(full).for_revision("mentions", state, mentions) if state is not None else ()

    def named(
        self, kind: str, wanted: Callable[[Mention], bool], words: Collection[str] | None = None
    ) -> Iterator[tuple[Mention, FileSpan]]:
        """Each mention of a kind that ``wanted`` is true for, in all documents or those that hold one of some words.

        A word that only looks like a name is left out unless a field of some document names it.
        """
        found = [
            (mention, FileSpan(full, source, mention.span))
            for full in self.paths()
            if words is None or self.holds(full, words)
            for mention, source in self.mentions(full)
            if mention.kind == kind and wanted(mention)
        ]
        sure = {mention.key for mention, _ in found if mention.rank != OCCURS}
        return (item for item in found if item[0].key in sure)

    def places(self, kind: str, same: Callable[[str], bool]) -> Iterator[tuple[str, FileSpan]]:
        """Each name of a kind that ``same`` is true for, with its place, in all documents."""
        for mention, place in self.named(kind, lambda mention: same(mention.name)):
            yield mention.name, place

    def names(self, kind: str) -> dict[str, list[FileSpan]]:
        """Every name of a kind that is written anywhere, with its places."""
        found: dict[str, list[FileSpan]] = {}
        for name, place in self.places(kind, lambda _: True):
            found.setdefault(name, []).append(place)
        return found

    def holds(self, full: str, words: Collection[str]) -> bool:
        """Whether a document holds one of some words (``bare``); one with characters that are escaped always may.

        Much faster than finding all names of a document that has not been read yet.
        """
        text = self._bare_text(full)
        return text is not None and ("\\" in text or any(word in text for word in words))

    def defining(self, full: str, kind: Kind) -> dict[str, str]:
        """The names of a kind that files below a document's root define, with the absolute path of one file each."""
        return dict(self.definitions(full, kind))

    def definitions(self, full: str, kind: Kind) -> Iterator[tuple[str, str]]:
        """Each name with each file that defines it: an agent and its skill may share one."""
        root = self.resolver.root(Path(full))
        for one in kind.definitions if root is not None else ():
            for path in sorted(self.files.matching(str(root), one.files) or ()) if one.files else ():
                name = defined_name(path, one.files, one.naming)
                if name:
                    yield name, os.path.normpath(os.path.join(str(root), path))

    def is_file(self, full: str) -> bool:
        """Whether there is a file, on disk or open, and no folder."""
        return self.files.exists(full) and self.memo.look(os.path.isdir, full) is not True

    def unread(self) -> dict[str, str]:
        """The documents that cannot be read, with the reasons."""
        found: dict[str, str] = {}
        for full in self.paths():
            if self.files.state(full) is not None and self._bare_text(full) is None:
                found[full] = self.files.read(full).unread or f"more than {MAX_LENGTH:,} characters"
        if len(self.paths()) >= MAX_FILES:
            found[""] = f"the workspace has more than {MAX_FILES:,} files"
        return found

    def locate(self, full: str, path: str) -> str | None:
        """The file or folder that a path in a document names: from its root, else from its folder; or None.

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

    def entries(self, full: str, folder: str) -> list[FolderItem]:
        """The entries of the folder that a path in a document names: from its root, then from its own folder.

        ``folder`` is empty or ends with ``/``. Entries outside the root or excluded by the config are left out.
        """
        root = self.resolver.root(Path(full))
        if root is None:
            return []
        found: dict[str, FolderItem] = {}
        for beside, base in enumerate(dict.fromkeys((str(root), os.path.dirname(full)))):
            at = base if not folder else self.files.inside(base, folder, str(root))
            for name, is_folder in sorted(self.files.entries(at).items()) if at is not None else ():
                inner = os.path.join(at or base, name)
                if name not in found and inner != full and not self.resolver.excluded(Path(inner)):
                    found[name] = FolderItem(name, is_folder, bool(beside))
        return list(found.values())

    def list_in_steps(self) -> Iterator[None]:
        """List the files on disk anew, a folder at a time so that others get their turn; then ``paths`` has them."""
        folders = self.resolver.workspaces
        found: dict[str, None] = {}
        for folder in folders:
            for path in walk_in_steps(Path(folder), self.resolver.excluded, also=self.resolver.is_data_file):
                if path is None:
                    yield
                elif len(found) == MAX_FILES:
                    break
                else:
                    found[str(path)] = None
        self.memo.note((_LISTED, folders), tuple(found))
        self.memo.keep_only({*found, *(buffer.full for buffers in self._opened.values() for buffer in buffers)})

    @property
    def is_listed(self) -> bool:
        """Whether the list of files on disk is new enough to be used as it is."""
        return self._listed(LISTED_FOR) is not None

    def _listed(self, listed_for: float) -> tuple[str, ...] | None:
        listed = self.memo.noted((_LISTED, self.resolver.workspaces), listed_for)
        return listed if isinstance(listed, tuple) else None

    def on_disk(self, listed_for: float = LISTED_FOR) -> tuple[str, ...]:
        """The absolute paths of the files of the open folders that may hold handoffs, as ``paths`` has them."""
        listed = self._listed(listed_for)
        if listed is None:
            for _ in self.list_in_steps():
                pass
            listed = self._listed(math.inf)
        return listed or ()

    def _bare_text(self, full: str) -> str | None:
        """The text of a document for searching words in it; None if it cannot be read."""
        state = self.files.state(full)

        def bare_text() -> str | None:
            source = self.files.read_in(full, state).source
            return bare(source.text) if source is not None and len(source) <= MAX_LENGTH else None

        return self.memo.about(full).for_revision(bare, state, bare_text) if state is not None else None


def bare(text: str) -> str:
    """A text without word separators and case, so that every spelling of a name is found in it."""
    return _JOINTS.sub("", text.casefold())
