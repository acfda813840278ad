"""A fix written out for somebody who has a text editor and no language server: which lines become which."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from handoff_lsp.rules.rule import Fix
from handoff_lsp.text import EditConflict, apply_edits

_TERMINATOR = re.compile(r"\r\n|\n|\r")
_TICKS = re.compile("`{3,}")

# A fix that changes more lines than this is only named.
_MOST_LINES = 40
# Beyond so many lines between the first and the last change no finer comparison is made.
_COMPARED = 400


class _Change(NamedTuple):
    """Lines ``first`` (from 0) on, ``old``, become ``new``; ``after`` is the line behind them, None at the end."""

    first: int
    old: list[str]
    new: list[str]
    after: str | None


def correction(text: str, fix: Fix) -> list[str]:
    """The lines that tell what a fix changes; none where it cannot be told in few."""
    try:
        changed = apply_edits(text, fix.edits)
    except EditConflict:
        return []
    changes = list(_changes(_TERMINATOR.split(text), _TERMINATOR.split(changed)))
    if sum(len(change.old) + len(change.new) for change in changes) > _MOST_LINES:
        return []
    return [line for change in changes for line in _told(change)]


def _changes(old: list[str], new: list[str]) -> Iterator[_Change]:
    start, end = 0, 0
    shorter = min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    before, after = old[start : len(old) - end], new[start : len(new) - end]
    if max(len(before), len(after)) > _COMPARED:
        yield _Change(start, before, after, None)
        return
    for tag, low, high, new_low, new_high in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            behind = start + high
            yield _Change(
                start + low, before[low:high], after[new_low:new_high], old[behind] if behind < len(old) else None
            )


def _told(change: _Change) -> list[str]:
    first, last = change.first + 1, change.first + len(change.old)
    lines = f"line {first}" if last == first else f"lines {first} to {last}"
    if not change.old:
        if change.after is None:
            return ["Add at the end:", *_fenced(change.new)]
        beside = f" (`{change.after.strip()}`)" if change.after.strip() and "`" not in change.after else ""
        return [f"Insert before line {first}{beside}:", *_fenced(change.new)]
    if not change.new:
        return [f"Delete {lines}:", *_fenced(change.old)]
    return [f"Replace {lines}:", *_fenced(change.old), "with:", *_fenced(change.new)]


def _fenced(lines: list[str]) -> list[str]:
    longest = max((len(run) for line in lines for run in _TICKS.findall(line)), default=2)
    fence = "`" * (longest + 1)
    return [fence, *lines, fence]
