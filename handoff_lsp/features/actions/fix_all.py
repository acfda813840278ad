"""Everything that can be mended safely at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from typing import NamedTuple

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.action import Action, Change
from handoff_lsp.rules.rule import Finding, Fix
from handoff_lsp.rules.shared.promises import broken
from handoff_lsp.text import Draft, Edit, EditConflict, Span, apply_edits
from handoff_lsp.writing.placement import insertion

# What is inserted may lack something itself, what overlaps waits for the next round, and some are in vain. What has not
# come to rest after so many never will, such as two fixes that undo each other.
_MOST_ROUNDS = 64
# Nor does what broke something so often: half of it now and the other half when asked again would be no rest.
_MOST_FAILED = 64

# A finding, wherever it has come to stand: the number of its handoff, its rule, field and message.
_FindingKey = tuple[int, str, str | None, str]


class _Round(NamedTuple):
    """Fixes that go together, and the findings that they are to mend with the key of each."""

    edits: list[Edit]
    taken: list[tuple[Finding, Fix]]
    mended: set[_FindingKey]


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


def _edits(analysis: Analysis, wanted: Set[_FindingKey] | None = None) -> tuple[Edit, ...]:
    """Round after round, what mends something: a fix that leaves its finding where it is would never come to an end.

    With ``wanted`` only what mends these, be it safe or not. Of fixes that break a promise together half are left for
    later, until it is known which one does.
    """
    draft = Draft(analysis.source.text)
    now, useless, faulty = analysis, set[_FindingKey](), set[_FindingKey]()
    most, failed, moved = None, 0, False
    for _ in range(_MOST_ROUNDS):
        while True:
            round_ = _round(now, useless | faulty, wanted, most)
            then = now.again(apply_edits(draft.text, round_.edits)) if round_.edits else now
            if not round_.edits or _keeps(now, then, round_.taken, wanted):
                break
            failed += 1
            if failed > _MOST_FAILED:
                return ()
            if len(round_.mended) == 1:
                faulty |= round_.mended
            most = None if len(round_.mended) == 1 else (len(round_.mended) + 1) // 2
        most = None
        if not round_.edits:
            if not moved:
                return draft.edits()
            useless, faulty, moved = set(), set(), False  # what broke something before may not do so now
            continue
        before, after = (Counter(_keys(one).values()) for one in (now, then))
        stuck = {key for key in round_.mended if after[key] >= before[key]}
        if stuck:
            useless |= stuck
            continue
        draft.apply(round_.edits)
        # What stood in the way of others may be gone.
        now, useless, moved = then, set(), bool(faulty)
    return ()


def _keeps(now: Analysis, then: Analysis, taken: list[tuple[Finding, Fix]], wanted: Set[_FindingKey] | None) -> bool:
    """Whether a round unmakes no handoff and makes a template of none; where all of it is safe, nothing is lost."""
    if wanted is None:
        return not broken(now.handoffs, then.handoffs, taken)
    return _handoffs(then) == _handoffs(now)


def _handoffs(analysis: Analysis) -> list[tuple[str, str]]:
    return [(handoff.spec.name, handoff.mode) for handoff in analysis.handoffs]


def _keys(analysis: Analysis) -> dict[int, _FindingKey]:
    """The key of each finding by its ``id``."""
    numbers = {id(handoff): number for number, handoff in enumerate(analysis.handoffs)}
    return {
        id(finding): (numbers.get(id(finding.handoff), -1), finding.code, finding.field, finding.message)
        for finding in analysis.findings
    }


def _round(analysis: Analysis, useless: set[_FindingKey], wanted: Set[_FindingKey] | None, most: int | None) -> _Round:
    """All safe preferred fixes, or those of what is wanted, that go together; ``most``: of so many findings only.

    Fields that are missing together are inserted together.
    """
    keys = _keys(analysis)
    made = _Round([], [], set())
    inserts: dict[int, tuple[Handoff, dict[int, Slot], list[tuple[Finding, Fix]]]] = {}
    seen = set[_FindingKey]()
    for finding in analysis.findings:
        key = keys[id(finding)]
        if key in useless or (wanted is not None and key not in wanted):
            continue
        fix = finding.untried
        if fix is None or (wanted is None and not fix.safe):
            continue
        if most is not None and key not in seen and len(seen) == most:
            continue
        if fix.inserts and finding.handoff is not None:
            _, slots, taken = inserts.setdefault(id(finding.handoff), (finding.handoff, {}, []))
            slots.update((id(slot), slot) for slot in fix.inserts)
            taken.append((finding, fix))
        elif _fits(fix.edits, made.edits):
            made.edits.extend(fix.edits)
            made.taken.append((finding, fix))
        else:
            continue
        seen.add(key)
    for handoff, slots, taken in inserts.values():
        edits = tuple(insertion(handoff, list(slots.values())))
        if _fits(edits, made.edits):
            made.edits.extend(edits)
            made.taken.extend(taken)
    made.mended.update(keys[id(finding)] for finding, _ in made.taken)
    # At one place an insertion comes before what is replaced there.
    made.edits.sort(key=lambda edit: edit.span)
    return made


def _fits(edits: tuple[Edit, ...], taken: list[Edit]) -> bool:
    return bool(edits) and not any(_collide(new.span, old.span) for new in edits for old in taken)


def _collide(one: Span, other: Span) -> bool:
    """Whether two edits share a character, or are insertions at one place, whose order nobody knows."""
    if one.start == one.end or other.start == other.end:
        return one == other or one.start < other.start < one.end or other.start < one.start < other.end
    return one.start < other.end and other.start < one.end
