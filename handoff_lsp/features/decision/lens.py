"""Code lenses: above each handoff what the orchestrator does with it now, and what makes it do so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import is_nothing
from handoff_lsp.contracts.conditions import split_message
from handoff_lsp.contracts.model import GOES_ON, Action, Route
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.decide.routing import decision, doubts_of, is_disputed, is_made, reads_of, status_of
from handoff_lsp.engine import Analysis
from handoff_lsp.rules.rule import Finding, counted, shown
from handoff_lsp.text import Span
from handoff_lsp.writing.placement import insertion

# A title with more characters pushes what stands beside it out of sight.
MAX_TITLE = 80

_VERBS: dict[Action, str] = {
    "advance": "advances",
    "continue": "continues",
    "retry": "retries",
    "ask": "asks",
    "stop": "stops",
}
# Actions after which another agent reads the handoff; otherwise a human is told what to look at.
_READ_BY_AGENTS: frozenset[Action] = GOES_ON | {"retry"}
_WORD = re.compile(r"[A-Z][a-z-]*\b")
# Where a reason can end early, and what in it must not be cut.
_CLAUSE = re.compile(r"`[^`]*`|[;.,]\s|\s(?:so|though|(?:for )?which|and|but)\s")


class Lens(NamedTuple):
    """A line of text above a place; who clicks on it is taken to ``target``. Spans in code points."""

    span: Span
    title: str
    target: Span


def lenses(analysis: Analysis, findings: Sequence[Finding]) -> list[Lens]:
    """The lenses of a document, in the order of its handoffs. ``findings`` are those that are shown now."""
    return [lens for block in analysis.blocks for lens in _of(block, findings)]


def _of(block: Block, findings: Sequence[Finding]) -> Iterator[Lens]:
    at = _above(block)
    if block.mode == "template":
        status = block.status
        if status is not None:
            yield Lens(at, f"template of {block.spec.name}", spot(block, status))
        return
    route = decision(block)
    if route is None:
        return
    errors = [item for item in findings if item.block is block and item.severity == "error"]
    target = cause(block, route, errors)
    yield Lens(at, title_of(block, route), target)
    is_one = route.action not in GOES_ON and [item.span for item in errors] == [target]
    if errors and not is_one and (is_disputed(block) or not doubts_of(block, route)):
        yield Lens(at, counted(len(errors), "error"), errors[0].span)


def _above(block: Block) -> Span:
    """The place above which a block's lenses stand, on one line."""
    lines = block.source.lines
    return lines.first_line_of(block.span if block.form == "file" else block.home())


# What a lens says


def brief_of(block: Block, route: Route) -> str:
    """Why a route is taken, in a few words."""
    return _filled(block, route.brief) or _beginning(route.reason.rstrip("."))


def title_of(block: Block, route: Route) -> str:
    """What is done and why, in a few words."""
    brief = _filled(block, route.brief)
    title = _joined(block.spec, route.action, brief) if brief else _told(block.spec, route)
    if route.action in _READ_BY_AGENTS and status_of(block) is not None and not is_made(block, route):
        reads = f" · reads {', '.join(reads_of(block, route))}"
        if len(title) + len(reads) <= MAX_TITLE:
            return title + reads
    return shown(title, MAX_TITLE)


def _filled(block: Block, brief: str) -> str:
    """A message with its values; empty where one of them has none, or a word for nothing."""
    values = (block.values.evaluate(part) for literal, part in split_message(brief) if not literal)
    if any(value is None or (isinstance(value, str) and is_nothing(value, block.spec.empty_words)) for value in values):
        return ""
    return shown(block.values.fill(brief), MAX_TITLE)


def _told(spec: Spec, route: Route) -> str:
    """A route's reason, or as much of its beginning as there is room for."""
    return _beginning(_joined(spec, route.action, route.reason.rstrip(".")))


def _beginning(whole: str) -> str:
    """A sentence, or as many of its clauses as there is room for."""
    ends = [len(whole), *(match.start() for match in _CLAUSE.finditer(whole) if not match[0].startswith("`"))]
    parts = [whole[:end].replace("`", "") for end in ends]
    return max((part for part in parts if len(part) <= MAX_TITLE), key=len, default=parts[0])


def _joined(spec: Spec, action: Action, reason: str) -> str:
    """``stops: the failure is …``; no verb twice, and the names of fields as they are written."""
    verb = _VERBS[action]
    first = _WORD.match(reason)
    titles = (field.title for field in spec.fields.values())
    if first is not None and not any(title and reason.startswith(title) for title in titles):
        reason = reason[:1].lower() + reason[1:]
    return reason if reason.split(" ", 1)[0] == verb else f"{verb}: {reason}"


# Where a lens leads


def cause(block: Block, route: Route, errors: Sequence[Finding]) -> Span:
    """The place that makes the orchestrator take a route: a value, a section, or where something is missing."""
    status = block.status
    doubts = doubts_of(block, route)
    if doubts and not is_disputed(block):
        return block.source.lines.first_line_of(doubts[0].span)
    if status is not None and (status_of(block) is None or is_made(block, route)):
        return spot(block, status)
    spoken_of = list(_asked(block, route.when))
    asked = [slot for slot in spoken_of if slot.present]
    if route.action in GOES_ON and asked:  # what stands behind the status in such a condition is mostly what is not so
        return spot(block, status if status in asked else asked[0])
    missing = [slot for slot in spoken_of if not slot.present and any(item.slot is slot for item in errors)]
    if missing:
        return spot(block, missing[0])
    if not asked:
        return spot(block, status) if status is not None else block.home()
    # The last one decides among handoffs of the same status. What it counts tells more than the count.
    read = [slot for path in route.reads for slot in block.root.find(path) if slot.present]
    return spot(block, next((slot for slot in read if slot.name == asked[-1].name), asked[-1]))


def _asked(block: Block, condition: str) -> Iterator[Slot]:
    """The slots that a condition speaks of, by their own names or in a term."""
    for path in block.spec.paths_in(condition):
        slot = block.root.down(path)
        if slot is not block.root:
            yield slot


def spot(block: Block, slot: Slot) -> Span:
    """The place of a slot on one line: its value, its heading or key where that is long, or where it would go."""
    if slot.problem is not None:
        return block.source.lines.first_line_of(slot.problem.span)
    if slot.written:
        value = slot.value
        if value is not None and value.end > value.start and not _is_long(block, value):
            return value
        return block.source.lines.first_line_of(slot.anchor())
    edits = insertion(block, [slot])
    return Span(edits[0].span.start, edits[0].span.start) if edits else slot.anchor()


def _is_long(block: Block, span: Span) -> bool:
    return block.source.lines.line_of(span.start) != block.source.lines.line_of(span.end)
