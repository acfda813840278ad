"""Shared by rules: a denial of the status behind its count, or in the last line below it."""

from __future__ import annotations

import re

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import remark_in
from handoff_lsp.rules.shared.remark_words import denies
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

# The end of a clause; a remark begins behind it.
_CLAUSE = lazy_pattern(r"[,;:.(（—–、。]|\b(?:but|pero)\b", re.IGNORECASE)
# A failure that is over, or does not count; a review, which is the next phase; and a label with a list of its own.
_SETTLED = lazy_pattern(
    r"\b(?:was|were|had|now|then|after|fixed|resolved|before|first|initially|expected|pre-?existing|unrelated|flaky|known|none"
    r"|antes|ahora|luego|corregid\w*|resuelt\w*|conocid\w*|as (?:specified|intended)|(?-i:RED)"
    r"|(?:pending|awaiting|needs?|requires?) (?:code )?review)\b|修正|解消|既知|\A\w+[*_]*[:：]",
    re.IGNORECASE,
)
# Work of the next phases: the verification and the review.
_LATER = lazy_pattern(
    r"(?<!could )\bnot (?:yet )?(?:run|executed|verified)\b|\bunverified\b|\bnothing (?:\w+ )?(?:tested|verified)\b"
    r"|\b(?:pending|awaiting|needs?|requires?) (?:\w+ ){0,2}(?:review|testing|qa)\b"
    r"|\bpendiente de (?:\w+ )?revisi[oó]n\b|未(?:実施|実行|検証)",
    re.IGNORECASE,
)
# Text below a verdict usually explains it. Only one clause without a reason denies it, and only as the last line.
_LAST_LINE = lazy_pattern(
    r"^[ \t>*_-]*(?:"
    r"(?:(?:but|however|pero|sin embargo)\b,? |ただし、?|しかし、?)"
    r"(?P<contrast>(?!.{0,200}\bnot\b)[^,;:.(（—–\n。]{1,200})"
    r"|(?P<order>do not (?:archive|merge|proceed|continue|release)(?: yet)?"
    r"|no (?:archivar|fusionar|continuar)(?: (?:a[uú]n|todav[ií]a))?"
    r"|(?:blocked (?:by|on)|bloquead[oa] por) (?!(?:no|none|nothing|nada)\b)[^,;:.(（—–\n]{1,200})"
    r")[.!。*_ \t]{0,20}(?=[\s>]*(?:\Z|-{3}))",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING = lazy_pattern(r"^#", re.MULTILINE)


def denial_of(handoff: Handoff) -> Span | None:
    """The denial of a status that would advance, behind its count or below it; None without one."""
    slot = handoff.status
    if slot is None or slot.value is None or slot.problem is not None:
        return None
    counted = slot.field.kind.has_pattern and any(isinstance(child.data, int) for child in slot.children.values())
    denial = _behind_count(handoff, slot) if counted else None
    if denial is None and slot.headed and (counted or slot.field.judgement):
        denial = _below(handoff, slot)
    if denial is None:
        return None
    route = next((route for route in handoff.spec.contract.routing if handoff.values.holds(route.when)), None)
    return denial if route is not None and route.action == "advance" else None


def _behind_count(handoff: Handoff, slot: Slot) -> Span | None:
    """The remark in the clauses behind the numbers of a status that counts."""
    counts = [child.value.end for child in slot.children.values() if child.value and isinstance(child.data, int)]
    if slot.value is None or not counts:
        return None
    text = handoff.source.slice(Span(max(counts), slot.value.end))
    clause = _CLAUSE.search(text)
    remark = remark_in(text, clause.start()) if clause is not None else None
    if remark is None:
        return None
    said = text[slice(*remark)]
    if not denies(_LATER.sub("", said)) or _SETTLED.search(said):
        return None
    return Span(max(counts) + remark[0], max(counts) + remark[1])


def _below(handoff: Handoff, slot: Slot) -> Span | None:
    """The last line of a status's section, without the sections in it, if it only denies the status."""
    if slot.value is None or slot.span is None:
        return None
    start = slot.value.end
    text = handoff.source.slice(Span(start, slot.span.end))
    below, heading = text.find("\n") + 1, _HEADING.search(text)
    line = _LAST_LINE.search(text, below or len(text), heading.start() if heading is not None else len(text))
    if line is None or (line["contrast"] and not denies(line["contrast"].rstrip(" *_"))):
        return None
    first, last = line.span("contrast" if line["contrast"] else "order")
    return Span(start + first, start + last)
