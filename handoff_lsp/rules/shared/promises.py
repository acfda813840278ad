"""The promise of a safe fix: the same handoffs afterward, with the same statements except for the fixed part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.rules.rule import Finding, Fix
from handoff_lsp.text import Edit, EditConflict, apply_edits
from handoff_lsp.text.lazy import lazy_pattern

# The index in a list's path, which changes when an earlier item is inserted.
_INDEX = lazy_pattern(r"\[\d+\]")


Broken = Literal["", "handoffs", "values"]

# The most code points to read while proving the fixes of a document; each handoff counts as ``_PER_HANDOFF`` more. A
# fix that is not proved does not count as safe.
_MOST_READ = 1_000_000
_PER_HANDOFF = 2_000


class Proof:
    """Tries safe fixes of a document on demand. ``again`` reads the handoffs of a changed text."""

    def __init__(self, text: str, handoffs: Sequence[Handoff], again: Callable[[str], Sequence[Handoff]]) -> None:
        self._text = text
        self._handoffs = handoffs
        self._again = again
        self._room = _MOST_READ
        # Fixes that insert the same fields have one result.
        self._inserts: dict[tuple[Edit, ...], Broken] = {}

    def __call__(self, finding: Finding, fix: Fix) -> Fix | None:
        """The fix as it may be offered; None if it breaks a handoff or if inserting fields changes other values.

        Any other fix that changes further values may be right, so it is returned as unsafe.
        """
        result = self._inserts.get(fix.edits) if fix.inserts else None
        if result is None:
            if self._room <= 0:
                return fix._replace(safe=False)
            self._room -= len(self._text) + _PER_HANDOFF * max(len(self._handoffs), 1)
            result = self._broken(finding, fix)
            if fix.inserts:
                self._inserts[fix.edits] = result
        if result == "handoffs" or (result and fix.inserts):
            return None
        return fix._replace(safe=False) if result else fix

    def _broken(self, finding: Finding, fix: Fix) -> Broken:
        try:
            text = apply_edits(self._text, fix.edits)
        except EditConflict:
            return "handoffs"
        return broken(self._handoffs, self._again(text), [(finding, fix)])


def broken(before: Sequence[Handoff], after: Sequence[Handoff], taken: Iterable[tuple[Finding, Fix]]) -> Broken:
    """The broken promise of some safe fixes: the handoffs changed, or a value outside the fixed part."""
    if _kinds(before) != _kinds(after) or _repeated(after) > _repeated(before):
        return "handoffs"
    if any(old.readable and not new.readable for old, new in zip(before, after, strict=True)):
        return "handoffs"
    mended: dict[int, list[str]] = {}
    for finding, fix in taken:
        if finding.handoff is not None:
            mended.setdefault(id(finding.handoff), []).extend(_mended(finding.handoff, finding, fix))
    for old, new in zip(before, after, strict=True):
        one, other = _stated(old), _stated(new)
        # An unreadable handoff stated nothing: every value is new.
        changed = [*(one - other), *(other - one if old.readable and not old.body.append_only else ())]
        paths = mended.get(id(old), [])
        if not all(_concerns(path, paths) for path, _ in changed):
            return "values"
    return ""


def _kinds(handoffs: Sequence[Handoff]) -> list[tuple[str, str]]:
    return [(handoff.spec.name, handoff.mode) for handoff in handoffs]


def _repeated(handoffs: Sequence[Handoff]) -> int:
    """The number of names that are written more often than they should be."""
    return sum(len(slot.duplicates) for handoff in handoffs for slot in handoff.slots)


def _stated(handoff: Handoff) -> Counter[tuple[str, str]]:
    """The statements of a handoff: each value with its path, including values under undeclared names."""
    statements: Counter[tuple[str, str]] = Counter()
    for slot in handoff.slots:
        inner = any(child.present for child in slot.children.values())
        if slot.present and slot.parent is not None and not inner and not slot.items:
            data = slot.data if slot.problem is None else slot.problem.found
            if handoff.body.append_only and isinstance(data, dict):  # a corrected line becomes an entry before others
                data = {key: value for key, value in data.items() if key != "index"}
            statements[_INDEX.sub("[]", slot.path), repr(data)] += 1
        for other in (*slot.unknown, *slot.duplicates):
            statements[f"{slot.path}.?{other.name}", " ".join(handoff.source.slice(other.span).split())] += 1
    return statements


def _mended(handoff: Handoff, finding: Finding, fix: Fix) -> list[str]:
    """The paths that a fix may change: the finding's own, those of inserted fields, and those of edited values."""
    paths = [slot.path for slot in fix.inserts]
    paths += [finding.field] if finding.field else []
    paths += [finding.slot.path] if finding.slot is not None else []
    replaced = [edit for edit in fix.edits if edit.span.end > edit.span.start]
    for slot in handoff.slots if replaced else ():
        for edit in replaced:
            others = (*slot.unknown, *slot.duplicates)
            paths += [f"{slot.path}.?{other.name}" for other in others if edit.span.overlaps(other.span)]
            if slot.parent is None:
                continue
            if slot.key == edit.span:  # the field has a different name now
                name = edit.text.strip('"')
                paths += [child.path for child in slot.parent.children.values() if child.title == name]
            if slot.value is not None and slot.value.holds(edit.span.start):
                paths.append(slot.path)
    return [_INDEX.sub("[]", path) for path in paths]


def _concerns(path: str, others: list[str]) -> bool:
    """Whether a path equals, contains or is inside one of the others."""
    return any(
        f"{one}.".startswith((f"{two}.", f"{two}[")) for other in others for one, two in ((path, other), (other, path))
    )
