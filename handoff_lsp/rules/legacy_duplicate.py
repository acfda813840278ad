"""The same document exists in two places.

## What it does
Checks for documents that exist at several locations of their contract, such as `docs/` and, in older projects, the
workspace root. Names the one that is read.

## Why is this bad?
The first location wins. Changes to the other file have no effect.

## How to fix
Merge the two into the file that is read, and delete the other one.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Rule


def check(handoff: Handoff) -> Iterator[Finding]:
    """A document that exists at several of its contract's locations."""
    locations = handoff.spec.contract.locations
    if handoff.path not in locations or len(locations) < 2:
        return
    name = handoff.path.rpartition("/")[2]
    same = [place for place in locations if place.rpartition("/")[2].casefold() == name.casefold()]
    there = [place for place in same if place == handoff.path or handoff.around.exists(place) is True]
    if len(there) < 2:
        return
    read = there[0]
    others = say(" and ").join(f"`{place}`" for place in there if place != handoff.path)
    stem = name.rpartition(".")[0] or name
    if read == handoff.path:
        message, note = (
            say("There is also {others}", others=others),
            say("Only this document, `{read}`, is read", read=read),
        )
    else:
        message, note = (
            say("This document is ignored"),
            say("There is also {others}, and only `{read}` is read", others=others, read=read),
        )
    yield Finding(
        RULE,
        handoff,
        handoff.home(),
        message,
        note=note,
        severity="information" if read == handoff.path else None,
        upstream=[token.replace("{name}", stem) for token in handoff.spec.contract.upstream.get("elsewhere", [])],
        unnecessary=read != handoff.path,
    )


RULE = Rule("legacy-duplicate", "across files", "warning", check, modes=("handoff",))
