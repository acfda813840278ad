"""Shared by the rules that report repeated parts of a handoff."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot, Unknown
from handoff_lsp.binding.values import read_text
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Related, Rule
from handoff_lsp.rules.shared.absent import is_decisive
from handoff_lsp.rules.shared.restated import dispute_of
from handoff_lsp.rules.shared.unclear import nothing_in
from handoff_lsp.text.lazy import lazy_pattern

_COMMENT = lazy_pattern(r"<!--[^>]*-->")
# A remark in parentheses at the end.
_REMARK = lazy_pattern(r"(?<!\s)\s*[(（][^()（）]*[)）]$")


def repeated(rule: Rule, handoff: Handoff, owner: Slot, note: str, *, headed: bool | None = None) -> Iterator[Finding]:
    """A finding for each repeated child of a slot. ``note``: what readers do with it.

    ``headed``: only those that are headings, or only the others.
    """
    if not owner.duplicates:
        return
    dispute = dispute_of(handoff)
    for again in owner.duplicates:
        if headed is not None and again.headed != headed:
            continue
        if dispute is not None and dispute.again.key == again.key:
            continue  # `contradiction` reports it
        first = next((child for child in owner.children.values() if child.title == again.name), None)
        related = [Related(first.key, say("first here"))] if first is not None and first.key is not None else []
        what = say("section") if again.headed and owner is handoff.root else say("field")
        message = say("Duplicate {what} `{name}`", what=what, name=again.name)
        yield Finding(
            rule,
            handoff,
            again.key,
            message,
            note=say("YAML allows each key once") if again.in_front else note,
            slot=first,
            related=related,
            unnecessary=True,
            withholds=first is not None and differs(handoff, again, first),
        )


def differs(handoff: Handoff, again: Unknown, slot: Slot) -> bool:
    """Whether the two places of a repeated field disagree.

    A second section of prose only adds to it, and one of a list or rows, unless the decision depends on them.
    """
    if slot.key is None or slot.span is None:
        return False
    kind = slot.field.kind
    adds = kind.holds in {"prose", "anything"} or (kind.holds != "value" and not is_decisive(handoff, slot.path))
    if slot.headed and adds:
        return False
    text = handoff.source.text
    one, other = _said(text[again.key.end : again.span.end]), _said(text[slot.key.end : slot.span.end])
    if one == other or (nothing_in(handoff, one) and nothing_in(handoff, other)):
        return False
    if kind.is_choice:
        first, second = read_text(slot.field, one), read_text(slot.field, other)
        # A remark beside a value may take it back.
        whole = first.end - first.start == len(one) and second.end - second.start == len(other)
        return not whole or first.data is None or first.data != second.data
    return not kind.is_free or slot.headed or _REMARK.sub("", one) != _REMARK.sub("", other)


def _said(text: str) -> str:
    """The text behind a key, without comments, markup, signs without meaning and outer blanks."""
    return " ".join(_COMMENT.sub("", text).split()).strip(" *_`\"':：,#.。✅✓✔\ufe0f")
