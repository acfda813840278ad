"""The places in a document that explain its decision: the value that decides, the findings, the parts read next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.decide.routing import decision, doubts_of, reads_of, status_of
from handoff_lsp.decide.words import isolated, status_words
from handoff_lsp.features.decision.lens import cause, spot
from handoff_lsp.language import say
from handoff_lsp.rules.rule import shown
from handoff_lsp.text import Span
from handoff_lsp.text.named_tuple import NamedTuple

# The most findings to list; the first ones decide.
_MOST = 10


class Place(NamedTuple):
    """A place on one line, in code points, with its text for a list."""

    kind: Literal["decides", "finding", "reads"]
    text: str
    span: Span


def places_of(handoff: Handoff) -> Iterator[Place]:
    """The places behind the decision about a handoff; none without a decision."""
    route = decision(handoff)
    if route is None:
        return
    doubts = doubts_of(handoff, route)
    if not handoff.readable:  # what is missing in a handoff that cannot be read is no reason
        doubts = tuple(fault for fault in doubts if fault.judges_form) or doubts
    for fault in doubts[:_MOST]:
        yield Place("finding", isolated(fault.message), handoff.source.lines.first_line_of(fault.span))
    if not doubts:
        yield Place("decides", *_decider(handoff, cause(handoff, route, ())))
    for title in reads_of(handoff, route):
        slot = next((slot for slot in handoff.root.walk() if title in {slot.title, slot.path} and slot.present), None)
        if slot is not None:
            yield Place("reads", title, spot(handoff, slot))


def _decider(handoff: Handoff, span: Span) -> tuple[str, Span]:
    """The text of the place that decides: the field with its value, else the status."""
    slot = next((slot for slot in handoff.root.walk() if slot.present and slot.value == span), None)
    if slot is None or slot is handoff.status:
        return isolated(_titled(handoff)), span
    return isolated(f"{slot.title}: {shown(span.of(handoff.source.text))}"), span


def _titled(handoff: Handoff) -> str:
    words, status = status_words(handoff), handoff.status
    is_bare = status is not None and status.title.casefold() == "status" and status_of(handoff) is not None
    return say("Status: {status}", status=words) if is_bare else words
