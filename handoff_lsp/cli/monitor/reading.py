"""Reads the work trees of a repository for `handoff-lsp monitor`: git, the status files, the newest handoffs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path

from handoff_lsp.binding.handoff import NOWHERE, Handoff
from handoff_lsp.cli.monitor.concerns import concerns_of
from handoff_lsp.cli.monitor.rows import Branch, Listed, Row, Status
from handoff_lsp.contracts.model import Contract
from handoff_lsp.engine import Analysis, analyze
from handoff_lsp.features.decision.agent_state import stated_state
from handoff_lsp.features.decision.overview import ListedHandoff, overviews
from handoff_lsp.text import Source
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk import git
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text
from handoff_lsp.workspace.disk.git import GitError, Worktree
from handoff_lsp.workspace.disk.walking import SUFFIXES
from handoff_lsp.workspace.known_files import Files
from handoff_lsp.workspace.surroundings import surroundings_of

# The most files in which the newest handoff of a work tree is searched.
MAX_FILES = 200
_LATEST = 5
# A text with fewer digits is rather a word than the hash of a commit.
_HASH = frozenset("0123456789abcdef")
_SHORTEST_HASH = 4


class Reader:
    """Reads the work trees of the repository that a folder is in."""

    def __init__(self, folder: Path, config: Path | None = None, base: str | None = None) -> None:
        self._folder = folder
        self._given_base = base
        self._resolver = Resolver(explicit=config)
        self._files = Files(self._resolver)

    def problems(self, folder: Path) -> list[str]:
        """The problems of the config of a folder, and of its contract files."""
        return [f"{problem.path}: {problem.message}" for problem in self._resolver.problems(folder / "_")]

    def read(self, now: float, stale: float | None) -> list[Row]:
        """The work trees as they are now, the main one first. Raises GitError if git gives no list.

        ``now`` is in seconds since 1970, ``stale`` in seconds; None: as the contract says.
        """
        trees = git.worktrees(self._folder)
        base = self._base(trees)
        return [concerns_of(self._report(tree, base), now, stale) for tree in trees if not tree.bare]

    def _base(self, trees: Sequence[Worktree]) -> tuple[str, str] | None:
        """The base of the branches, its name and its hash; None without any commit."""
        if self._given_base is not None:
            found = git.commit_of(self._folder, self._given_base)
            if found is None:
                raise GitError(f"git knows no commit `{self._given_base}`")
            return self._given_base, found
        main = trees[0] if trees else None
        if main is None:
            return None
        name = git.branch_of(main.path) if main.bare else main.branch
        found = git.commit_of(main.path, f"refs/heads/{name}") if name else main.head
        return (name or found[:7], found) if found else None

    def _report(self, tree: Worktree, base: tuple[str, str] | None) -> Row:
        name = (tree.branch or tree.path.name).rpartition("/")[2]
        base_name = base[0] if base is not None else None
        if not tree.path.is_dir():
            return Row(tree, name, base_name, gone=tree.prunable or "its folder is missing")
        unread = self.problems(tree.path)
        status, no_status = self._status(tree.path, unread)
        checkpoints = status.stated.checkpoints if status is not None else ()
        branch, handoff = Branch(), None
        try:
            root = git.root_of(tree.path)
            if not root.samefile(tree.path):
                raise GitError(f"git has lost this work tree: {tree.path}")
            own = base[1] if base is not None and base[0] != tree.branch else None
            changed = {path.relative_to(root).as_posix(): path for path in git.changed_files(root)}
            branch = self._branch(tree, own, list(changed), checkpoints)
            handoff = self._newest(tree, own, changed)
        except (GitError, OSError) as error:
            unread.append(str(error))
        agent = status.listed.agent if status is not None and status.listed.agent else name
        return Row(
            tree,
            agent,
            base_name,
            status=status,
            no_status=no_status,
            branch=branch,
            handoff=handoff,
            unread=tuple(unread),
        )

    # The status file

    def _states(self, root: Path) -> dict[str, Contract]:
        """The contracts for a work tree that describe the state of an agent."""
        known = self._resolver.registry(root / "_")
        return {entry.name: entry.contract for entry in known if entry.contract.overview.state is not None}

    def _status(self, root: Path, unread: list[str]) -> tuple[Status | None, str]:
        """The status file of the agent that is the newest, or why there is none."""
        found: list[Status] = []
        reason = "no status file"
        for contract in self._states(root).values():
            for name in sorted(self._files.matching(str(root), contract.locations) or ()):
                path = root / name
                try:
                    text = read_text(path)
                except UnreadableFile as error:
                    reason = f"`{name}` cannot be read: {error.reason}"
                    unread.append(reason)
                    continue
                states = list(self._states_in(self._analysis(path, text), name))
                found += states
                if not states:
                    reason = _why_no_status(name, text, contract)
                    unread += [reason] if _is_broken(text, contract) else []
        found.sort(key=lambda status: status.listed.updated or 0)
        return (found[-1], "") if found else (None, reason)

    def _states_in(self, analysis: Analysis, name: str) -> Iterator[Status]:
        for handoff, listed in _listed(analysis):
            stated, state = stated_state(handoff), handoff.spec.contract.overview.state
            if stated is not None and state is not None:
                yield Status(_listed_row(name, listed), stated, max(state.stale_minutes, 1) * 60.0)

    # Handoffs

    def _newest(self, tree: Worktree, own: str | None, changed: Mapping[str, Path]) -> Listed | None:
        """The newest handoff of the branch: in a file that is not committed, else in the last commit with one."""
        recent = sorted(changed, key=lambda name: _modified(changed[name]), reverse=True)
        committed = git.files_of(tree.path, tree.head, own) if tree.head is not None else []
        named = dict.fromkeys([*recent, *committed])
        for name in islice((name for name in named if self._may_hold(tree.path / name)), MAX_FILES):
            with suppress(UnreadableFile):
                rows = [
                    _listed_row(name, listed)
                    for handoff, listed in _listed(self._analysis(tree.path / name, read_text(tree.path / name)))
                    if handoff.spec.contract.overview.state is None
                ]
                if rows:
                    return max(enumerate(rows), key=lambda pair: (pair[1].updated or 0, pair[0]))[1]
        return None

    def _may_hold(self, path: Path) -> bool:
        by_name = path.suffix.lower() in SUFFIXES or self._resolver.is_data_file(path)
        return by_name and path.is_file() and not path.is_symlink() and not self._resolver.excluded(path)

    def _analysis(self, path: Path, text: str) -> Analysis:
        resolver = self._resolver
        around = surroundings_of(self._files, path) or NOWHERE
        return analyze(
            Source(text), resolver.name(path), resolver.registry(path), resolver.options(path), around=around
        )

    # The branch

    def _branch(self, tree: Worktree, own: str | None, changed: Iterable[str], checkpoints: Iterable[str]) -> Branch:
        states = self._states(tree.path).values()
        own_folders = {os.path.dirname(place) for contract in states for place in contract.locations} - {""}
        uncommitted = sum(os.path.dirname(name) not in own_folders for name in changed)
        if tree.head is None:
            return Branch(uncommitted=uncommitted, lost_checkpoints=tuple(checkpoints))
        every = git.commits(tree.path, tree.head)
        commits = git.commits(tree.path, tree.head, own) if own is not None else []
        prefixes = [prefix for contract in states for prefix in _prefixes(contract)]
        return Branch(
            own=tuple(commits),
            latest=tuple(every[:_LATEST]),
            prefixes={
                prefix: sum(commit.subject.startswith(f"{prefix}:") for commit in commits) for prefix in prefixes
            },
            uncommitted=uncommitted,
            merged=git.is_merged(tree.path, tree.head, own) if own is not None else None,
            lost_checkpoints=tuple(one for one in checkpoints if not _is_in(tree, one, every)),
        )


def _is_in(tree: Worktree, checkpoint: str, commits: Sequence[git.Commit]) -> bool:
    """Whether a branch has a commit, given as its hash or the first line of its message."""
    assert tree.head is not None
    line = " ".join(checkpoint.split())
    if any(" ".join(commit.subject.split()) == line for commit in commits):
        return True
    if len(line) < _SHORTEST_HASH or not set(line.lower()) <= _HASH:
        return False
    found = git.commit_of(tree.path, line)
    return found is not None and git.contains(tree.path, tree.head, found)


def _listed(analysis: Analysis) -> Iterator[tuple[Handoff, ListedHandoff]]:
    handoffs = (handoff for handoff in analysis.handoffs if handoff.mode == "handoff")
    return zip(handoffs, overviews(analysis), strict=True)


def _listed_row(name: str, listed: ListedHandoff) -> Listed:
    return Listed(
        path=name,
        contract=listed.contract,
        agent=listed.agent,
        status=listed.status,
        status_text=listed.status_text,
        action=listed.action,
        decision=f"{listed.action}: {listed.brief}" if listed.action is not None else "",
        reason=listed.reason,
        errors=listed.errors,
        warnings=listed.warnings,
        updated=datetime.fromisoformat(listed.changed).timestamp() if listed.changed is not None else None,
    )


def _prefixes(contract: Contract) -> Sequence[str]:
    return contract.overview.state.commits if contract.overview.state is not None else ()


def _why_no_status(name: str, text: str, contract: Contract) -> str:
    if _is_broken(text, contract):
        return f"`{name}` is not valid JSON"
    return f"`{name}` is no status file that a contract describes"


def _is_broken(text: str, contract: Contract) -> bool:
    """Whether a file that should be JSON is none, so that no contract recognizes it."""
    if contract.file is None or contract.file.syntax != "json":
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return True
    return False


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
