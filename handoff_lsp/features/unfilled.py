"""Drafts: handoffs that nobody claims to be finished. Their untouched placeholders are hints in an editor.

The finding that a file of an agent is still empty is a hint as well. The command and the decision know no drafts: a
placeholder is a finding there, and withholds the handoff.
"""

from __future__ import annotations

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import is_placeholder
from handoff_lsp.engine import Analysis
from handoff_lsp.rules import empty_return, placeholder_left
from handoff_lsp.rules.rule import Finding


def unfilled(analysis: Analysis) -> list[Finding]:
    """The untouched placeholders of the drafts of a document, in the order of the text.

    In a draft the status is left to fill in, and more, or nothing has a value yet. Where a list has an item of its
    own, its other placeholders are not untouched.
    """
    of_handoffs: dict[int, list[Finding]] = {}
    for item in analysis.findings:
        if item.rule is placeholder_left.RULE:
            of_handoffs.setdefault(id(item.handoff), []).append(item)
    found = []
    for handoff in analysis.handoffs:
        left = of_handoffs.get(id(handoff), [])
        if left and handoff.mode == "handoff" and (_waits(handoff, len(left)) or _is_blank(handoff)):
            found += [item for item in left if not _is_touched(item.slot)]
    return found


def just_created(analysis: Analysis) -> list[Finding]:
    """The findings that a file is still empty."""
    return [item for item in analysis.findings if analysis.path and item.rule is empty_return.RULE]


def _waits(handoff: Handoff, left: int) -> bool:
    """Whether the status is one of several placeholders; the last one is an error, since all else is done."""
    status = handoff.status
    return left > 1 and status is not None and status.problem is not None and status.problem.kind == "placeholder"


def _is_blank(handoff: Handoff) -> bool:
    """Whether no field of a handoff has a value of its author's own."""
    return not any(_says_something(slot) for slot in handoff.slots)


def _says_something(slot: Slot) -> bool:
    """Whether a value is its author's own: no placeholder, nothing empty, no choice without an alternative."""
    chosen = slot.field.kind.is_choice and len(slot.field.offered) == 1
    if not slot.present or slot.children or slot.items or chosen:
        return False
    if slot.problem is not None:
        return slot.problem.kind != "placeholder"
    return bool(slot.data) and not is_placeholder(slot.raw)


def _is_touched(slot: Slot | None) -> bool:
    """Whether a list has an item without a placeholder."""
    return slot is not None and any("<" not in item.raw for item in slot.parts if item.raw)
