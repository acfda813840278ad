"""Duplicate field.

## What it does
Checks for fields that a block or section has more than once, by the same name or by two of its names.

## Why is this bad?
JSON parsers silently take the last of two equal keys. People read the first one.

## How to fix
Remove the wrong one.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.rules.shared.repeated import repeated
from handoff_lsp.text import Span

# The most findings of one handoff: a longer list is of no use.
_MOST = 100


def check(handoff: Handoff) -> Iterator[Finding]:
    """Repeated fields: all keys of JSON, but only those labels that the contract knows."""
    if handoff.json is not None:
        members = handoff.json.tree.duplicates()
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
                withholds=_is_status(handoff, name, span),
            )
        if len(members) > _MOST:
            more = handoff.json.fragment.outer_span(members[_MOST].key.start, members[_MOST].key.end)
            yield Finding(
                RULE,
                handoff,
                more,
                say("{number} more keys that are here twice are not listed", number=len(members) - _MOST),
            )
        yield from _by_two_names(handoff)
        return
    flat = handoff.body.flat
    for slot in handoff.to_judge:
        if not slot.duplicates:
            continue
        if slot.path or flat:
            if slot.field.upstream.get("duplicate", []):
                yield from _refused(handoff, slot)
            else:
                yield from repeated(RULE, handoff, slot, say("Readers take the first"))
        else:
            yield from repeated(RULE, handoff, slot, say("YAML allows each key once"), in_front=True)


def _by_two_names(handoff: Handoff) -> Iterator[Finding]:
    """Fields of JSON that are present under two of their names, such as `PLAN_STATUS` and `plan_status`."""
    for slot in handoff.to_judge:
        for again in slot.duplicates:
            first = handoff.source.slice(again.key).strip('"')
            if first != again.name:
                child = next(
                    (one for one in slot.children.values() if again.name in (one.title, *one.field.aliases)), None
                )
                message, note = (
                    say("`{first}` and `{again}` are the same field", first=first, again=again.name),
                    say("Readers take only one of them"),
                )
                withholds = child is handoff.status
                yield Finding(RULE, handoff, again.key, message, note=note, slot=child, withholds=withholds)


def _is_status(handoff: Handoff, name: str, key: Span) -> bool:
    """Whether a key of the JSON repeats the status."""
    slot = handoff.status
    around = slot.parent.span if slot is not None and slot.parent is not None and slot.parent.span else handoff.span
    return slot is not None and name == slot.title and around.holds(key.start)


def _refused(handoff: Handoff, slot: Slot) -> Iterator[Finding]:
    """Repeated fields, for a reader that refuses the handoff because of them."""
    for finding in repeated(RULE, handoff, slot, say("The reader refuses the whole block")):
        finding.severity = "error"
        name = handoff.source.slice(finding.span)
        finding.upstream = tuple(token.replace("{value}", name) for token in slot.field.upstream.get("duplicate", []))
        yield finding


RULE = Rule("duplicate-field", "structure", "warning", check, unfinished="here")
