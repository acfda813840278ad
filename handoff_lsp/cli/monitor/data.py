"""The rows as JSON, one object for each work tree."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from handoff_lsp.cli.monitor.rows import Listed, WorktreeRow
from handoff_lsp.contracts.field_types import timestamp_of


def data_of(row: WorktreeRow) -> dict[str, Any]:
    """One work tree as a public object, on which other programs rely. An unknown value is null."""
    tree, status, branch = row.worktree, row.status, row.branch
    return {
        "path": str(tree.path),
        "branch": tree.branch,
        "head": tree.head,
        "main": tree.is_main,
        "base": row.base,
        "locked": tree.locked,
        "gone": row.gone,
        "agent": row.agent,
        "task": status.stated.task or None if status is not None else None,
        "status": status.listed.status if status is not None else None,
        "progress": status.stated.progress or None if status is not None else None,
        "criteria": status.stated.criteria if status is not None else None,
        "blockers": list(status.stated.blockers) if status is not None else [],
        "warnings": list(status.stated.warnings) if status is not None else [],
        "errors": list(status.stated.errors) if status is not None else [],
        "updated": _time(status.listed.updated) if status is not None else None,
        "age": round(row.age) if row.age is not None else None,
        "state": _handoff(status.listed) if status is not None else None,
        "no_status": row.no_status or None,
        "commits": {
            "total": len(branch.own),
            "by_prefix": branch.prefixes,
            "own": [{"hash": one.hash, "time": _time(one.time), "subject": one.subject} for one in branch.own],
            "latest": [{"hash": one.hash, "time": _time(one.time), "subject": one.subject} for one in branch.latest],
        },
        "merged": branch.merged,
        "uncommitted": branch.uncommitted,
        "lost_checkpoints": list(branch.lost_checkpoints),
        "handoff": _handoff(row.handoff) if row.handoff is not None else None,
        "concerns": [{"concern": one.concern, "reason": one.reason} for one in row.told],
    }


def _handoff(listed: Listed) -> dict[str, Any]:
    return {
        "path": listed.path,
        "contract": listed.contract,
        "agent": listed.agent,
        "status": listed.status,
        "action": listed.action,
        "decision": listed.decision or None,
        "reason": listed.reason or None,
        "errors": listed.errors,
        "warnings": listed.warnings,
        "updated": _time(listed.updated),
    }


def _time(seconds: float | None) -> str | None:
    """A time as ISO 8601 in UTC; None for one that no calendar has."""
    if seconds is None:
        return None
    try:
        return timestamp_of(datetime.fromtimestamp(seconds, UTC))
    except (OverflowError, OSError, ValueError):
        return None
