"""The files around a document: the questions that its check may ask about them.

Each question goes into the reads of the document's result, so that it is checked again when an answer has changed.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from handoff_lsp.binding.introduced import Circle, DefinedAt, Introduced, Links, Nothing, Thing, circles
from handoff_lsp.contracts.kinds import defined_name
from handoff_lsp.contracts.owed import agent_name
from handoff_lsp.contracts.patterns import find_all
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.language import say
from handoff_lsp.prompts.pack import Pack, StatementPlace
from handoff_lsp.prompts.statement import Enumeration, PromptStatement
from handoff_lsp.text import Source
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.config.config_file import relative_to
from handoff_lsp.workspace.config.search import absolute
from handoff_lsp.workspace.disk.globs import Glob
from handoff_lsp.workspace.known_files import Files, State
from handoff_lsp.workspace.memo import Reads
from handoff_lsp.workspace.packs import agents_of, pack_of, places_of, watch_prompts

if TYPE_CHECKING:
    from handoff_lsp.binding.handoff import Handoff

# The most files before a document in its folder that are read, and the most characters in them.
MAX_SIBLINGS = 200
MAX_SIBLING_CHARACTERS = 20_000_000
# The most documents whose names of a kind are compared, the most characters in them, and the most places of one name.
MAX_INSIDE = 1_000
MAX_INSIDE_CHARACTERS = 20_000_000
MAX_PLACES = 10

# Files of several agents, which are not read for their names, and definitions of one that are no prompts.
_AGENTS_INSIDE = ("opencode.json", ".opencode/opencode.json", "opencode.jsonc")
_AGENT_DATA = ("**/agents/**/*.toml", "**/agents/**/*.json", "**/agents/**/*.yaml", "**/agents/**/*.yml")

_DIGITS = lazy_pattern(r"(\d+)")


def surroundings_of(files: Files, path: Path | None, reads: Reads | None = None) -> Around | None:
    """The surroundings of a document that is about to be checked; None if it is in no workspace.

    Each question about them goes into ``reads``.
    """
    if path is None:
        return None
    reads, full = reads if reads is not None else Reads(), absolute(path)
    root = reads.ask(root_of, files, full)
    return Around(files, full, root, reads) if root is not None else None


def root_of(files: Files, full: str) -> str | None:
    """The root of the workspace around a file."""
    return files.settings.root_of(full)


class Around:
    """The surroundings of one document during its check. ``reads`` has the questions that it asked."""

    def __init__(self, files: Files, full: str, root: str, reads: Reads) -> None:
        self.reads = reads
        self._files = files
        self._full = full
        self._folder = os.path.dirname(full)
        self._root = root
        self._earlier: dict[tuple[str, str], list[Handoff]] = {}
        self._names: dict[int, tuple[Handoff, str]] = {}
        self._limits: dict[str, None] = {}

    def exists(self, path: str) -> bool | None:
        """Whether a file or folder exists at a path from the root; None outside the root."""
        return self.reads.ask(Files.exists_inside, self._files, self._root, path, self._root)

    def exists_beside(self, path: str) -> bool | None:
        """Whether one exists at a path from the folder of the document; None outside the root."""
        return self.reads.ask(Files.exists_inside, self._files, self._folder, path, self._root)

    def handoff(self, path: str, contract: str) -> Handoff | None:
        """The first handoff of a contract in the document at a path from the folder of this one."""
        full = self._inside(self._folder, path)
        if full is None or full == self._full:
            return None
        self._state(full)
        return next(iter(self._named(full, self._of(full, contract))), None)

    def before(self, contract: str, mentioning: str) -> Sequence[Handoff]:
        """The handoffs of a contract in the files of this folder that come before this one, in their order."""
        if (contract, mentioning) not in self._earlier:
            self._note_siblings()
            states = self.reads.ask(mentioning_before, self._files, self._full, self._root, mentioning)
            found: list[Handoff] = []
            for full, _ in states:
                found += self._named(
                    full, (handoff for handoff in self._of(full, contract) if handoff.mode == "handoff")
                )
            self._earlier[contract, mentioning] = found
        return self._earlier[contract, mentioning]

    def defined(self, globs: Sequence[str], naming: Sequence[str] = ()) -> frozenset[str]:
        """The names, without suffix, of the files that match globs from the root; empty where there are too many."""
        files = self.reads.ask(Files.matching, self._files, self._root, tuple(globs))
        if files is None:
            self._limits[
                say(
                    "Not all files that match {globs} could be looked at, so no name was checked",
                    globs=say(" and ").join(globs),
                )
            ] = None
            return frozenset()
        return frozenset(defined_name(name, globs, naming) for name in files) - {""}

    def introduced(self, kind: str, globs: Sequence[str]) -> Introduced:
        """The names of a kind that the other documents which match globs introduce; none where there are too many."""
        files, root = self._files, self._root
        self.reads.texts |= {*files.watch(root, globs)}
        if self.reads.ask(are_too_many, files, root, tuple(globs), kind):
            told = say(
                "Not all files that match {globs} could be read, so no name in them was compared",
                globs=say(" and ").join(globs),
            )
            self._limits[_note(told)] = None
            return Nothing()
        return _Asked(files, self._full, root, tuple(globs), kind, self.reads)

    def example(self, registry: Registry, entry: ContractEntry, profile: str) -> str | None:
        """An example of a contract's handoffs."""
        from handoff_lsp.samples.example import example_text  # few documents have one

        return example_text(registry, entry, profile)

    def pack(self) -> Pack | None:
        """The prompts of the workspace; None where there are too many."""
        self.reads.texts |= {watch_prompts(self._files, self._root)}
        return self.reads.ask(pack_of, self._files, self._root)

    def agents(self) -> frozenset[str]:
        """The names of the workspace's agents; empty where not all of them may be known."""
        if any(self.exists(path) for path in _AGENTS_INSIDE):
            return frozenset()
        self.reads.texts |= {watch_prompts(self._files, self._root)}
        found = self.reads.ask(agents_of, self._files, self._root)
        return found and found | frozenset(map(agent_name, self.defined(_AGENT_DATA)))

    def places(self, path: str, one: PromptStatement | Enumeration) -> Sequence[StatementPlace]:
        """The places of a statement in the prompt at a path from the root."""
        return self.reads.ask(places_of, self._files, self._root, path, one, self._full)

    def count(self, globs: Sequence[str], pattern: str) -> int | None:
        """How often a pattern is found in the files that match the first of some globs that matches any."""
        folder = os.path.relpath(self._folder, self._root).replace(os.sep, "/")
        for glob in globs:
            wanted = f"{escape(folder)}/{glob}" if folder != "." else glob
            files = self.reads.ask(Files.matching, self._files, self._root, (wanted,))
            if files is None:
                self._limits[
                    say("Not all files that match {globs} could be looked at, so nothing was counted", globs=wanted)
                ] = None
                return None
            if files:
                return sum(self._found_in(os.path.join(self._root, *name.split("/")), pattern) for name in files)
        return None

    def _found_in(self, full: str, pattern: str) -> int:
        source = self._files.read_in(full, self._state(full)).source
        return sum(1 for _ in find_all(pattern, source.text)) if source is not None else 0

    def name_of(self, handoff: Handoff) -> str:
        """The path of the document with a handoff from here, from the folder of this one."""
        known = self._names.get(id(handoff))
        return known[1] if known is not None else ""

    def limits(self) -> Sequence[str]:
        """The messages for questions that were too large to answer in full."""
        return list(self._limits)

    def _inside(self, folder: str, path: str) -> str | None:
        return self.reads.ask(Files.inside, self._files, folder, path, self._root)

    def _state(self, full: str) -> State:
        self.reads.texts |= {full}
        return self.reads.ask(Files.state, self._files, full)

    def _note_siblings(self) -> None:
        """Note the files of the folder that come before this one as reads, and the limits for those left out."""
        self.reads.texts |= {full for full, _ in _before(self._files, self._full, self._root).states}
        one_too_many, too_large = self.reads.ask(excess_before, self._files, self._full, self._root)
        if one_too_many:  # reported once in a folder
            told = say(
                "{number} files of its folder come before this one. From here on only the last {most} count",
                number=MAX_SIBLINGS + 1,
                most=MAX_SIBLINGS,
            )
            self._limits[_note(told)] = None
        if too_large:
            self._limits[say("The files before this one in its folder are too large to look at all of them")] = None

    def _of(self, full: str, contract: str) -> Iterator[Handoff]:
        read = self._files.read(full)
        if read.unread.startswith("too large"):
            self._limits[
                say(
                    "{name}, which this is judged by, is {unread} and is not read",
                    name=os.path.basename(full),
                    unread=read.unread,
                )
            ] = None
        return (handoff for handoff in read.handoffs if handoff.spec.name == contract)

    def _named(self, full: str, handoffs: Iterable[Handoff]) -> list[Handoff]:
        name = os.path.relpath(full, self._folder).replace(os.sep, "/")
        found = list(handoffs)
        for handoff in found:
            self._names[id(handoff)] = (handoff, name)
        return found


def _note(told: str) -> str:
    from handoff_lsp.binding.handoff import Note  # the engine is imported where a document is checked

    return Note(told)


class _Asked:
    """What other documents introduce; each answer is a read of the document that asks."""

    def __init__(self, files: Files, full: str, root: str, globs: tuple[str, ...], kind: str, reads: Reads) -> None:
        self._about = (files, root, globs, kind)
        self._full = full
        self._reads = reads
        name = relative_to(full, root)
        self.of_this = name is not None and any(Glob(pattern).matches(name) for pattern in globs)

    def names(self) -> frozenset[str] | None:
        """The names that the others, and this one as it is in the workspace, introduce: one object for all that ask."""
        return self._reads.ask(introduced_names, *self._about)

    def places(self, name: str) -> Sequence[DefinedAt]:
        """The places where the others introduce a name."""
        return self._reads.ask(introduced_places, *self._about, self._full, name)

    def circles(self, own: Sequence[Thing]) -> Sequence[Circle]:
        """The circles that the names of this document are in."""
        linked = any(thing.after for thing in own)
        return self._reads.ask(circles_of, *self._about, self._full, tuple(own)) if linked else ()


def _links(files: Files, root: str, globs: tuple[str, ...], kind: str) -> Links | None:
    """What the documents that match globs introduce, for all that ask; None where there are too many."""
    on_disk = states_of(files, root, globs)
    if on_disk is None:
        return None
    # A file that was open a moment ago may have another text on disk.
    opened = {full: files.state(full) for full in (*on_disk.opened, *files.opened_matching(root, globs))}

    def make() -> Links:
        found: dict[str, Sequence[Thing]] = {}
        for full, state in {**on_disk.states, **opened}.items():
            read = partial(_things, files, full, state, kind)
            things = files.memo.about(full).for_revision(("introduced", kind), state, read)
            if things:
                found[full] = things
        return Links(found)

    return files.memo.about(root).for_revision(("introduced", globs, kind), (on_disk, opened), make)


class FoundFiles(NamedTuple):
    """Files with their states, and those of them that were open."""

    states: dict[str, State]
    opened: list[str]


def states_of(files: Files, root: str, globs: tuple[str, ...]) -> FoundFiles | None:
    """The files on disk that match globs with their states; None where they are too many or too large."""
    return files.memo.look(_states_on_disk, files, root, globs)


def _states_on_disk(files: Files, root: str, globs: tuple[str, ...]) -> FoundFiles | None:
    names = files.matching(root, globs, MAX_INSIDE)
    if names is None or len(names) > MAX_INSIDE:
        return None
    found: dict[str, State] = {}
    size = 0
    for name in sorted(names):
        full = files.inside(root, name, root)
        state = files.state(full) if full is not None else None
        if full is not None and state is not None:
            found[full] = state
            size += _size_of(state)
    opened = [full for full, state in found.items() if state is not None and isinstance(state[0], Source)]
    return FoundFiles(found, opened) if size <= MAX_INSIDE_CHARACTERS else None


def _size_of(state: State) -> int:
    """The characters of an open document, the bytes of a file on disk."""
    content = state[0] if state is not None else None
    return len(content) if isinstance(content, Source) else content[1] if isinstance(content, tuple) else 0


def _things(files: Files, full: str, state: State, kind: str) -> tuple[Thing, ...]:
    from handoff_lsp.names.introduced import things_of

    return things_of(files.read_in(full, state).handoffs, kind)


def are_too_many(files: Files, root: str, globs: tuple[str, ...], kind: str) -> bool:
    return _links(files, root, globs, kind) is None


def introduced_names(files: Files, root: str, globs: tuple[str, ...], kind: str) -> frozenset[str]:
    links = _links(files, root, globs, kind)
    return links.all_names if links is not None else frozenset()


def introduced_places(
    files: Files, root: str, globs: tuple[str, ...], kind: str, own: str, name: str
) -> tuple[DefinedAt, ...]:
    links = _links(files, root, globs, kind)
    found: list[DefinedAt] = []
    for full, thing in links.by_name.get(name, ()) if links is not None else ():
        source = files.read(full).source if full != own else None
        if source is not None and thing.span.end <= len(source):
            document = os.path.relpath(full, os.path.dirname(own)).replace(os.sep, "/")
            found.append(DefinedAt(name, document, source, thing.span))
    return tuple(found[:MAX_PLACES])


def circles_of(
    files: Files, root: str, globs: tuple[str, ...], kind: str, own: str, things: tuple[Thing, ...]
) -> tuple[Circle, ...]:
    links = _links(files, root, globs, kind)
    return circles(links, own, things) if links is not None else ()


class _Sibling(NamedTuple):
    """A file of a folder, with its place among the others and its state on disk."""

    order: list[tuple[int, int, str]]
    full: str
    state: State


class _Before(NamedTuple):
    """The files of a folder that come before one: the nearest with their states, in their order, of how many."""

    states: list[tuple[str, State]]
    length: int
    too_large: bool


def _before(files: Files, full: str, root: str) -> _Before:
    folder, own = os.path.split(full)
    known = _siblings_of(files, folder, os.path.splitext(own)[1], root)
    end = bisect_left(known, _natural(own), key=lambda sibling: sibling.order)
    states: list[tuple[str, State]] = []
    size = 0
    for sibling in reversed(known[max(end - MAX_SIBLINGS, 0) : end]):
        state = sibling.state
        if files.buffer(sibling.full) is not None or (state is not None and isinstance(state[0], Source)):
            state = files.state(sibling.full)
        size += _size_of(state)
        if size > MAX_SIBLING_CHARACTERS:
            break
        states.append((sibling.full, state))
    states.reverse()
    return _Before(states, end, size > MAX_SIBLING_CHARACTERS)


def excess_before(files: Files, full: str, root: str) -> tuple[bool, bool]:
    """Whether one more file than counts comes before one in its folder, and whether they are too large."""
    before = _before(files, full, root)
    return before.length == MAX_SIBLINGS + 1, before.too_large


def mentioning_before(files: Files, full: str, root: str, text: str) -> list[tuple[str, State]]:
    """The files before one whose text has one of some words."""
    found = []
    for each, state in _before(files, full, root).states:
        source = files.read_in(each, state).source
        if source is not None and text in source.text:
            found.append((each, state))
    return found


def _siblings_of(files: Files, folder: str, suffix: str, root: str) -> list[_Sibling]:
    # Open documents count, too. They are a question of their own: one for each file would take time with their number.
    opened = tuple(sorted(files.opened_in(folder, suffix)))
    return files.memo.look(_siblings, files, folder, suffix, root, opened) or []


def _siblings(files: Files, folder: str, suffix: str, root: str, _opened: tuple[str, ...]) -> list[_Sibling]:
    """The files of a folder with a suffix, in the order of their names. All documents share one answer for a moment."""
    names = files.folder(folder, suffix)
    inside = [full for name in names if (full := files.inside(folder, name, root)) is not None]
    found = [_Sibling(_natural(os.path.basename(full)), full, files.state(full)) for full in inside]
    return sorted(found, key=lambda sibling: sibling.order)


def _natural(name: str) -> list[tuple[int, int, str]]:
    """A name as people put names in order: `turn-2` before `turn-10`."""
    parts = _DIGITS.split(name.casefold())
    key = [(0, int(part[:18]), "") if index % 2 else (1, 0, part) for index, part in enumerate(parts)]
    return [*key, (2, 0, name)]
