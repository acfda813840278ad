"""What about a work tree needs attention. Nothing that is not written counts as fine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from handoff_lsp.cli.monitor.rows import CONCERNS, StatedConcern, Status, WorktreeRow
from handoff_lsp.cli.monitor.words import ago, handoff_of, span_of
from handoff_lsp.decide.words import needs_person
from handoff_lsp.language import number_of


def concerns_of(row: WorktreeRow, now: float, stale: float | None) -> WorktreeRow:
    """The row with the age of its status and all concerns, the most urgent first.

    ``now`` is in seconds since 1970. ``stale`` is the longest silence in seconds; None: as the contract says.
    """
    status = row.status
    updated = status.listed.updated if status is not None else None
    row = replace(row, age=now - updated if updated is not None else None)
    told = sorted(_told(row, stale), key=lambda one: CONCERNS.index(one.concern))
    return replace(row, told=tuple(told))


def _told(row: WorktreeRow, stale: float | None) -> Iterator[StatedConcern]:
    if row.gone is not None:
        yield StatedConcern("gone", row.gone)
    if row.status is not None:
        yield from _about_status(row, row.status, stale)
    elif row.no_status in row.unread:
        yield StatedConcern("failed", f"{row.no_status}, so the agent counts as failed")
    elif not row.worktree.is_main and row.gone is None:
        yield StatedConcern("no-status", row.no_status)
    for one in row.branch.lost_checkpoints:
        yield StatedConcern("checkpoint", f"the last checkpoint is not in the branch: {one}")
    handoff = row.handoff
    if handoff is not None and needs_person(handoff.action):
        yield StatedConcern("handoff", handoff_of(handoff))
    for reason in row.unread:
        if reason != row.no_status:
            yield StatedConcern("unread", reason)


def _about_status(row: WorktreeRow, status: Status, stale: float | None) -> Iterator[StatedConcern]:
    listed = status.listed
    if listed.action == "stop":
        yield StatedConcern("failed", listed.decision)
    elif listed.action in {"ask", "retry"}:
        yield StatedConcern("blocked", listed.decision)
    elif listed.action == "continue":
        most = stale if stale is not None else status.stale_after
        if row.age is None:
            yield StatedConcern("stale", "running, but the status has no valid time")
        elif row.age > most:
            yield StatedConcern("stale", f"running, but the status was updated {ago(row.age)}")
        elif row.age < -most:
            yield StatedConcern("stale", f"running, but the time of the status is {span_of(-row.age)} in the future")
    elif listed.action == "advance":
        yield from _unmerged(row)
    if listed.errors:
        yield StatedConcern("findings", f"{number_of(listed.errors, 'error')} in {listed.path}")


def _unmerged(row: WorktreeRow) -> Iterator[StatedConcern]:
    """A finished task whose work is not in the base."""
    branch = row.branch
    if not branch.is_read:
        yield StatedConcern("unmerged", "completed, but its branch cannot be read")
    elif row.base is None:
        yield StatedConcern("unmerged", "completed, but there is no base to compare with; `--base` names one")
    elif branch.merged is False:
        yield StatedConcern("unmerged", f"completed, but {number_of(len(branch.own), 'commit')} not in `{row.base}`")
    if branch.uncommitted:
        yield StatedConcern("unmerged", f"completed, but {number_of(branch.uncommitted, 'changed file')} not committed")
