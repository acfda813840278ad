"""Misplaced field.

## What it does
Checks for keys in the wrong object, and names the right one. In an object that may have other keys, only a required
object or list that is missing at its own level is a finding.

## Why is this bad?
The reader does not find the key.

## How to fix
Move it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot, Unknown
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Fix, Rule
from handoff_lsp.rules.shared.misplaced import is_closed, misplaced
from handoff_lsp.text import Span
from handoff_lsp.writing.json_placement import flat, layout, outer_edit
from handoff_lsp.writing.placement import settled
from handoff_lsp.writing.removal import member_removal
from handoff_lsp.writing.skeleton import Skeleton, around


def check(handoff: Handoff) -> Iterator[Finding]:
    """Keys that are known at another level: unknown ones of closed objects, and missing ones in open objects."""
    for slot, unknown, home in misplaced(handoff):
        path = f"{slot.path}.{unknown.name}" if slot.path else unknown.name
        yield Finding(
            RULE,
            handoff,
            unknown.key,
            say("`{name}` belongs at `{home}`, not here", name=unknown.name, home=home)
            if home != unknown.name
            else say("`{name}` belongs at the top level, not in `{here}`", name=unknown.name, here=slot.path),
            note=say("The reader does not find it"),
            field=path,
            upstream=slot.field.upstream.get("misplaced", [])
            if is_closed(handoff, home)
            else slot.field.upstream.get("unknown", []),
            fixes=partial(_move, handoff, slot, unknown, home),
        )


def _move(handoff: Handoff, slot: Slot, unknown: Unknown, home: str) -> Iterator[Fix]:
    """Move a member of JSON to the end of the object that it belongs to, if that exists and lacks it."""
    parent, _, name = home.rpartition(".")
    there = handoff.root.find(parent) if parent else [handoff.root]
    if len(there) != 1 or there[0].children.get(name, slot).written:
        return
    source, target, fragment = handoff.body.node(slot), handoff.body.node(there[0]), handoff.body.fragment
    if source is None or target is None or fragment is None or not target.closed or not target.members:
        return
    start = fragment.inner(unknown.key.start)
    member = next((member for member in source.members if member.start == start), None)
    if member is None or member.value is None or member.start <= target.start < member.end:
        return
    taken = member_removal(fragment, source, member)
    if taken is None:
        return
    text = fragment.text[member.start : member.end].replace("\r\n", "\n")
    inner = layout(fragment.text, target).inner
    made = Skeleton(text, "")
    made = around(", ", flat(made), "") if inner is None else around(f",\n{inner}", made, "")
    end = target.members[-1].end
    put = settled(handoff.source.text, outer_edit(handoff.source.text, fragment, Span(end, end), made))
    if not taken.span.holds(put.span.start):
        yield Fix(say("Move to `{home}`", home=home), (taken, put._replace(snippet=None)), safe=slot.field.closed)


RULE = Rule("misplaced-field", "structure", "error", check, fixable="sometimes", unfinished="here")
