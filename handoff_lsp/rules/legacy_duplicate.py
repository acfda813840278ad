"""The same document is in two places, and only one of them is read.

## What it does
Where a contract says that a document may be in one of several places, such as `docs/` and, as it used to be, the root
of the workspace, tells that there is a file of that name in more than one of them, and which of them is read.

## Why is this bad?
The first place wins. What is written into the other file is ignored, and nobody notices.

## How to fix
Take over what is worth keeping into the file that is read, and delete the other one.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.rules.rule import Finding, Rule, sentence


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
    others = " and ".join(f"`{place}`" for place in there if place != handoff.path)
    stem = name.rpartition(".")[0] or name
    if read == handoff.path:
        message = sentence(f"There is also {others}", f"This document, `{read}`, is read and nothing else")
    else:
        message = sentence(f"This document is ignored: there is also {others}, and `{read}` is read")
    yield Finding(
        RULE,
        handoff,
        handoff.home(),
        message,
        severity="information" if read == handoff.path else None,
        upstream=[token.replace("{name}", stem) for token in handoff.spec.contract.upstream.get("elsewhere", [])],
        unnecessary=read != handoff.path,
    )


RULE = Rule("legacy-duplicate", "across files", "warning", check, modes=("handoff",))
