"""The decision about a handoff as Markdown: for hovers, tooltips, and the pages that an editor shows."""

from __future__ import annotations

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.model import Route
from handoff_lsp.decide.routing import decision, is_made, reads_of, status_of
from handoff_lsp.decide.words import marked_line_of, mode_words, rest_of, status_words
from handoff_lsp.features.pages.markup import code, paragraphs, prose
from handoff_lsp.language import counted, say


def decision_page(handoff: Handoff) -> str:
    """The decision, the whole reason, the status and the parts that are read next, or the reason for its lack."""
    route = decision(handoff)
    if route is None:
        return prose(mode_words(handoff))
    facts = (
        [f"- {prose(say('Status: {status}', status=status_words(handoff)))}"] if status_of(handoff) is not None else []
    )
    if reads := reads_of(handoff, route):
        facts.append(say("- Reads next: {titles}", titles=", ".join(code(title) for title in reads)))
    if errors := errors_beside(handoff, route):
        facts.append(say("- It has {errors} and may be rejected.", errors=errors))
    return paragraphs(f"**{prose(marked_line_of(handoff, route))}**", prose(rest_of(handoff, route)), "\n".join(facts))


def errors_beside(handoff: Handoff, route: Route) -> str:
    """The number of errors that the decision does not mention, in words; empty without any."""
    errors = sum(fault.is_error for fault in handoff.faults)
    if not errors or status_of(handoff) is None or is_made(handoff, route):
        return ""
    return counted(errors, "error")
