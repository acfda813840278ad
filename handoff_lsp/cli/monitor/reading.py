"""Reads the work trees of a repository for `handoff-lsp monitor`: git, the status files, the newest handoffs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from heapq import merge
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path

from handoff_lsp.binding.handoff import NOWHERE, Handoff
from handoff_lsp.cli.monitor.branch import branch_of, changed_in
from handoff_lsp.cli.monitor.concerns import concerns_of
from handoff_lsp.cli.monitor.rows import Branch, Listed, Status, WorktreeRow
from handoff_lsp.contracts.model import Contract
from handoff_lsp.decide.words import urgency
from handoff_lsp.engine import Analysis, analyze
from handoff_lsp.features.decision.agent_state import stated_state
from handoff_lsp.features.decision.overview import ListedHandoff, overviews
from handoff_lsp.text import Source
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk import git
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text
from handoff_lsp.workspace.disk.git import Worktree
from handoff_lsp.workspace.disk.git_program import GitError
from handoff_lsp.workspace.disk.walking import SUFFIXES
from handoff_lsp.workspace.known_files import Files
from handoff_lsp.workspace.surroundings import surroundings_of

# The most files in which the newest handoff of a work tree is searched.
MAX_FILES = 200


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

    def read(self, now: float, stale: float | None) -> list[WorktreeRow]:
        """The work trees as they are now, the main one first. Raises GitError if git gives no list.

        ``now`` is in seconds since 1970, ``stale`` in seconds; None: as the contract says.
        """
        trees = git.worktrees(self._folder)
        base = self._base(trees)
        return [concerns_of(self._row_of(tree, base), now, stale) for tree in trees if not tree.bare]

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

    def _row_of(self, tree: Worktree, base: tuple[str, str] | None) -> WorktreeRow:
        name = (tree.branch or tree.path.name).rpartition("/")[2]
        base_name = base[0] if base is not None else None
        own = base[1] if base is not None and base[0] != tree.branch else None
        gone = None if os.path.isdir(tree.path) else _why_gone(tree)
        unread = self.problems(tree.path) if gone is None else []
        status, no_status = self._status(tree.path, unread) if gone is None else (None, "")
        checkpoints = status.stated.checkpoints if status is not None else ()
        branch, handoff = Branch(), None
        try:
            changed = changed_in(tree) if gone is None else []
            branch = branch_of(self._folder, tree, own, changed, checkpoints, self._states(tree.path))
            handoff = self._newest(tree, own, changed) if gone is None else None
        except (GitError, OSError) as error:
            unread.append(str(error))
        agent = status.listed.agent if status is not None and status.listed.agent else name
        return WorktreeRow(
            tree,
            agent,
            base_name,
            gone,
            status,
            no_status=no_status,
            branch=branch,
            handoff=handoff,
            unread=tuple(unread),
        )

    # The status file

    def _states(self, root: Path) -> list[Contract]:
        """The contracts for a work tree that describe the state of an agent."""
        place = root / "_"
        disabled = self._resolver.options(place).disabled
        known = (entry.contract for entry in self._resolver.registry(place) if entry.name not in disabled)
        return [contract for contract in known if contract.overview.state is not None]

    def _status(self, root: Path, unread: list[str]) -> tuple[Status | None, str]:
        """The newest status file of the agent, or the reason for its lack."""
        found: list[Status] = []
        contracts = self._states(root)
        reason = f"no status file: {', '.join(place for one in contracts for place in one.locations) or 'no contract'}"
        for contract in contracts:
            names = self._files.matching(str(root), contract.locations)
            if names is None:
                reason = f"{' and '.join(contract.locations)}: a link leads out of the work tree, or too many match"
                unread.append(reason)
            for name in sorted(names or ()):
                path = root / name
                try:
                    text = read_text(path)
                    states = list(self._states_in(self._analysis(path, text), name))
                except UnreadableFile as error:
                    reason = f"`{name}` cannot be read: {error.reason}"
                    unread.append(reason)
                    continue
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

    def _newest(self, tree: Worktree, own: str | None, changed: Sequence[str]) -> Listed | None:
        """The newest handoff of the branch, by the times of its commits, and of files that are not committed.

        Among those with the same time, such as those of one commit, whichever needs a person first wins.
        """
        recent = sorted(((-_modified(tree.path / name), name) for name in changed), key=itemgetter(0))
        files = git.files_of(tree.path, tree.head, own) if tree.head is not None else {}
        named: dict[str, float] = {}
        for time, name in merge(recent, ((-time, name) for name, time in files.items()), key=itemgetter(0)):
            named.setdefault(name, time)
        readable = ((name, time) for name, time in named.items() if self._may_hold(tree.path / name))
        for _, together in groupby(islice(readable, MAX_FILES), key=itemgetter(1)):
            rows = [row for name, _ in together if (row := self._newest_in(tree.path / name, name)) is not None]
            if rows:
                return min(rows, key=lambda row: urgency(row.action))
        return None

    def _newest_in(self, path: Path, name: str) -> Listed | None:
        """The newest handoff in a file, the last of those without a time."""
        try:
            analysis = self._analysis(path, read_text(path))
        except UnreadableFile:
            return None
        rows = [
            _listed_row(name, listed)
            for handoff, listed in _listed(analysis)
            if handoff.spec.contract.overview.state is None
        ]
        return max(enumerate(rows), key=lambda pair: (pair[1].updated or 0, pair[0]))[1] if rows else None

    def _may_hold(self, path: Path) -> bool:
        by_name = path.suffix.lower() in SUFFIXES or self._resolver.is_data_file(path)
        return by_name and os.path.isfile(path) and not os.path.islink(path) and not self._resolver.excluded(path)

    def _analysis(self, path: Path, text: str) -> Analysis:
        """The analysis of a file. Raises UnreadableFile after a crash."""
        resolver = self._resolver
        try:
            return analyze(
                Source(text),
                resolver.name(path),
                resolver.registry(path),
                resolver.options(path),
                around=surroundings_of(self._files, path) or NOWHERE,
            )
        except Exception as error:  # the other work trees are still shown
            raise UnreadableFile(path, f"internal error, please report it ({type(error).__name__}: {error})") from error


def _listed(analysis: Analysis) -> Iterator[tuple[Handoff, ListedHandoff]]:
    handoffs = (handoff for handoff in analysis.handoffs if handoff.mode == "handoff")
    return zip(handoffs, overviews(analysis), strict=True)


def _listed_row(name: str, listed: ListedHandoff) -> Listed:
    return Listed(
        path=name,
        contract=listed.contract,
        agent=listed.agent,
        status=listed.status,
        status_text="unreadable" if listed.unread is not None else listed.status_text,
        action=listed.action,
        decision=f"{listed.action}: {listed.brief}" if listed.action is not None else "",
        reason=listed.reason,
        errors=listed.errors,
        warnings=listed.warnings,
        updated=datetime.fromisoformat(listed.changed).timestamp() if listed.changed is not None else None,
    )


def _why_gone(tree: Worktree) -> str:
    if tree.locked is not None:
        return "its folder is missing, and it is locked: mount its disk, or `git worktree unlock` and `prune` forget it"
    return "its folder is missing; `git worktree prune` forgets it"


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
