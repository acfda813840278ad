"""What the branch of a work tree has: its commits since the base, changed files, the agent's checkpoints."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from handoff_lsp.cli.monitor.rows import Branch
from handoff_lsp.contracts.model import Contract
from handoff_lsp.workspace.disk import git
from handoff_lsp.workspace.disk.git import Worktree
from handoff_lsp.workspace.disk.git_program import GitError

# The number of commits that are listed although the base has them.
_LATEST = 5
_HASH_DIGITS = frozenset("0123456789abcdef")
# A text with fewer digits is rather a word than a hash.
_SHORTEST_HASH = 4


def changed_in(tree: Worktree) -> list[str]:
    """The uncommitted paths of a work tree, from its root. Raises GitError and OSError."""
    root = git.root_of(tree.path)
    if not root.samefile(tree.path):  # a folder without its `.git`, in another work tree
        raise GitError(f"git has lost this work tree: {tree.path}")
    return git.uncommitted(root)


def branch_of(
    folder: Path,
    tree: Worktree,
    base: str | None,
    changed: Iterable[str],
    checkpoints: Iterable[str],
    states: Sequence[Contract],
) -> Branch:
    """The branch of a work tree of the repository that ``folder`` is in. Raises GitError.

    ``base`` is a hash, None for the base itself. ``states`` are the contracts of the agents' states.
    """
    own_folders = {os.path.dirname(place) for contract in states for place in contract.locations} - {""}
    uncommitted = sum(os.path.dirname(name) not in own_folders for name in changed)
    if tree.head is None:
        return Branch(uncommitted=uncommitted, lost_checkpoints=tuple(checkpoints), is_read=True)
    every = git.commits(folder, tree.head)
    own = git.commits(folder, tree.head, base) if base is not None else []
    prefixes = [prefix for contract in states if (state := contract.overview.state) for prefix in state.commits]
    return Branch(
        own=tuple(own),
        latest=tuple(every[:_LATEST]),
        prefixes={prefix: sum(commit.subject.startswith(f"{prefix}:") for commit in own) for prefix in prefixes},
        uncommitted=uncommitted,
        merged=git.is_merged(folder, tree.head, base) if base is not None else None,
        lost_checkpoints=tuple(one for one in checkpoints if not _has(folder, tree.head, one, every)),
        is_read=True,
    )


def _has(folder: Path, head: str, checkpoint: str, commits: Sequence[git.Commit]) -> bool:
    """Whether a branch has a commit, given as its hash or the first line of its message."""
    line = " ".join(checkpoint.split())
    if any(" ".join(commit.subject.split()) == line for commit in commits):
        return True
    if len(line) < _SHORTEST_HASH or not set(line.lower()) <= _HASH_DIGITS:
        return False
    found = git.commit_of(folder, line)
    return found is not None and git.contains(folder, head, found)
