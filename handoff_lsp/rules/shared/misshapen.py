"""Shared by the rules that report a section with content of the wrong shape."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.field_types import Holds
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Rule


def misshapen(rule: Rule, handoff: Handoff, holds: Holds, wanted: str) -> Iterator[Finding]:
    """A finding for each field with this content that is written in another shape."""
    for slot in handoff.refused:
        problem = slot.problem
        if problem is not None and problem.kind == "shape" and slot.field.kind.holds == holds:
            yield Finding(
                rule,
                handoff,
                handoff.source.lines.first_line_of(problem.span),
                say("`{field}` must contain {wanted}", field=slot.title, wanted=wanted),
                note=slot.field.because,
                slot=slot,
                upstream=slot.field.upstream.get("type", []),
            )
