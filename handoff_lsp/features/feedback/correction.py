"""Fixes written out for an author without a language server: the old lines and the new ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.fix_all import gone_after, mended_together
from handoff_lsp.features.feedback.changes import MOST_LINES, LineChange, line_changes
from handoff_lsp.rules.rule import Finding, Fix
from handoff_lsp.text import Edit, EditConflict, apply_edits
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

_TICKS = lazy_pattern("`{3,}")

# Each correction is tried on the whole text. This is roughly the limit on the sum of these texts, in characters.
_MOST_TRIED = 1_000_000


class Correction(NamedTuple):
    """The correction of a finding: the fix's name, whether it is unsafe, and the lines that show the change.

    ``under`` is the number of the finding that shows them if one correction is for several; else 0.
    """

    title: str
    safe: bool
    lines: list[str]
    under: int = 0


class _JointCorrection(NamedTuple):
    """One correction: the numbers of its findings, its edits, and the changed lines."""

    numbers: list[int]
    edits: tuple[Edit, ...]
    changes: list[LineChange]


def corrections(analysis: Analysis, findings: Sequence[Finding]) -> dict[int, Correction]:
    """The corrections of findings, by their numbers (from 1). Applied together, each removes its finding.

    Corrections that change the same lines are combined, so that all can be applied to the same text. A long text has
    corrections for its first findings only; beyond a million characters it has none.
    """
    made: dict[int, Correction] = {}
    first = findings[: _MOST_TRIED // max(1, len(analysis.source.text))]
    fixes = {number: finding.fix for number, finding in enumerate(first, 1) if finding.fix is not None}
    parts = _apart(analysis, findings, fixes)
    edits = [edit for part in parts for edit in part.edits]
    gone = gone_after(analysis, [findings[number - 1] for number in fixes], edits) if parts else []
    mended = set(map(id, gone))
    for part in parts:
        numbers = [number for number in part.numbers if id(findings[number - 1]) in mended]
        lines = _lines(part.changes)
        for number in numbers:
            fix, under = fixes[number], numbers[0] if number != numbers[0] else 0
            made[number] = Correction(fix.title, fix.safe, [] if under else lines, under)
    return made


def _apart(analysis: Analysis, findings: Sequence[Finding], fixes: Mapping[int, Fix]) -> list[_JointCorrection]:
    """Corrections that never share or touch a changed line."""
    text = analysis.source.text
    parts = [_JointCorrection([number], fix.edits, _changes(text, fix.edits)) for number, fix in fixes.items()]
    while True:
        groups = _touching(parts)
        if len(groups) == len(parts):
            return parts
        parts = []
        for group in groups:
            part = group[0]
            if len(group) > 1:
                # Together they may change other lines, too, such as those of a finding with the same message.
                numbers = sorted(number for one in group for number in one.numbers)
                edits, _ = mended_together(analysis, [findings[number - 1] for number in numbers])
                part = _JointCorrection(numbers, edits, _changes(text, edits))
            parts.append(part)
        parts.sort(key=lambda part: part.numbers)


def _touching(parts: Sequence[_JointCorrection]) -> list[list[_JointCorrection]]:
    """The parts that change the same lines, or lines next to each other, together."""
    places = sorted(
        (change.first, change.first + len(change.old), number)
        for number, part in enumerate(parts)
        for change in part.changes
    )
    group_of = list(range(len(parts)))
    reached, last = -1, 0
    for first, end, number in places:
        if first <= reached:
            one, other = group_of[last], group_of[number]
            group_of = [one if group == other else group for group in group_of]
        reached, last = max(reached, end), number
    groups: dict[int, list[_JointCorrection]] = {}
    for group, part in zip(group_of, parts, strict=True):
        groups.setdefault(group, []).append(part)
    return list(groups.values())


def _lines(changes: Sequence[LineChange]) -> list[str]:
    """The lines that describe changes; none if these need too many."""
    if sum(len(change.old) + len(change.new) for change in changes) > MOST_LINES:
        return []
    return [line for change in changes for line in _instruction(change)]


def _changes(text: str, edits: Sequence[Edit]) -> list[LineChange]:
    """The lines that edits change; nothing if the edits cannot be combined."""
    try:
        return line_changes(text, apply_edits(text, edits))
    except EditConflict:
        return []


def _instruction(change: LineChange) -> list[str]:
    first, last = change.first + 1, change.first + len(change.old)
    lines = f"line {first}" if last == first else f"lines {first} to {last}"
    if not change.old:
        if change.after is None:
            return ["Add at the end:", *fenced(change.new)]
        beside = f" (`{change.after.strip()}`)" if change.after.strip() and "`" not in change.after else ""
        return [f"Insert before line {first}{beside}:", *fenced(change.new)]
    if not change.new:
        return [f"Delete {lines}:", *fenced(change.old)]
    return [f"Replace {lines}:", *fenced(change.old), "with:", *fenced(change.new)]


def fenced(lines: list[str]) -> list[str]:
    """Lines in a fence that none of them closes."""
    longest = max((len(run) for line in lines for run in _TICKS.findall(line)), default=2)
    fence = "`" * (longest + 1)
    return [fence, *lines, fence]
