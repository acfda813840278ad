"""The prompts of a workspace: which they are, and what they say. Read again when one of them changes."""

from __future__ import annotations

import os
from functools import partial
from itertools import islice
from pathlib import Path

from handoff_lsp.prompts.documents import is_agent, is_prompt
from handoff_lsp.prompts.embedded import embeds
from handoff_lsp.prompts.pack import Pack, StatementPlace
from handoff_lsp.prompts.speakers import names_in
from handoff_lsp.prompts.statement import Enumeration, PromptStatement, PromptStatements
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.config.config_file import relative_to
from handoff_lsp.workspace.disk.walking import walk
from handoff_lsp.workspace.known_files import Files, State

# The most prompts of a workspace that are read, the largest of them (characters or bytes), and the files looked at.
MAX_PROMPTS = 2_000
MAX_LENGTH = 300_000
MAX_FILES = 50_000
# So many agents are defined where others are missed.
MIN_AGENTS = 2


def watch_prompts(files: Files, root: str) -> str:
    """A name for the texts of all prompts of a workspace, to note as a read."""
    name = os.path.join(root, "**", "(prompts)")
    files.memo.watch(name, partial(_is_prompt_of, root=root))
    return name


class _OnDisk(NamedTuple):
    """The prompts of a workspace as they are on disk, and their paths by the last part."""

    states: dict[str, State]
    named: dict[str, list[str]]


def prompt_states(files: Files, root: str) -> dict[str, State] | None:
    """The prompts of a workspace with their states; None where there are too many."""
    on_disk = files.memo.look(_on_disk, files, root)
    if on_disk is None:
        return None
    found = on_disk.states | _opened(files, root, on_disk)
    return found if len(found) == len(on_disk.states) else dict(sorted(found.items()))


def _opened(files: Files, root: str, on_disk: _OnDisk) -> dict[str, State]:
    """Those of the prompts that are open, with their states."""
    found: dict[str, State] = {}
    for full in files.opened:
        if _is_prompt_of(full, root):
            found[full] = files.state(full)
        for path in on_disk.named.get(os.path.basename(full), ()):
            if path not in found and files.buffer(path) is not None:
                found[path] = files.state(path)
    return found


def pack_of(files: Files, root: str) -> Pack | None:
    """The statements of the prompts of a workspace; None where there are too many."""
    on_disk = files.memo.look(_on_disk, files, root)
    if on_disk is None:
        return None
    opened, about = _opened(files, root, on_disk), files.memo.about(root)

    def read() -> dict[str, PromptStatements | None]:
        return {full: _said(files, full, state) for full, state in on_disk.states.items() if full not in opened}

    closed = about.for_revision("closed prompts", (on_disk, tuple(opened)), read)
    said = {full: _said(files, full, state) for full, state in opened.items()}

    def make() -> Pack:
        return Pack([one for _, one in sorted((closed | said).items()) if one is not None])

    # An edit that changes no statement keeps the pack, with all that was computed from it.
    return about.for_revision("pack", (closed, said), make)


def agents_of(files: Files, root: str) -> frozenset[str]:
    """The names of the agents, commands and skills of a workspace; empty where it defines no other agents."""
    states = prompt_states(files, root)
    if states is None:
        return frozenset()

    def make() -> frozenset[str]:
        if sum(is_agent(relative_to(full, root) or "") for full in states) < MIN_AGENTS:
            return frozenset()
        return frozenset().union(*(_names(files, full, root, state) for full, state in states.items()))

    return files.memo.about(root).for_revision("agents", states, make)


def places_of(
    files: Files, root: str, path: str, one: PromptStatement | Enumeration, own: str
) -> tuple[StatementPlace, ...]:
    """The places of a statement in the prompt at a path, seen from the document ``own``; none if it is gone."""
    full = os.path.join(root, *path.split("/"))
    read = files.read(full)
    if read.source is None or read.said is None:
        return ()
    all_of_them = read.said.statements if isinstance(one, PromptStatement) else read.said.enumerations
    name = os.path.relpath(full, os.path.dirname(own)).replace(os.sep, "/")
    return tuple(StatementPlace(name, read.source, each.span) for each in all_of_them if each == one)


def _said(files: Files, full: str, state: State) -> PromptStatements | None:
    about = files.memo.about(full)
    return about.for_revision("said", state, lambda: files.read_in(full, state).said)


def _names(files: Files, full: str, root: str, state: State) -> frozenset[str]:
    def make() -> frozenset[str]:
        source = files.read_in(full, state).source
        return names_in(relative_to(full, root) or "", source.text) if source is not None else frozenset()

    return files.memo.about(full).for_revision("names", state, make)


def _on_disk(files: Files, root: str) -> _OnDisk | None:
    paths = files.memo.look(_paths, root)
    if paths is None:
        return None
    states, named = dict[str, State](), dict[str, list[str]]()
    for path in paths:
        state = files.state_on_disk(path)
        if state is not None:
            states[path] = state
        named.setdefault(os.path.basename(path), []).append(path)
    return _OnDisk(states, named)


def _paths(root: str) -> tuple[str, ...] | None:
    found: list[str] = []
    for path in islice(walk(Path(root), also=lambda path: embeds(path.as_posix())), MAX_FILES):
        name = relative_to(str(path), root)
        if name is not None and is_prompt(name) and os.stat(path).st_size <= MAX_LENGTH:
            found.append(str(path))
        if len(found) > MAX_PROMPTS:
            return None
    return tuple(sorted(found))


def _is_prompt_of(full: str, root: str) -> bool:
    name = relative_to(full, root)
    return name is not None and is_prompt(name)
