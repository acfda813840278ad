"""Quick fixes, comments that silence a finding, and everything that can be mended safely at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.placement import insertion
from handoff_lsp.binding.slot import Slot
from handoff_lsp.engine import Analysis
from handoff_lsp.rules.rule import Finding, Fix
from handoff_lsp.rules.suppression import ignore_edits
from handoff_lsp.text import Edit, Span

# A comment that silences one of these would itself be the next finding, or hide that a rule is broken.
_NEVER_SILENCED = {"unused-suppression", "internal-error"}


@dataclass(frozen=True, slots=True)
class Action:
    """A change that is offered.

    ``preferred``: the one that the editor's "fix this" takes. ``safe``: it cannot change what the author meant.
    """

    title: str
    kind: Literal["quickfix", "source.fixAll.handoff"]
    edits: tuple[Edit, ...]
    finding: Finding | None
    preferred: bool
    safe: bool


def actions(analysis: Analysis, span: Span) -> list[Action]:
    """What can be done about the findings at ``span`` (code points); without any, about those on its lines.

    Real fixes come first, of these the preferred ones, then the comments that silence.
    """
    found = _touched(analysis, span)
    fixes = [action for finding in found for action in _fixes(finding)]
    fixes.sort(key=lambda action: not action.preferred)
    silences = [action for finding in found for action in _silences(analysis, finding)]
    return list(_once([*fixes, *silences]))


def _touched(analysis: Analysis, span: Span) -> list[Finding]:
    exact = [finding for finding in analysis.findings if finding.span.overlaps(span)]
    if exact:
        return exact
    lines = analysis.source.lines
    first, last = lines.line_of(span.start), lines.line_of(span.end)
    return [
        finding
        for finding in analysis.findings
        if lines.line_of(finding.span.start) <= last and lines.line_of(finding.span.end) >= first
    ]


def _once(offered: Iterable[Action]) -> Iterator[Action]:
    seen: set[tuple[str, tuple[Edit, ...]]] = set()
    for action in offered:
        if (action.title, action.edits) not in seen:
            seen.add((action.title, action.edits))
            yield action


def _preferred(finding: Finding) -> Fix | None:
    """The fix that is clearly the one to take: the only one that is preferred."""
    wanted = [fix for fix in finding.fixes if fix.preferred]
    return wanted[0] if len(wanted) == 1 else None


def _fixes(finding: Finding) -> Iterator[Action]:
    preferred = _preferred(finding)
    for fix in finding.fixes:
        if fix.edits:
            yield Action(fix.title, "quickfix", fix.edits, finding, fix is preferred, fix.safe)


def _silences(analysis: Analysis, finding: Finding) -> Iterator[Action]:
    if finding.block is None or finding.block.form == "file" or finding.code in _NEVER_SILENCED:
        return  # comments silence what is found in a handoff, and a file of data has none
    forms = [("", "here"), ("-block", "in this handoff"), ("-file", "in this file")]
    seen: set[Edit] = set()
    for form, where in forms:
        if form == "-block" and (finding.block is None or finding.block.node is None):
            continue  # the handoff is the file
        edit = ignore_edits(finding, analysis.tree, form)
        if edit is not None and edit not in seen:
            seen.add(edit)
            title = f"Ignore `{finding.code}` {where}"
            yield Action(title, "quickfix", (edit,), finding, preferred=False, safe=False)


def fix_all(analysis: Analysis) -> Action | None:
    """All safe preferred fixes that go together, as one change; None where there are none.

    What overlaps is left for the next time. Fields that are missing together are inserted together.
    """
    taken: list[Edit] = []
    inserts: dict[int, tuple[Block, dict[int, Slot]]] = {}
    for finding in analysis.findings:
        fix = _preferred(finding)
        if fix is None or not fix.safe:
            continue
        if fix.inserts and finding.block is not None:
            _, slots = inserts.setdefault(id(finding.block), (finding.block, {}))
            slots.update((id(slot), slot) for slot in fix.inserts)
        elif _fits(fix.edits, taken):
            taken += fix.edits
    for block, slots in inserts.values():
        edits = tuple(insertion(block, list(slots.values())))
        if _fits(edits, taken):
            taken += edits
    # At one place an insertion comes before what is replaced there.
    taken.sort(key=lambda edit: edit.span)
    if not taken:
        return None
    title = "Fix everything in the handoffs that can be fixed safely"
    return Action(title, "source.fixAll.handoff", tuple(taken), None, preferred=False, safe=True)


def _fits(edits: tuple[Edit, ...], taken: list[Edit]) -> bool:
    return bool(edits) and not any(_collide(new.span, old.span) for new in edits for old in taken)


def _collide(one: Span, other: Span) -> bool:
    """Whether two edits share a character, or are insertions at one place, whose order nobody knows."""
    if one.start == one.end or other.start == other.end:
        return one == other or one.start < other.start < one.end or other.start < one.start < other.end
    return one.start < other.end and other.start < one.end
