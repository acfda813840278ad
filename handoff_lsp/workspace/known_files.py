"""The files of a workspace that handoffs ask about: open buffers over the disk, within the root of the workspace.

Nothing watches the disk: a file is read again at its next use.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from handoff_lsp.contracts.options import Options
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.text import Source
from handoff_lsp.text.digest import text_digest
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.workspace.config.config_file import relative_to
from handoff_lsp.workspace.config.contract_files import MAX_FILES, MAX_FOLDERS, expand
from handoff_lsp.workspace.config.file_settings import FileSettings
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text
from handoff_lsp.workspace.disk.globs import Glob, unsafe_reason
from handoff_lsp.workspace.disk.walking import skipped_folder
from handoff_lsp.workspace.memo import MAX_LOOKS, Memo

if TYPE_CHECKING:
    from handoff_lsp.binding.handoff import Handoff
    from handoff_lsp.prompts.statement import PromptStatements
    from handoff_lsp.syntax.markdown.incremental import MarkdownTree

# Characters. The texts of files on disk are kept as long as these files have no more together.
MAX_KEPT_CHARACTERS = 3_000_000

# Files on disk whose handoffs are kept: more than a rule asks for at once. They take fifty times as much as the texts.
MAX_BOUND = 256
# After so many changes of documents without a use they are no longer kept.
MAX_UNUSED = 100

# Characters. The trees of prompts are kept for their check as long as all read files have no more together.
MAX_PARSED_CHARACTERS = 1_000_000

# A path beyond this names no file.
MAX_PATH = 1_000

# Of a folder no more names than this are listed.
MAX_ENTRIES = 5_000

_DRIVE = lazy_pattern(r"[A-Za-z]:")

# The state of a file: the text of an open buffer, or time, size and inode of a file on disk; None without a file.
KnownContent = Source | tuple[int, int, int] | None

# That, and the settings that it is read by.
State = tuple[object, Options, Registry] | None


class Buffer(Protocol):
    """A document that an editor has open."""

    @property
    def full(self) -> str:
        """The absolute path of its file."""

    @property
    def source(self) -> Source:
        """Its text, the same object as long as that does not change."""

    def bound(self, name: str, registry: Registry, options: Options) -> tuple[Handoff, ...]:
        """Its handoffs, by its path from the root."""

    def said(self, name: str, registry: Registry, options: Options) -> PromptStatements | None:
        """What it says about contracts, if it is a prompt; by its path from the root."""


class _Read:
    """The content of a file, or the reason why it is unreadable.

    ``use`` is called with each use of its handoffs, which are kept until ``unbind``; None: they are kept elsewhere.
    """

    def __init__(
        self,
        source: Source | None,
        bind: Callable[[Source], tuple[Handoff, ...]],
        say: Callable[[Source, Callable[[Source], MarkdownTree]], PromptStatements | None],
        unread: str,
        *,
        use: Callable[[], None] | None = None,
        keeps_tree: bool = False,
    ) -> None:
        self.source = source
        self.unread = unread
        self._bind = bind
        self._use = use
        self._handoffs: tuple[Handoff, ...] | None = None
        self._say = say
        self._keeps_tree = keeps_tree
        self._tree: MarkdownTree | None = None

    @property
    def handoffs(self) -> tuple[Handoff, ...]:
        """Its handoffs, bound when asked for."""
        if self.source is None:
            return ()
        if self._use is None:
            return self._bind(self.source)
        if self._handoffs is None:
            self._handoffs = self._bind(self.source)
        self._use()
        return self._handoffs

    def unbind(self) -> None:
        """Have its handoffs bound again when they are asked for."""
        self._handoffs = None

    @cached_property
    def said(self) -> PromptStatements | None:
        """What it says about contracts, read when asked for; None if it is no prompt."""
        return self._say(self.source, self._parse) if self.source is not None else None

    def _parse(self, source: Source) -> MarkdownTree:
        from handoff_lsp.syntax.markdown.incremental import parse_markdown  # not before a document is read

        tree = parse_markdown(source)
        self._tree = tree if self._keeps_tree else None
        return tree

    def take_tree(self, source: Source) -> MarkdownTree:
        """The tree of its source, which is parsed once for its statements and its analysis."""
        tree, self._tree = self._tree, None
        return tree if tree is not None and tree.source is source else self._parse(source)


class Files:
    """The files that documents ask about, one object for each session or run. Read files are kept while unchanged.

    ``opened`` are the documents that an editor has open, by the last part of their paths. ``keeps_trees``: most of the
    files are checked, too, so that the tree of a prompt is kept from one use to the other.
    """

    def __init__(
        self,
        settings: FileSettings,
        opened: Mapping[str, Sequence[Buffer]] | None = None,
        memo: Memo | None = None,
        *,
        keeps_trees: bool = False,
    ) -> None:
        self.settings = settings
        self._keeps_trees = keeps_trees
        self.memo: Memo = memo if memo is not None else Memo()
        self._opened: Mapping[str, Sequence[Buffer]] = opened if opened is not None else {}
        self._texts = self.memo.results()  # by path
        self._kept: dict[str, int] = {}  # the lengths of those texts
        self._size = 0  # of all of them
        # By path, the files whose handoffs are kept: the number of the change at which they were used last, in order.
        self._bound: dict[str, int] = {}
        self._digests: dict[str, tuple[object, str]] = {}  # by path: a content, and the digest of the text read then

    @property
    def opened(self) -> list[str]:
        """The absolute paths of the open documents."""
        return [buffer.full for buffers in self._opened.values() for buffer in buffers]

    def inside(self, base: str, path: str, root: str) -> str | None:
        """The file that a path from a folder names; None unless it is in the root, by its name and after its links."""
        return self.memo.look(self._inside, base, path, root)

    def _inside(self, base: str, path: str, root: str) -> str | None:
        if not path or len(path) > MAX_PATH or path.startswith(("/", "~", "\\")) or _DRIVE.match(path) or "\0" in path:
            return None
        full = os.path.normpath(os.path.join(base, path))
        if not _within(full, root) or not _within(os.path.realpath(full), self.real(root)):
            return None
        return full

    def real(self, full: str) -> str:
        """The path with its links resolved; it need not exist."""
        return self.memo.real(full)

    def exists(self, full: str) -> bool:
        """Whether there is a file or folder, on disk or open."""
        return self.memo.look(os.path.exists, full) is True or self.buffer(full) is not None

    def exists_inside(self, base: str, path: str, root: str) -> bool | None:
        """Whether there is a file or folder at a path from a folder; None unless it is in the root."""
        full = self.inside(base, path, root)
        return self.exists(full) if full is not None else None

    def content(self, full: str) -> KnownContent:
        """A value that changes with the file's content; None without a file."""
        buffer = self.buffer(full)
        if buffer is not None:
            return buffer.source
        return self.memo.look(_stamp, full)

    def state(self, full: str) -> State:
        """That value with the options and contracts of the file; None without a file."""
        return self._with_settings(full, self.content(full))

    def state_on_disk(self, full: str) -> State:
        """The same of the file on disk, open or not."""
        return self._with_settings(full, self.memo.look(_stamp, full))

    def _with_settings(self, full: str, content: KnownContent) -> State:
        if content is None:
            return None
        path = Path(full)
        return content, self.settings.options(path), self.settings.registry(path)

    def read(self, full: str) -> _Read:
        """A file as it is now."""
        return self.read_in(full, self.state(full))

    def read_in(self, full: str, state: State) -> _Read:
        """A file in a state that the caller has."""
        return self._texts.for_revision(full, state, lambda: self._keep(full, self._read(full, state)))

    def digest(self, full: str, content: object) -> str:
        """A digest of the text, or of the reason for none, that a file on disk was read with in a state of its content.

        Empty if that is not known: it had two texts in the same state.
        """
        if full not in self._digests or self._digests[full][0] != content:
            self._texts.forget(full)
            self.read(full)
        read_as, digest = self._digests.get(full, (None, ""))
        return digest if read_as == content else ""

    def _keep(self, full: str, read: _Read) -> _Read:
        """Keep a file that was read, and drop the oldest ones beyond the bounds."""
        self._size += len(read.source or "") - self._kept.pop(full, 0)
        self._kept[full] = len(read.source or "")
        while (self._size > MAX_KEPT_CHARACTERS and len(self._kept) > 1) or len(self._kept) > MAX_LOOKS:
            oldest = next(iter(self._kept))
            self._size -= self._kept.pop(oldest)
            self._texts.forget(oldest)
        return read

    def _use(self, full: str) -> None:
        """The handoffs of a file are used: keep them, and not those that were not used for long."""
        now, bound = self.memo.events, self._bound
        bound.pop(full, None)
        bound[full] = now
        while len(bound) > MAX_BOUND or bound[next(iter(bound))] < now - MAX_UNUSED:
            oldest = next(iter(bound))
            del bound[oldest]
            known = self._texts.newest(oldest)
            if known is not None:
                known.value.unbind()

    def _read(self, full: str, state: State) -> _Read:
        path, buffer = Path(full), self.buffer(full)
        name, options, registry = self.settings.name(path), self.settings.options(path), self.settings.registry(path)
        if buffer is not None:
            return _Read(
                buffer.source,
                lambda _: buffer.bound(name, registry, options),
                lambda *_: buffer.said(name, registry, options),
                "",
            )
        source, unread = None, ""
        try:
            source = Source(read_text(path)) if state is not None else None
        except UnreadableFile as error:
            unread = error.reason
        if state is not None:
            self._note_digest(full, state[0], text_digest(source.text if source is not None else f"\0{unread}"))

        def bind(source: Source) -> tuple[Handoff, ...]:
            from handoff_lsp.engine import bind_document  # not before it is needed

            return bind_document(source, name, registry, options)

        def say(source: Source, parse: Callable[[Source], MarkdownTree]) -> PromptStatements | None:
            from handoff_lsp.prompts.reading import read_document  # few documents are prompts

            return read_document(source, name, registry, options.disabled, parse)

        keeps_tree = self._keeps_trees and self._size <= MAX_PARSED_CHARACTERS
        return _Read(source, bind, say, unread, use=partial(self._use, full), keeps_tree=keeps_tree)

    def _note_digest(self, full: str, content: object, digest: str) -> None:
        before, known = self._digests.get(full, (None, digest))
        self._digests[full] = (content, digest if content != before or digest == known else "")

    def folder(self, folder: str, suffix: str) -> list[str]:
        """The names of the files in a folder with a suffix, open ones among them, without links."""
        on_disk = self.memo.look(_files_in, folder, suffix) or ()
        return list({*on_disk, *self.opened_in(folder, suffix)})

    def opened_in(self, folder: str, suffix: str) -> set[str]:
        """The names of the files in a folder with a suffix that are open."""
        return {
            name
            for name, buffers in self._opened.items()
            if _has(name, suffix) and any(os.path.dirname(buffer.full) == folder for buffer in buffers)
        }

    def entries(self, folder: str) -> dict[str, bool]:
        """The names in a folder, each with whether it is a folder: open files among them, without links.

        Hidden files and other people's folders are left out, and of a very large folder the rest.
        """
        names = dict(self.memo.look(_entries_of, folder) or {})
        for buffer in (buffer for buffers in self._opened.values() for buffer in buffers):
            inner = relative_to(buffer.full, folder)
            if inner:
                name, slash, _ = inner.partition("/")
                if not _left_out(name, is_folder=bool(slash)):
                    names.setdefault(name, bool(slash))
        return names

    def matching(self, root: str, globs: Sequence[str], most: int = MAX_FILES) -> frozenset[str] | None:
        """The files from a root that match globs; None where there are too many to look at, or not all can be."""
        safe = tuple(pattern for pattern in globs if _is_safe(pattern))
        on_disk = self.memo.look(_matching, root, safe, most)
        if on_disk is None:
            return None
        names = set(on_disk)
        for buffer in (buffer for buffers in self._opened.values() for buffer in buffers):
            name = relative_to(buffer.full, root)
            if name is not None and _matches_any(name, safe):
                names.add(name)
        return frozenset(names)

    def opened_matching(self, root: str, globs: Sequence[str]) -> list[str]:
        """The paths of the open documents from a root that match globs."""
        buffers = (buffer.full for buffers in self._opened.values() for buffer in buffers)
        return [full for full in buffers if _is_match(full, root, globs)]

    def watch(self, root: str, globs: Sequence[str]) -> list[str]:
        """Names for the texts of all files from a root that match globs, to note as reads."""
        found = []
        for pattern in globs:
            found.append(os.path.join(root, pattern))
            self.memo.watch(found[-1], partial(_is_match, root=root, globs=(pattern,)))
        return found

    def buffer(self, full: str) -> Buffer | None:
        """The open document of a file, whichever way its editor spells the path."""
        for buffer in self._opened.get(os.path.basename(full), ()):
            if buffer.full == full or self.real(buffer.full) == self.real(full):
                return buffer
        return None


def _files_in(folder: str, suffix: str) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries if _has(entry.name, suffix) and _is_file(entry)]


def _entries_of(folder: str) -> dict[str, bool]:
    with os.scandir(folder) as entries:
        return {
            entry.name: entry.is_dir()
            for entry in islice(entries, MAX_ENTRIES)
            if not entry.is_symlink() and not _left_out(entry.name, is_folder=entry.is_dir())
        }


def _matching(root: str, globs: Sequence[str], most: int) -> frozenset[str] | None:
    found: set[str] = set()
    for pattern in globs:
        expanded = expand(Path(root), pattern, most)
        too_many = len(expanded.files) > most or len(expanded.folders) > MAX_FOLDERS
        if too_many or expanded.escapes:
            return None
        found.update(name for path in expanded.files if (name := relative_to(str(path), root)) is not None)
    return frozenset(found)


def _is_match(full: str, root: str, globs: Sequence[str]) -> bool:
    name = relative_to(full, root)
    return name is not None and _matches_any(name, tuple(filter(_is_safe, globs)))


@lru_cache(maxsize=1_024)
def _is_safe(pattern: str) -> bool:
    return unsafe_reason(pattern) is None


@lru_cache(maxsize=4_096)
def _matches_any(name: str, globs: tuple[str, ...]) -> bool:
    """Whether a path from the root matches one of some patterns."""
    return any(Glob(pattern).matches(name) for pattern in globs)


def _within(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def _has(name: str, suffix: str) -> bool:
    return name.casefold().endswith(suffix.casefold()) and not name.startswith(".")


def _left_out(name: str, *, is_folder: bool) -> bool:
    return skipped_folder(name) if is_folder else name.startswith(".")


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:
        return False


def _stamp(full: str) -> tuple[int, int, int]:
    about = os.stat(full)
    return about.st_mtime_ns, about.st_size, about.st_ino
