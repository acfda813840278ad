"""Wrong section order.

## What it does
Checks for sections that come before a section they should follow, in a format whose sections have an order. If its
contract names the fields that the orchestrator always reads, only the order of their sections matters.

## Why is this bad?
Readers that stop early miss sections that come late.

## How to fix
Move the section.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.language import say
from handoff_lsp.rules.rule import EVERY_MODE, Finding, Related, Rule


def check(handoff: Handoff) -> Iterator[Finding]:
    """Each section that is out of order, once."""
    if not handoff.spec.contract.ordered:
        return
    written = [slot for slot in handoff.root.children.values() if slot.headed and slot.key]
    start = max((slot.key.start for slot in written if slot.field.first and slot.key), default=0)
    read_first = set(handoff.spec.contract.reads)
    latest: Slot | None = None
    for slot in written:
        assert slot.key is not None
        if slot.key.start < start:
            continue  # `status-not-first` reports this one
        if latest is not None and latest.key is not None and slot.key.start < latest.key.start:
            # With `reads`, the order matters only for the sections that the orchestrator reads.
            if not read_first or {slot.name, latest.name} & read_first:
                yield Finding(
                    RULE,
                    handoff,
                    slot.key,
                    say("`{field}` is before `{latest}`, but belongs after it", field=slot.title, latest=latest.title),
                    note=say("The orchestrator reads the first sections in their order") if read_first else "",
                    slot=slot,
                    related=[Related(latest.key, say("`{field}` is here", field=latest.title))],
                )
        else:
            latest = slot


RULE = Rule("section-order", "structure", "warning", check, modes=EVERY_MODE, unfinished="anywhere")
