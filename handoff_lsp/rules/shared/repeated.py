"""What the rules share that tell of something that stands in a handoff twice."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.rules.rule import Finding, Related, Rule
from handoff_lsp.rules.shared.restated import dispute_of


def repeated(rule: Rule, handoff: Handoff, owner: Slot, what: str) -> Iterator[Finding]:
    """A finding for each child of a slot that came before. ``what`` is said of it, with ``{}`` for its name."""
    if not owner.duplicates:
        return
    dispute = dispute_of(handoff)
    for again in owner.duplicates:
        if dispute is not None and dispute.again.key == again.key:
            continue  # `contradiction` tells of it
        first = next((child for child in owner.children.values() if child.title == again.name), None)
        related = [Related(first.key, "first here")] if first is not None and first.key is not None else []
        yield Finding(
            rule, handoff, again.key, what.format(f"`{again.name}`"), slot=first, related=related, unnecessary=True
        )
