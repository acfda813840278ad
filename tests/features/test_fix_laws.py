"""The laws of fixes, one by one, over every fix of every finding in the cases and in real files.

A *safe* fix leaves what the document states as it was, all but the broken part. No fix loses a word of the author's,
brings an error that was not there, or writes a name that is there already. What is new at error level is allowed in
two cases only: a placeholder that was put in is *unfilled*, which is the same defect in another form; and what could
not be judged before is *laid open*: a block that could not be read now can be, or a condition hangs on the very field
that was mended and had no value.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from case_files import Case, read_cases
from conftest import SHARED
from features.test_fixes import count

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.names import leading_number, same_name
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.features.actions.offered import fix_all
from handoff_lsp.rules.rule import Finding, Fix
from handoff_lsp.rules.shared.absent import is_there
from handoff_lsp.text import Source, Span, apply_edits

WORD = re.compile(r"\w+")
SUGGESTED = re.compile(r"[Dd]id you mean `([^`]+)`")
# Where another word says the same by a rule of its own: a literal of JSON, a time, what the contract says means the
# same. A fence's tag and a comment that silences nothing are themselves the defect.
RESPELLED = {
    "invalid-json",
    "invalid-log-line",
    "deprecated-value",
    "deprecated-field",
    "unused-suppression",
    "wrong-fence",
}
# A path in a list, with items that a new one moves.
INDEX = re.compile(r"\[\d+\]")


class Taken(NamedTuple):
    """A fix that was taken: the document before and after."""

    before: Analysis
    after: Analysis
    finding: Finding
    fix: Fix

    @property
    def handoff(self) -> Handoff | None:
        """The handoff of the finding before the fix."""
        return self.finding.handoff

    @property
    def now(self) -> Handoff | None:
        """The handoff of the finding after the fix."""
        if self.handoff is None or len(self.before.handoffs) != len(self.after.handoffs):
            return None
        number = next(number for number, handoff in enumerate(self.before.handoffs) if handoff is self.handoff)
        return self.after.handoffs[number]


# The statements of a document


def stated(handoff: Handoff) -> Counter[tuple[str, str]]:
    """The statements of a handoff: each value with its path, including values under unknown names."""
    said: Counter[tuple[str, str]] = Counter()
    for slot in handoff.root.walk():
        inner = [child for child in slot.children.values() if child.present]
        if slot.present and slot.parent is not None and not inner and not slot.items:
            data = slot.data if slot.problem is None else slot.problem.found
            if handoff.log is not None and isinstance(data, dict):  # a corrected line becomes an entry before others
                data = {key: value for key, value in data.items() if key != "index"}
            said[INDEX.sub("[]", slot.path), repr(data)] += 1
        for other in (*slot.unknown, *slot.duplicates):
            said[f"{slot.path}.?{other.name}", " ".join(handoff.source.slice(other.span).split())] += 1
    return said


def broken(taken: Taken) -> list[str]:
    """The paths of the broken part: those of the finding, of inserted fields, and of edited values."""
    finding, handoff = taken.finding, taken.handoff
    paths = [slot.path for slot in taken.fix.inserts]
    paths += [finding.field] if finding.field else []
    paths += [finding.slot.path] if finding.slot is not None else []
    replaced = [edit for edit in taken.fix.edits if edit.span.end > edit.span.start]
    for slot in handoff.slots if handoff is not None else ():
        for edit in replaced:
            for other in (*slot.unknown, *slot.duplicates):
                paths += [f"{slot.path}.?{other.name}"] if edit.span.overlaps(other.span) else []
            if slot.key == edit.span and slot.parent is not None:  # it has another name now
                paths += [child.path for child in slot.parent.children.values() if child.title == edit.text.strip('"')]
            if slot.parent is not None and slot.value is not None and slot.value.holds(edit.span.start):
                paths.append(slot.path)
    return [INDEX.sub("[]", path) for path in paths]


def concerns(path: str, others: list[str]) -> bool:
    """Whether a path equals, contains or is inside one of others."""
    return any(
        f"{one}.".startswith((f"{two}.", f"{two}[")) for other in others for one, two in ((path, other), (other, path))
    )


def states_the_same(taken: Taken) -> str:
    """The changes of a safe fix outside the broken part; empty without any."""
    if taken.handoff is None:
        return ""
    kinds = [[(handoff.spec.name, handoff.mode) for handoff in one.handoffs] for one in (taken.before, taken.after)]
    if kinds[0] != kinds[1]:
        return f"handoffs {kinds}"
    paths = broken(taken)
    for old, new in zip(taken.before.handoffs, taken.after.handoffs, strict=True):
        lost, gained = stated(old) - stated(new), stated(new) - stated(old)
        for path, value in [*lost, *gained]:
            # An unreadable handoff stated nothing: every value is new.
            read = not old.readable or old.log is not None
            if not (old is taken.handoff and concerns(path, paths)) and not (read and (path, value) in gained):
                return f"{path} {value} is {'new' if (path, value) in gained else 'gone'}"
    return ""


# Words


def words(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.casefold()))


def lost_words(taken: Taken) -> str:
    """The author's words that are lost: a safe fix may lose none, an unsafe one only those of the replaced token."""
    text, made = taken.before.source.text, taken.after.source.text
    lost, gained = words(text) - words(made), words(made) - words(text)
    finding, slot = taken.finding, taken.finding.slot
    if taken.fix.safe:
        letters = Counter("".join(lost.elements())) - Counter("".join(gained.elements()))
        return "" if finding.code in RESPELLED else " ".join(letters).replace("_", "").strip()
    own = [finding.span, *((slot.key, slot.value) if slot is not None else ())]
    return " ".join(lost - sum((words(span.of(text)) for span in own if span is not None), Counter()))


# Errors


def errors(analysis: Analysis) -> Counter[tuple[str, str | None]]:
    return Counter((item.code, item.field) for item in analysis.findings if item.severity == "error")


def new_errors(taken: Taken) -> list[tuple[str, str | None]]:
    """The new errors after a fix that no exception allows."""
    return [
        key
        for key in errors(taken.after) - errors(taken.before)
        if not is_unfilled(taken, *key) and not is_laid_open(taken, *key)
    ]


def is_unfilled(taken: Taken, code: str, field: str | None) -> bool:
    """Whether an error only reports that a placeholder of the fix must be filled in."""
    if code != "placeholder-left":
        return False
    text = taken.after.source.text
    left = [item.span.of(text) for item in taken.after.findings if (item.code, item.field) == (code, field)]
    return all(any(one in edit.text for edit in taken.fix.edits) for one in left)


def is_laid_open(taken: Taken, code: str, field: str | None) -> bool:
    """Whether the subject of an error could not be checked before."""
    handoff, now, mended = taken.handoff, taken.now, taken.finding.slot
    if handoff is None or now is None or not handoff.readable or not handoff.absence_is_certain:
        return True
    if not taken.fix.safe and handoff.spec is not now.spec:
        return True  # with the name that is read it is of a different profile
    if mended is None or (mended.written and mended.problem is None and mended.data not in (None, "", [], {})):
        return False
    path = mended.path
    return concerns(field or "", [path]) or any(
        path.startswith(read) or read.startswith(path)
        for line in conditions_of(now, code, field or "")
        for read in now.spec.paths_in(line)
    )


def conditions_of(handoff: Handoff, code: str, path: str) -> Iterator[str]:
    """The conditions on which a finding of a rule about a path may depend."""
    found: Field | None = handoff.spec.field(re.sub(r"\[\d*\]", "", path))
    for line in (found.required, found.filled, found.forbidden) if found is not None else ():
        if isinstance(line, str):
            yield line
    fence = handoff.spec.contract.fence
    if fence is not None and code == "wrong-fence" and isinstance(fence.at_end, str):
        yield fence.at_end
    for check in handoff.spec.contract.checks.values():
        if check.rule == code and handoff.values.fill(check.at) == path:
            yield from (line for line in (check.check, check.when) if line)


# Names and values


def names_there(taken: Taken) -> list[str]:
    """Names that are suggested although they already exist."""
    handoff, finding = taken.handoff, taken.finding
    parents = [slot for slot in handoff.slots for other in slot.unknown if other.key == finding.span] if handoff else []
    suggested = [*SUGGESTED.findall(finding.message), *SUGGESTED.findall(finding.hint)]
    return [name for name in suggested for parent in parents if is_there(parent, name)]


def renamed_across(taken: Taken) -> str:
    """A name that a safe fix changes to a different one."""
    handoff = taken.handoff
    for slot in handoff.slots if handoff is not None and taken.fix.safe else ():
        keys: list[tuple[Span, str, Slot | None]] = [(one.key, one.name, None) for one in slot.unknown]
        keys += [(slot.key, slot.title, slot)] if slot.key is not None and slot.parent is not None else []
        for key, old, known in keys:
            for edit in taken.fix.edits:
                new = edit.text.strip('"')
                declared = known is not None and known.field.replaced_by == new
                if (
                    edit.span == key
                    and edit.text
                    and not declared
                    and not (known is not None and known.value == key)
                    and not _same(old, new)
                ):
                    return f"{old} to {new}"
    return ""


def _same(old: str, new: str) -> bool:
    return same_name(old.removeprefix(leading_number(old)), new.removeprefix(leading_number(new)))


def duplicates(analysis: Analysis) -> int:
    return sum(len(slot.duplicates) for handoff in analysis.handoffs for slot in handoff.slots)


def breaches(before: Analysis, make: Callable[[str], Analysis]) -> Iterator[str]:
    """The broken laws, for each fix of each finding of a document."""
    text = before.source.text
    for finding in before.findings:
        preferred = [fix for fix in finding.fixes if fix.preferred]
        if len(preferred) > 1 or (finding.fix is not None and finding.fix not in preferred):
            yield f"{finding!r}: more than one fix is preferred"
        for fix in finding.fixes:
            taken = Taken(before, make(apply_edits(text, fix.edits)), finding, fix)
            laws = {
                "is still there": count(taken.after, finding) >= count(before, finding),
                "brings errors": new_errors(taken),
                "loses words": lost_words(taken),
                "suggests what is there": names_there(taken),
                "writes a name twice": duplicates(taken.after) > duplicates(before),
                "renames across meanings": renamed_across(taken),
                "changes what is stated": states_the_same(taken) if fix.safe else "",
            }
            for law, breach in laws.items():
                if breach:
                    yield f"{finding!r}\n  {fix.title} ({'safe' if fix.safe else 'unsafe'}) {law}: {breach}"


def comes_to_rest(before: Analysis, make: Callable[[str], Analysis]) -> bool:
    """Whether fixing everything a second time changes nothing."""
    action = fix_all(before)
    return action is None or fix_all(make(apply_edits(before.source.text, action.edits))) is None


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.name)
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_cases(case: Case, eol: str) -> None:
    analysis = case.analyze(case.text.replace("\n", eol))
    assert list(breaches(analysis, case.analyze)) == []
    assert comes_to_rest(analysis, case.analyze)


@pytest.mark.parametrize("name", ["wild", "corpus"])
def test_real_files(name: str) -> None:
    folder = SHARED / name
    if not folder.is_dir():
        pytest.skip(f"no {name}: ../shared/{name} is not beside this clone")
    found = {
        path.relative_to(folder).as_posix(): list(_of_file(path, folder)) for path in sorted(folder.glob("*/**/*"))
    }
    assert {path: breaches for path, breaches in found.items() if breaches} == {}


def _of_file(path: Path, folder: Path) -> Iterator[str]:
    """The broken laws in a real file, at its path in its repository."""
    text = path.read_bytes().decode("utf-8", errors="replace") if path.is_file() else ""
    called = path.relative_to(folder).as_posix().partition("/")[2]

    def make(changed: str) -> Analysis:
        return analyze(Source(changed), called, builtin(), Options())

    analysis = make(text)
    yield from breaches(analysis, make)
    if analysis.findings and not comes_to_rest(analysis, make):
        yield "fixing all twice changes more"
