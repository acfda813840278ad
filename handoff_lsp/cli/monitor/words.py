"""The words of `handoff-lsp monitor`, the same in each output format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from handoff_lsp.cli.monitor.rows import CONCERNS, Branch, Listed, WorktreeRow
from handoff_lsp.language import number_of

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_NEVER = "-"
# The most commits in the details of a work tree.
_COMMITS = 5


def span_of(seconds: float) -> str:
    """A length of time in one unit, which it has at least twice: ``95 min``, ``2 h``."""
    whole = int(seconds)
    if whole < 2 * _MINUTE:
        return f"{whole} s"
    if whole < 2 * _HOUR:
        return f"{whole // _MINUTE} min"
    return f"{whole // _HOUR} h" if whole < 2 * _DAY else f"{whole // _DAY:,} days"


def ago(age: float | None) -> str:
    """An age in words: ``12 min ago``; ``-`` without one."""
    if age is None:
        return _NEVER
    return f"{span_of(age)} ago" if age >= 0 else f"in {span_of(-age)}"


def status_of(row: WorktreeRow) -> str:
    """The status in a word or two, never a better one than the decision about it."""
    if row.gone is not None:
        return "gone"
    if row.status is None:
        return "unreadable" if row.no_status in row.unread else _NEVER
    listed = row.status.listed
    return listed.status_text or listed.status or _NEVER


def criteria_of(row: WorktreeRow) -> str:
    """Whether the success criteria passed; ``-`` without any."""
    if row.status is None:
        return _NEVER
    stated = row.status.stated.criteria
    return _NEVER if stated == "none" else stated


def progress_of(row: WorktreeRow) -> str:
    """The progress as it is stated; ``-`` without any."""
    return (row.status.stated.progress if row.status is not None else "") or _NEVER


def commits_of(branch: Branch) -> str:
    """The number of commits since the base, by their prefixes: ``2 wip, 1 checkpoint``."""
    counts = {prefix: count for prefix, count in branch.prefixes.items() if count}
    others = len(branch.own) - sum(counts.values())
    parts = [f"{count} {prefix}" for prefix, count in counts.items()]
    if others > 0:
        parts.append(f"{others} other" if counts else number_of(others, "commit"))
    return ", ".join(parts) or _NEVER


def attention_of(row: WorktreeRow) -> str:
    """The kinds of concerns, the most urgent first; empty without one."""
    return ", ".join(dict.fromkeys(one.concern for one in row.told))


def summary_of(rows: Sequence[WorktreeRow]) -> list[str]:
    """The number of work trees, and of those with each concern, the most urgent first; in parts of a sentence."""
    counts = Counter(concern for row in rows for concern in row.concerns)
    troubled = sum(bool(row.told) for row in rows)
    parts = [f"{counts[concern]} {concern}" for concern in CONCERNS if counts[concern]]
    need = "needs" if troubled == 1 else "need"
    attention = f"{troubled} {need} attention:" if troubled else "nothing needs attention"
    return [f"{number_of(len(rows), 'work tree')},", attention, *_with_commas(parts)]


def _with_commas(parts: Sequence[str]) -> list[str]:
    return [f"{part}," for part in parts[:-1]] + [*parts[-1:]]


def place_of(row: WorktreeRow) -> str:
    """The branch of a work tree, or its commit if HEAD is detached."""
    tree = row.worktree
    if tree.branch is not None:
        return tree.branch if tree.head is not None else f"{tree.branch} (no commits)"
    return f"detached at {tree.head[:7]}" if tree.head is not None else "no commits"


def details_of(row: WorktreeRow, most: int) -> Iterator[tuple[str, str]]:
    """The details of a work tree, a name and a text each; ``most`` is the number of items of a list."""
    yield from ((one.concern, one.reason) for one in row.told)
    if row.status is not None:
        listed, stated = row.status.listed, row.status.stated
        if (
            listed.decision
            and listed.action != "continue"
            and not any(one.reason == listed.decision for one in row.told)
        ):
            yield "decision", listed.decision
        if stated.task:
            yield "task", stated.task
        for name, items in (("blocker", stated.blockers), ("error", stated.errors), ("warning", stated.warnings)):
            yield from ((name, item) for item in items[:most])
            if len(items) > most:
                yield name, f"and {len(items) - most:,} more"
    if row.handoff is not None and "handoff" not in row.concerns:
        yield "handoff", handoff_of(row.handoff)
    if row.worktree.locked is not None:
        yield "locked", row.worktree.locked or "without a reason"
    if row.branch.uncommitted:
        yield "changes", f"{number_of(row.branch.uncommitted, 'file')} not committed"
    if row.branch.own:
        yield "commits", commits_of(row.branch)
    yield from (("", f"{commit.hash} {commit.subject}") for commit in row.branch.own[:_COMMITS])


def handoff_of(listed: Listed) -> str:
    """A handoff and the decision about it on one line."""
    return f"{listed.path}: {listed.decision or listed.status_text or listed.contract}"
