"""Duplicate field.

## What it does
Checks for fields that a block or section has more than once, by the same name or by two of its names.

## Why is this bad?
JSON parsers silently take the last of two equal keys. People read the first one. If the two say different things, the
handoff does not advance.

## How to fix
Remove the wrong one.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import read_text
from handoff_lsp.contracts.names import same_name
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.rules.shared.bounded import MAX_UNKNOWN
from handoff_lsp.rules.shared.misplaced import home_of
from handoff_lsp.rules.shared.repeated import differs, repeated
from handoff_lsp.text import Span

# The most findings of one handoff: a longer list is of no use.
_MOST = 100


def check(handoff: Handoff) -> Iterator[Finding]:
    """Repeated fields: all keys of JSON, but only those labels that the contract knows."""
    if handoff.body.only_keys:
        yield from _beside(handoff)
    if handoff.json is not None:
        members = handoff.json.tree.duplicates()
        differing = _differing(handoff)
        for member in members[:_MOST]:
            span = handoff.json.fragment.outer_span(member.key.start, member.key.end)
            name = str(member.key.value)
            yield Finding(
                RULE,
                handoff,
                span,
                say("Duplicate key `{name}` in this object", name=name),
                note=say("Parsers take the last one and silently drop the others"),
                field=name,
                withholds=span in differing,
            )
        if len(members) > _MOST:
            more = handoff.json.fragment.outer_span(members[_MOST].key.start, members[_MOST].key.end)
            yield Finding(
                RULE,
                handoff,
                more,
                say("{number} more keys that are here twice are not listed", number=len(members) - _MOST),
                withholds=bool(differing),
            )
        yield from _by_two_names(handoff)
        return
    for slot in handoff.to_judge:
        if not slot.duplicates:
            continue
        if slot.field.upstream.get("duplicate", []):
            yield from _refused(handoff, slot)
        else:
            # `duplicate-section` reports the headings of the handoff itself.
            headed = None if slot.path else False
            yield from repeated(RULE, handoff, slot, say("Readers take the first"), headed=headed)


def _differing(handoff: Handoff) -> set[Span]:
    """The keys of the JSON that repeat a field with a different value."""
    found: set[Span] = set()
    for slot in handoff.to_judge:
        for again in slot.duplicates:
            child = _child(slot, again.name)
            if child is not None and child.key is not None and differs(handoff, again, child):
                found.add(child.key)
    return found


def _child(slot: Slot, name: str) -> Slot | None:
    """The field of an object that has a name, in any case."""
    children = slot.children.values()
    return next((one for one in children if name in (one.title, *one.field.aliases)), None) or next(
        (one for one in children if same_name(name, one.title)), None
    )


def _by_two_names(handoff: Handoff) -> Iterator[Finding]:
    """Fields of JSON that are present under two of their names, such as `PLAN_STATUS` and `plan_status`."""
    for slot in handoff.to_judge:
        for again in slot.duplicates:
            first = handoff.source.slice(again.key).strip('"')
            if first != again.name:
                child = _child(slot, again.name)
                withholds = child is not None and differs(handoff, again, child)
                yield _same(handoff, again.key, first, again.name, child, withholds=withholds)


def _beside(handoff: Handoff) -> Iterator[Finding]:
    """Unknown keys that name a field in another case or at another level, with a different value."""
    for slot in handoff.to_judge:
        if slot.field.closed or not slot.unknown or (slot.parent is None and handoff.spec.contract.closed):
            continue  # `unknown-field` reports every key
        for unknown in slot.unknown[:MAX_UNKNOWN]:
            child, home = _child(slot, unknown.name), home_of(handoff, unknown)
            if child is not None and child.written:
                if differs(handoff, unknown, child):
                    yield _same(handoff, unknown.key, unknown.name, child.title, child, withholds=True)
                continue
            there = handoff.root.find(home) if home is not None else []
            if len(there) == 1 and there[0].data is not None and there[0].field.kind.is_choice:
                text = handoff.source.text[unknown.key.end : unknown.span.end].strip(" \t\r\n:\"'")
                read = read_text(there[0].field, text)
                if not read.problem and read.data != there[0].data:
                    yield _same(handoff, unknown.key, unknown.name, there[0].path, there[0], withholds=True)


def _same(handoff: Handoff, key: Span, first: str, again: str, slot: Slot | None, *, withholds: bool) -> Finding:
    message = say("`{first}` and `{again}` are the same field", first=first, again=again)
    return Finding(
        RULE, handoff, key, message, note=say("Readers take only one of them"), slot=slot, withholds=withholds
    )


def _refused(handoff: Handoff, slot: Slot) -> Iterator[Finding]:
    """Repeated fields, for a reader that refuses the handoff because of them."""
    for finding in repeated(RULE, handoff, slot, say("The reader refuses the whole block")):
        finding.severity = "error"
        name = handoff.source.slice(finding.span)
        finding.upstream = tuple(token.replace("{value}", name) for token in slot.field.upstream.get("duplicate", []))
        yield finding


RULE = Rule("duplicate-field", "structure", "warning", check, unfinished="here")
