"""The data of `handoff-lsp monitor`: the state of each work tree, and the reasons for attention."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from handoff_lsp.contracts.model import RouteAction
from handoff_lsp.features.decision.agent_state import StatedState
from handoff_lsp.workspace.disk.git import Commit, Worktree

# What about a work tree needs attention, the most urgent first. `--fail-on` takes these words.
Concern = Literal[
    "gone", "failed", "blocked", "stale", "checkpoint", "unmerged", "no-status", "findings", "handoff", "unread"
]
CONCERNS: tuple[Concern, ...] = get_args(Concern)


@dataclass(frozen=True)
class StatedConcern:
    """One concern about a work tree with its reason in words."""

    concern: Concern
    reason: str


@dataclass(frozen=True)
class Listed:
    """A handoff in a work tree, as in every list: the decision about it is one line, empty without one.

    ``path`` is from the root of the work tree, ``updated`` the time that it states, in seconds since 1970.
    """

    path: str
    contract: str
    agent: str | None
    status: str | None
    status_text: str
    action: RouteAction | None
    decision: str
    reason: str
    errors: int
    warnings: int
    updated: float | None = None


@dataclass(frozen=True)
class Status:
    """The status file of an agent, and what it states. ``stale_after`` is in seconds."""

    listed: Listed
    stated: StatedState
    stale_after: float


@dataclass(frozen=True)
class Branch:
    """What a branch has beyond the base. ``own`` are its commits, the newest first, ``latest`` its last five in all.

    ``prefixes`` counts those by the start of their messages; ``uncommitted`` counts changed files, without the
    agent's state. ``merged`` is None without a base. ``is_read`` is False if git gave no answer.
    """

    own: tuple[Commit, ...] = ()
    latest: tuple[Commit, ...] = ()
    prefixes: dict[str, int] = field(default_factory=dict)
    uncommitted: int = 0
    merged: bool | None = None
    lost_checkpoints: tuple[str, ...] = ()
    is_read: bool = False


@dataclass(frozen=True)
class WorktreeRow:
    """One work tree. ``gone`` is the reason if its folder is missing; ``unread`` that of a part that cannot be read.

    ``age``: seconds since the status file was updated, by its own time; negative in the future.
    """

    worktree: Worktree
    agent: str
    base: str | None = None
    gone: str | None = None
    status: Status | None = None
    no_status: str = ""
    age: float | None = None
    branch: Branch = Branch()
    handoff: Listed | None = None
    told: tuple[StatedConcern, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def concerns(self) -> frozenset[Concern]:
        """The kinds of its concerns."""
        return frozenset(one.concern for one in self.told)
