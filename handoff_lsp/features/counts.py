"""Wrong counts: numbers in a handoff that differ from the items that they count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.engine import Analysis
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Edit, Span
from handoff_lsp.text.named_tuple import NamedTuple

# The rule with the checks that declare counts.
_RULE = "count-mismatch"


class WrongCount(NamedTuple):
    """A wrong count, with the right number. ``counted``: the fields that it counts."""

    slot: Slot
    right: int
    counted: tuple[Slot, ...]
    finding: Finding

    @property
    def edit(self) -> Edit:
        """The edit that corrects the count."""
        assert self.slot.value is not None
        return Edit(self.slot.value, str(self.right))

    @property
    def title(self) -> str:
        """The change in words."""
        return say("Change `{field}` to {right}", field=self.slot.title, right=self.right)

    @property
    def where(self) -> str:
        """The title of the counted section or field; empty if there are several."""
        return self.counted[0].title if len(self.counted) == 1 else ""


def wrong_counts(analysis: Analysis) -> Iterator[WrongCount]:
    """The wrong counts of a document's handoffs that the contract can correct."""
    for finding in analysis.findings:
        if finding.code == _RULE and finding.handoff is not None and finding.handoff.mode == "handoff":
            found = _wrong_count(finding.handoff, finding)
            if found is not None:
                yield found


def _wrong_count(handoff: Handoff, finding: Finding) -> WrongCount | None:
    slot = finding.slot
    if slot is None or slot.value is None or not isinstance(slot.data, int):
        return None
    for check in handoff.spec.contract.checks.values():
        if check.rule == _RULE and check.correct and handoff.values.fill(check.at) == slot.path:
            right = handoff.values.evaluate(check.correct)
            if isinstance(right, int) and right != slot.data:
                counted = [found for path in check.related for found in handoff.root.find(path)]
                return WrongCount(slot, right, tuple(counted), finding)
    return None


def counts_at(analysis: Analysis, span: Span) -> list[WrongCount]:
    """The wrong counts of the fields at a span (code points), such as the list that just got an item."""
    return [count for count in wrong_counts(analysis) if any(_touches(slot, span) for slot in count.counted)]


def _touches(slot: Slot, span: Span) -> bool:
    return slot.present and slot.span is not None and slot.span.overlaps(span)


def count_edits(counts: Iterable[WrongCount]) -> list[Edit]:
    """The edits that correct counts, each place once."""
    return list(dict.fromkeys(count.edit for count in counts))
