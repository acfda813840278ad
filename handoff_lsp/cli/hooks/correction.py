"""Fixes written out for somebody who has a text editor and no language server: which lines become which."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions_fix_all import mended_together
from handoff_lsp.rules.rule import Finding, Fix
from handoff_lsp.text import Edit, EditConflict, apply_edits

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


class Correction(NamedTuple):
    """What corrects a finding: the fix's name, whether it may not be meant, and the lines that tell what it changes.

    ``under`` is the number of the finding under which these are told where one correction is for several; 0 for none.
    """

    title: str
    safe: bool
    lines: list[str]
    under: int = 0


def corrections(analysis: Analysis, findings: Sequence[Finding]) -> dict[int, Correction]:
    """The corrections of findings, by their numbers (from 1).

    Those that change the same lines are one correction, so that all can be made to the file as it is.
    """
    made: dict[int, Correction] = {}
    fixes = {number: finding.fix for number, finding in enumerate(findings, 1) if finding.fix is not None}
    for numbers in _groups(analysis, fixes):
        first = numbers[0]
        edits, mended = fixes[first].edits, [findings[first - 1]]
        if len(numbers) > 1:
            edits, mended = mended_together(analysis, [findings[number - 1] for number in numbers])
        lines = _lines(analysis.source.text, edits)
        for number in numbers:
            if any(findings[number - 1] is one for one in mended):
                fix, shown = fixes[number], not any(other in made for other in numbers)
                first = number if shown else first
                made[number] = Correction(fix.title, fix.safe, lines if shown else [], 0 if shown else first)
    return made


def _groups(analysis: Analysis, fixes: Mapping[int, Fix]) -> Iterator[list[int]]:
    """The numbers of fixes that change the same lines, or lines next to each other."""
    lines = analysis.source.lines
    found = sorted(
        (lines.line_of(edit.span.start), lines.line_of(edit.span.end), number)
        for number, fix in fixes.items()
        for edit in fix.edits
    )
    groups: list[tuple[set[int], int]] = []
    for first, last, number in found:
        if groups and first <= groups[-1][1] + 1:
            numbers, end = groups.pop()
            groups.append((numbers | {number}, max(end, last)))
        else:
            groups.append(({number}, last))
    # A fix of several places joins what is at each of them.
    joined: list[set[int]] = []
    for numbers, _ in groups:
        touching = [other for other in joined if other & numbers]
        joined = [other for other in joined if not other & numbers] + [numbers.union(*touching)]
    yield from sorted(sorted(numbers) for numbers in joined)


def _lines(text: str, edits: Sequence[Edit]) -> list[str]:
    """The lines that tell what edits change; none where it cannot be told in few."""
    try:
        changed = apply_edits(text, edits)
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
