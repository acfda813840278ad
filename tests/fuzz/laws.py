"""The laws: after edits, the state of a document equals that of a new server; fixes keep statements and settle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from features.test_fix_laws import Taken, comes_to_rest, duplicates, lost_words, states_the_same

from handoff_lsp.binding.slot import Slot
from handoff_lsp.engine import Analysis
from handoff_lsp.text import EditConflict, apply_edits
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.store import Workspace


class Open(NamedTuple):
    """An open document: its path and its text."""

    path: Path
    text: str


def facts(analysis: Analysis) -> list[tuple[object, ...]]:
    """The full state of a document: its handoffs, their statements, the findings."""
    handoffs = [
        (
            handoff.spec.name,
            handoff.spec.profile,
            handoff.mode,
            handoff.form,
            tuple(handoff.span),
            repr(handoff.root.data),
            tuple(slots_in(handoff.root)),
        )
        for handoff in analysis.handoffs
    ]
    findings = [
        (item.code, item.severity, tuple(item.span), item.message, item.field, item.upstream)
        for item in analysis.findings
    ]
    return [*handoffs, *findings]


def slots_in(slot: Slot) -> Iterator[tuple[object, ...]]:
    """What is known of a slot and of all below it, with their places."""
    places = tuple(slot.key or ()), tuple(slot.value or ()), tuple(slot.span or ()), tuple(slot.remark or ())
    yield slot.path, slot.present, slot.written, slot.carrier, slot.raw, slot.countable, *places
    yield repr((slot.data, slot.row, slot.problem, slot.unknown, slot.duplicates))
    for below in (*slot.children.values(), *slot.parts):
        assert below.parent is slot, f"{below.path} is in another list or object"
        yield from slots_in(below)
    for other in slot.others:
        assert other.parent is slot.parent, f"{other.path} is in another object"
        yield from slots_in(other)


def fresh(folder: Path, opened: list[Open]) -> list[Analysis | None]:
    """The state of open documents in a server that has just been started."""
    workspace = Workspace(Resolver())
    workspace.set_folders([folder])
    for one in opened:
        workspace.open(one.path.as_uri(), one.path, 1, one.text)
    return [workspace.analysis(one.path.as_uri()) for one in opened]


def differences(known: Analysis, new: Analysis) -> Iterator[str]:
    """The differences between the state after edits and that of a new server."""
    if known.source.text != new.source.text:
        yield "the text is another one"
        return
    one, other = facts(known), facts(new)
    yield from (f"only after edits: {item}" for item in one if item not in other)
    yield from (f"only from the beginning: {item}" for item in other if item not in one)
    if not one or sorted(map(repr, one)) == sorted(map(repr, other)):
        return
    yield "something is there another number of times"


def crashes(analysis: Analysis) -> Iterator[str]:
    """Rules that failed."""
    yield from (item.message for item in analysis.findings if item.code == "internal-error")


def fix_laws(analysis: Analysis, make: Callable[[str], Analysis]) -> Iterator[str]:
    """The broken laws of fixes."""
    for finding in analysis.findings:
        for fix in finding.fixes:
            try:
                text = apply_edits(analysis.source.text, fix.edits)
            except EditConflict as error:
                yield f"{fix.title}: {error}"
                continue
            if not fix.safe:
                continue
            taken = Taken(analysis, make(text), finding, fix)
            laws = {
                "loses words": lost_words(taken),
                "writes a name twice": duplicates(taken.after) > duplicates(taken.before),
                "changes what is stated": states_the_same(taken),
            }
            for law, breach in laws.items():
                if breach:
                    yield f"{finding!r}: {fix.title} {law}: {breach}"
    if not comes_to_rest(analysis, make):
        yield "fixing everything twice changes more than once"
