"""Everything that can be mended safely at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from typing import NamedTuple

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.placement import insertion
from handoff_lsp.binding.slot import Slot
from handoff_lsp.engine import Analysis
from handoff_lsp.features.action import Action, Change
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Draft, Edit, EditConflict, Span, apply_edits

# What is inserted may lack something itself, what overlaps waits for the next round, and some are in vain. What has not
# come to rest after so many never will, such as two fixes that undo each other.
_MOST_ROUNDS = 64

# A finding, wherever it has come to stand: the number of its handoff, its rule, field and message.
_Key = tuple[int, str, str | None, str]


class _Round(NamedTuple):
    """Fixes that go together, and the findings that they are to mend."""

    edits: list[Edit]
    mended: set[_Key]


def fix_all(analysis: Analysis) -> Action | None:
    """All safe preferred fixes that go together, as one change after which there is none left; None without any."""
    edits = _edits(analysis)
    if not edits:
        return None
    title = "Fix everything in the handoffs that can be fixed safely"
    return Action(title, "source.fixAll.handoff", lambda: Change(edits), key="all")


def mended_together(analysis: Analysis, findings: Sequence[Finding]) -> tuple[tuple[Edit, ...], list[Finding]]:
    """The fixes of some findings as one change, safe or not, and those of the findings that are gone after it.

    Fixes of one place do not go together as they are: each is for the document as it is now.
    """
    keys = _keys(analysis)
    edits = _edits(analysis, {keys[id(finding)] for finding in findings})
    return edits, gone_after(analysis, findings, edits)


def gone_after(analysis: Analysis, findings: Sequence[Finding], edits: Sequence[Edit]) -> list[Finding]:
    """Those of some findings that are gone once edits are made; none where these cannot be made together."""
    try:
        then = analysis.again(apply_edits(analysis.source.text, edits))
    except EditConflict:
        return []
    keys = _keys(analysis)
    before, after = (Counter(_keys(one).values()) for one in (analysis, then))
    # Of several with the same words nobody knows which is left.
    asked = Counter(keys[id(finding)] for finding in findings)
    return [one for one in findings if before[key := keys[id(one)]] - after[key] >= asked[key]]


def _edits(analysis: Analysis, wanted: Set[_Key] | None = None) -> tuple[Edit, ...]:
    """Round after round, what mends something: a fix that leaves its finding where it is would never come to an end.

    With ``wanted`` only what mends these, be it safe or not.
    """
    draft = Draft(analysis.source.text)
    now, useless = analysis, set[_Key]()
    for _ in range(_MOST_ROUNDS):
        round_ = _round(now, useless, wanted)
        if not round_.edits:
            return draft.edits()
        then = now.again(apply_edits(draft.text, round_.edits))
        before, after = (Counter(_keys(one).values()) for one in (now, then))
        # A fix that would unmake a handoff, or make a template of it, mends nothing.
        stuck = round_.mended if _handoffs(then) != _handoffs(now) else set[_Key]()
        stuck |= {key for key in round_.mended if after[key] >= before[key]}
        if stuck:
            useless |= stuck
            continue
        draft.apply(round_.edits)
        now, useless = then, set()  # what stood in the way of others may be gone
    return ()


def _handoffs(analysis: Analysis) -> list[tuple[str, str]]:
    return [(block.spec.name, block.mode) for block in analysis.blocks]


def _keys(analysis: Analysis) -> dict[int, _Key]:
    """The key of each finding by its ``id``."""
    numbers = {id(block): number for number, block in enumerate(analysis.blocks)}
    return {
        id(finding): (numbers.get(id(finding.block), -1), finding.code, finding.field, finding.message)
        for finding in analysis.findings
    }


def _round(analysis: Analysis, useless: set[_Key], wanted: Set[_Key] | None) -> _Round:
    """All safe preferred fixes, or those of what is wanted, that go together.

    Fields that are missing together are inserted together.
    """
    keys = _keys(analysis)
    taken: list[Edit] = []
    mended: set[_Key] = set()
    inserts: dict[int, tuple[Block, dict[int, Slot], list[Finding]]] = {}
    for finding in analysis.findings:
        key = keys[id(finding)]
        fix = finding.fix if key not in useless and (wanted is None or key in wanted) else None
        if fix is None or (wanted is None and not fix.safe):
            continue
        if fix.inserts and finding.block is not None:
            _, slots, findings = inserts.setdefault(id(finding.block), (finding.block, {}, []))
            slots.update((id(slot), slot) for slot in fix.inserts)
            findings.append(finding)
        elif _fits(fix.edits, taken):
            taken += fix.edits
            mended.add(keys[id(finding)])
    for block, slots, findings in inserts.values():
        edits = tuple(insertion(block, list(slots.values())))
        if _fits(edits, taken):
            taken += edits
            mended |= {keys[id(finding)] for finding in findings}
    # At one place an insertion comes before what is replaced there.
    return _Round(sorted(taken, key=lambda edit: edit.span), mended)


def _fits(edits: tuple[Edit, ...], taken: list[Edit]) -> bool:
    return bool(edits) and not any(_collide(new.span, old.span) for new in edits for old in taken)


def _collide(one: Span, other: Span) -> bool:
    """Whether two edits share a character, or are insertions at one place, whose order nobody knows."""
    if one.start == one.end or other.start == other.end:
        return one == other or one.start < other.start < one.end or other.start < one.start < other.end
    return one.start < other.end and other.start < one.end
