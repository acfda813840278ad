"""Applying all safe fixes of a document at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.action import Action, Change
from handoff_lsp.language import later, say, say_count, translated
from handoff_lsp.rules.rule import Finding, Fix
from handoff_lsp.rules.shared.promises import broken
from handoff_lsp.text import Draft, Edit, EditConflict, Span, apply_edits
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.writing.placement import insertion

# Inserted text may need fixes of its own, overlapping fixes wait for the next round, and some fixes are in vain. After
# this many rounds the fixes never settle, such as two that undo each other.
_MOST_ROUNDS = 64
# The same after this many failed rounds: a result with only half of the fixes would not be stable.
_MOST_FAILED = 64

TITLE = later("Apply all safe fixes")

# Fixing both safe and unsafe ones alternates between them at most so many times.
_MOST_TURNS = 8

# The identity of a finding across edits: the index of its handoff (-1 without one), its rule, field and message.
_FindingKey = tuple[int, str, str | None, str]


# Whether a fix of a finding, known by its key, is to be applied.
_Wanted = Callable[[_FindingKey, Finding, Fix], bool]


class FixedDocument(NamedTuple):
    """The analysis of a fixed document, and the number of findings that fixes removed."""

    analysis: Analysis
    findings: int


class _Round(NamedTuple):
    """Fixes that can be applied together, their edits, and the keys of the findings they should remove."""

    edits: list[Edit]
    taken: list[tuple[Finding, Fix]]
    mended: set[_FindingKey]


def fix_all(analysis: Analysis) -> Action | None:
    """All safe preferred fixes as one change that leaves none to apply; None without any."""
    edits = _edits(analysis, _is_safe, proved=True)
    if not edits:
        return None
    return Action(translated(TITLE), "source.fixAll.handoff", lambda: Change(edits), key="all")


def fixed(analysis: Analysis, chosen: Callable[[Finding], bool], *, unsafe: bool = False) -> FixedDocument:
    """A document with the safe preferred fixes of its chosen findings; with ``unsafe`` all their preferred fixes."""

    def is_safe(_: _FindingKey, finding: Finding, fix: Fix) -> bool:
        return fix.safe and chosen(finding)

    def is_any(_: _FindingKey, finding: Finding, __: Fix) -> bool:
        return chosen(finding) and finding.fix is not None  # what is no fix after its trial is not applied

    now, count = analysis, 0
    for turn in range(_MOST_TURNS if unsafe else 1):
        takes = is_any if turn % 2 else is_safe
        edits = _edits(now, takes, proved=takes is is_safe)
        if edits:
            then = now.again(apply_edits(now.source.text, edits))
            count += _gone(now, then, takes)
            now = then
        elif turn:
            break
    return FixedDocument(now, count)


def _gone(now: Analysis, then: Analysis, takes: _Wanted) -> int:
    """The number of findings with a wanted fix that are gone."""
    keys = _keys(now)
    wanted = Counter(
        key
        for finding in now.findings
        if (fix := finding.untried) is not None and takes(key := keys[id(finding)], finding, fix)
    )
    before, after = (Counter(_keys(one).values()) for one in (now, then))
    return sum(min(number, max(before[key] - after[key], 0)) for key, number in wanted.items())


def why_none(analysis: Analysis) -> str:
    """The reason why a document has no safe fix to apply."""
    count = len(analysis.findings)
    if not count:
        return say("Nothing to fix")
    return say_count(
        "Nothing to fix safely: {number} finding needs your decision",
        "Nothing to fix safely: {number} findings need your decision",
        count,
    )


def mended_together(analysis: Analysis, findings: Sequence[Finding]) -> tuple[tuple[Edit, ...], list[Finding]]:
    """The fixes of some findings as one change, safe or not, and the findings that it removes.

    Fixes at one place cannot simply be combined: each is made for the current text.
    """
    keys = _keys(analysis)
    wanted = {keys[id(finding)] for finding in findings}
    edits = _edits(analysis, lambda key, _, __: key in wanted, proved=False)
    return edits, gone_after(analysis, findings, edits)


def gone_after(analysis: Analysis, findings: Sequence[Finding], edits: Sequence[Edit]) -> list[Finding]:
    """The findings that edits remove; none if the edits conflict."""
    try:
        then = analysis.again(apply_edits(analysis.source.text, edits))
    except EditConflict:
        return []
    keys = _keys(analysis)
    before, after = (Counter(_keys(one).values()) for one in (analysis, then))
    # Findings with equal keys cannot be distinguished: count all of them as gone, or none.
    asked = Counter(keys[id(finding)] for finding in findings)
    return [one for one in findings if before[key := keys[id(one)]] - after[key] >= asked[key]]


def _is_safe(_: _FindingKey, __: Finding, fix: Fix) -> bool:
    return fix.safe


def _edits(analysis: Analysis, takes: _Wanted, *, proved: bool) -> tuple[Edit, ...]:
    """The edits of all rounds. A fix that does not remove its finding is dropped: it would be applied forever.

    Only the fixes that ``takes`` chooses. ``proved``: they keep all promises of a safe fix, else only the handoffs with
    their modes. If a round breaks a promise, half of its fixes wait, until the faulty one is found.
    """
    draft = Draft(analysis.source.text)
    now, useless, faulty = analysis, set[_FindingKey](), set[_FindingKey]()
    most, failed, moved = None, 0, False
    for _ in range(_MOST_ROUNDS):
        while True:
            round_ = _round(now, useless | faulty, takes, most)
            then = now.again(apply_edits(draft.text, round_.edits)) if round_.edits else now
            if not round_.edits or _keeps(now, then, round_.taken, proved=proved):
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
            useless, faulty, moved = set(), set(), False  # a fix that broke something may work now
            continue
        before, after = (Counter(_keys(one).values()) for one in (now, then))
        stuck = {key for key in round_.mended if after[key] >= before[key]}
        if stuck:
            useless |= stuck
            continue
        draft.apply(round_.edits)
        # The obstacle to other fixes may be gone.
        now, useless, moved = then, set(), bool(faulty)
    return ()


def _keeps(now: Analysis, then: Analysis, taken: list[tuple[Finding, Fix]], *, proved: bool) -> bool:
    """Whether a round keeps every handoff and its mode; with ``proved`` also the other promises of a safe fix.

    A fix may add handoffs: it inserts one that an agent owes, or closes a fence above the next one. It may also make
    an example the template that it is meant as.
    """
    if proved:
        return not broken(now.handoffs, then.handoffs, taken)
    before, after = Counter(_handoffs(now)), Counter(_handoffs(then))
    gone, new = before - after, after - before
    return all(mode == "example" and new[name, "template"] >= count for (name, mode), count in gone.items())


def _handoffs(analysis: Analysis) -> list[tuple[str, str]]:
    return [(handoff.spec.name, handoff.mode) for handoff in analysis.handoffs]


def _keys(analysis: Analysis) -> dict[int, _FindingKey]:
    """The key of each finding by its ``id``."""
    numbers = {id(handoff): number for number, handoff in enumerate(analysis.handoffs)}
    return {
        id(finding): (numbers.get(id(finding.handoff), -1), finding.code, finding.field, finding.message)
        for finding in analysis.findings
    }


def _round(analysis: Analysis, useless: set[_FindingKey], takes: _Wanted, most: int | None) -> _Round:
    """The chosen fixes that can be applied together, of at most ``most`` findings.

    All missing fields of a handoff are inserted in one step.
    """
    keys = _keys(analysis)
    made = _Round([], [], set())
    inserts: dict[int, tuple[Handoff, dict[int, Slot], list[tuple[Finding, Fix]]]] = {}
    seen = set[_FindingKey]()
    for finding in analysis.findings:
        key = keys[id(finding)]
        fix = finding.untried
        if key in useless or fix is None or not takes(key, finding, fix):
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
    # At one place an insertion comes before a replacement.
    made.edits.sort(key=lambda edit: edit.span)
    return made


def _fits(edits: tuple[Edit, ...], taken: list[Edit]) -> bool:
    return bool(edits) and not any(_collide(new.span, old.span) for new in edits for old in taken)


def _collide(one: Span, other: Span) -> bool:
    """Whether two edits share a character, or are insertions at one place, whose order would be arbitrary."""
    if one.start == one.end or other.start == other.end:
        return one == other or one.start < other.start < one.end or other.start < one.start < other.end
    return one.start < other.end and other.start < one.end
