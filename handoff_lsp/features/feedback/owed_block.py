"""The handoff that an agent owes, to emit as it is: filled with what is known, placeholders for the rest.

What a field may be filled with is read from its contract: the agent's name and id, where `overview` or `introduces`
says so; names that the written paths contain; the files that the agent wrote (`paths: written`), and their number; the
time, where `overview` says that a field has the last change. A value that breaks a rule is left out again. A status is
never filled in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Form
from handoff_lsp.contracts.owed import Owed, Returned, agent_name
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.features.feedback.checked_text import AgentFacts
from handoff_lsp.names.mentions import names_of_paths
from handoff_lsp.samples.new_handoff import new_handoff
from handoff_lsp.text import Edit, Source, Span, apply_edits
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.writing.owed_block import owed_spec
from handoff_lsp.writing.skeleton_document import form_of

_PLACEHOLDER = lazy_pattern(r"<[^<>!\n][^<>\n]*>")
_BULLET = lazy_pattern(r"[ \t]*[-*+][ \t]+")
# More files than this are left to the agent: a list of some of them would be wrong.
_MOST_FILES = 40


class OwedBlock(NamedTuple):
    """A handoff that an agent owes, as it is written: a text with LF line ends and none at its end."""

    owed: Owed
    title: str
    form: Form
    text: str


def filled_block(owed: Owed, registry: Registry, options: Options, path: str, known: AgentFacts) -> OwedBlock:
    """The block for a debt in a document at ``path``, empty for a final message."""
    entry = registry[owed.contract]
    profile = owed_spec(registry, owed, options).profile
    text = _filled(owed, profile, registry, options, path, known)
    if not owed.profiles:
        # The agent's name in it may be evidence for another profile than the default one.
        found = _own(analyze(Source(text), path, registry, options), owed)
        if found is not None and found.spec.profile != profile:
            profile = found.spec.profile
            text = _filled(owed, profile, registry, options, path, known)
    return OwedBlock(owed, entry.contract.title, form_of(entry.spec(profile)), text)


def _filled(owed: Owed, profile: str, registry: Registry, options: Options, path: str, known: AgentFacts) -> str:
    """A new handoff, with every value that is known and breaks no rule."""
    entry = registry[owed.contract]
    # With its profile certain, no modeline needs to be in it.
    one = replace(owed, profiles=(profile,) if owed.profiles else ())
    certain = replace(options, returned=Returned(owed.agent, (one,)))
    text = new_handoff(registry, entry, profile, "handoff", path, certain).text.rstrip("\n")

    def look(text: str) -> Analysis:
        return analyze(Source(text), path, registry, certain)

    for fill in (_identity, _names, _files, _number, _time):
        text = _with(text, owed, look, fill, known)
    return text


# The values that may be written into a field, the best first.
_Fill = Callable[[Handoff, Slot, AgentFacts], Iterable[Sequence[str]]]


def _with(text: str, owed: Owed, look: Callable[[str], Analysis], fill: _Fill, known: AgentFacts) -> str:
    """The text with the values of one kind, each tried on the whole text."""
    before = look(text)
    handoff = _own(before, owed)
    if handoff is None:
        return text
    status = handoff.spec.contract.status
    for slot in sorted(handoff.root.walk(), key=lambda slot: -(slot.value or slot.anchor()).start):
        if slot.path == status or not slot.present or not _is_open(slot):
            continue
        for values in fill(handoff, slot, known):
            edit = _edit(text, slot, values)
            if edit is None:
                continue
            better = apply_edits(text, [edit])
            after = look(better)
            if _is_right(before, after, owed, slot.path):
                text, before = better, after
                break
    return text


def _is_right(before: Analysis, after: Analysis, owed: Owed, path: str) -> bool:
    """Whether a value was written as its field takes it, and breaks no rule."""
    handoff = _own(after, owed)
    slot = handoff.root.down(path) if handoff is not None else None
    if slot is None or slot.path != path or slot.problem is not None:
        return False
    known = {(finding.code, finding.field) for finding in before.findings}
    return all((finding.code, finding.field) in known and finding.field != path for finding in after.findings)


def _own(analysis: Analysis, owed: Owed) -> Handoff | None:
    return next((one for one in analysis.handoffs if one.spec.name == owed.contract), None)


def _is_open(slot: Slot) -> bool:
    """Whether nobody has said anything there yet: a placeholder, an item that is one, or an empty list in JSON."""
    if slot.problem is not None:
        return slot.problem.kind == "placeholder"
    return slot.raw in {"[]", ""} or any(_PLACEHOLDER.fullmatch(item.raw.strip()) for item in slot.items)


def _edit(text: str, slot: Slot, values: Sequence[str]) -> Edit | None:
    """The edit that writes values in the place of a placeholder; None where that is not possible."""
    if slot.carrier == "json":
        if slot.value is None:
            return None
        is_list = slot.field.kind.holds_items or slot.raw == "[]"
        number = slot.field.kind.json == "number"
        data = list(values) if is_list else int(values[0]) if number else values[0]
        return Edit(slot.value, json.dumps(data, ensure_ascii=False))
    place = slot.items[0].key if slot.items else slot.value
    found = _PLACEHOLDER.search(text, place.start, place.end) if place is not None else None
    if found is None:
        return None
    before = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
    return Edit(Span(*found.span()), (f"\n{before}" if _BULLET.fullmatch(before) else ", ").join(values))


def _identity(handoff: Handoff, slot: Slot, known: AgentFacts) -> Iterator[Sequence[str]]:
    """The agent's name, or its id in a field whose names no file defines."""
    contract = handoff.spec.contract
    overview = contract.overview
    if not slot.field.names or not (slot.field.introduces or slot.path in overview.agent):
        return
    definition = contract.definitions.get(slot.field.names)
    if definition is not None and not definition.files:
        yield from ((one,) for one in known.ids)
    elif known.agent:
        bare = re.split(r"[:/\\]", known.agent.strip())[-1]  # without the name of a plug-in
        spellings = dict.fromkeys((bare, bare.removesuffix("-agent"), agent_name(known.agent)))
        usual = {value.value for value in definition.values} if definition is not None else set()
        yield from ((one,) for one in sorted(spellings, key=lambda one: one not in usual))


def _names(handoff: Handoff, slot: Slot, known: AgentFacts) -> Iterator[Sequence[str]]:
    """The only name of its kind in the paths of the written files, such as that of the change."""
    contract = handoff.spec.contract
    agents = {field.names for path, field in handoff.spec.walk() if path in _agents(handoff)}
    definition = contract.definitions.get(slot.field.names)
    if definition is None or slot.field.names in agents or not known.paths:
        return
    found = set(names_of_paths(definition, known.paths))
    if len(found) == 1:
        yield (found.pop(),)


def _agents(handoff: Handoff) -> set[str]:
    """The paths of the fields that name this agent or the next one."""
    overview = handoff.spec.contract.overview
    return {*overview.agent, *overview.next_agent}


def _files(_: Handoff, slot: Slot, known: AgentFacts) -> Iterator[Sequence[str]]:
    if slot.field.paths == "written" and known.files and len(known.files) <= _MOST_FILES:
        if slot.field.kind.json == "number":
            yield (str(len(known.files)),)
        elif len(known.files) == 1 or slot.field.kind.holds_items or slot.field.kind.holds == "anything":
            yield known.files


def _number(handoff: Handoff, slot: Slot, known: AgentFacts) -> Iterator[Sequence[str]]:
    """The number of items of a list that is filled in, where a check wants it."""
    for check in handoff.spec.contract.checks.values():
        if check.at == slot.path and check.count_of:
            counted = handoff.root.down(check.count_of)
            if counted.path == check.count_of and counted.field.paths == "written" and isinstance(counted.data, list):
                yield (str(len(counted.data)),)


def _time(handoff: Handoff, slot: Slot, known: AgentFacts) -> Iterator[Sequence[str]]:
    """The time, in the field that has the last change."""
    if known.time and handoff.spec.contract.overview.changed[:1] == [slot.path]:
        yield from ((known.time,), (known.time[:10],))
