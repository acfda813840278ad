"""The words of a document's handoffs by what they mean: keys, values, what a status makes the orchestrator do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import is_placeholder
from handoff_lsp.contracts.model import Field, RouteAction
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.decide.routing import routing_of
from handoff_lsp.decide.value_effects import status_actions
from handoff_lsp.engine import Analysis
from handoff_lsp.features.outline.data_tokens import data_tokens
from handoff_lsp.features.outline.semantic_token import Modifier, Token, in_order
from handoff_lsp.names.mentions import IN_PATH, mentions_of
from handoff_lsp.names.paths import named_paths
from handoff_lsp.text import Span

_BETWEEN = re.compile(r"\{[^{}\r\n]+\}|<[^<>\r\n]+>")


def tokens(analysis: Analysis) -> list[Token]:
    """The tokens of a document in order, none overlapping another, each on one line."""
    return in_order((token for handoff in analysis.handoffs for token in _of_handoff(handoff)), analysis.source)


def _of_handoff(handoff: Handoff) -> Iterator[Token]:
    """What stands in a handoff. Of two tokens with the same span the later one counts."""
    yield from _tag(handoff)
    yield from data_tokens(handoff)
    if handoff.body.prose or handoff.body.flat:
        yield from (Token(path.span, "string") for path in named_paths(handoff))
        yield from _unfilled(handoff) if handoff.mode == "template" else ()
    yield from (Token(mention.span, "class") for mention in mentions_of([handoff]) if mention.rank < IN_PATH)
    actions = _actions(handoff)
    for slot in handoff.slots:
        if slot.parent is None:
            continue
        yield from _key(handoff, slot)
        yield from _value(handoff, slot, actions)


def _tag(handoff: Handoff) -> Iterator[Token]:
    """The word with which a fence says that it is a handoff."""
    fence = handoff.own_fence
    if fence is not None and fence.info:
        start = fence.info_span.start
        yield Token(Span(start, start + len(fence.info.split()[0])), "type")


def _key(handoff: Handoff, slot: Slot) -> Iterator[Token]:
    """The heading, label or key of a field; what JSON has for keys is told with the rest of it."""
    if slot.key is None or not slot.written or slot.carrier in {None, "title", "json", "log"}:
        return
    start, end = slot.key
    if slot.carrier == "heading-inline" and slot.value is not None:
        end = start + len(handoff.source.text[start : slot.value.start].rstrip(" \t:：—–-*_`"))
    yield Token(Span(start, end), "property", _deprecated(slot.field.deprecated))


def _value(handoff: Handoff, slot: Slot, actions: Callable[[Slot, object], RouteAction | None]) -> Iterator[Token]:
    """The value of a field where it is a word with a meaning; prose stays prose, and a wrong value is left alone."""
    if slot.problem is not None:
        if slot.problem.kind == "placeholder":
            yield from _placeholder(handoff, slot, slot.problem.span, actions)
        return
    span, field = slot.value, slot.field
    if span is None or not slot.present:
        return
    parent = slot.parent
    if parent is not None and parent.field.type == "rows" and slot.path.endswith("]"):
        if slot.key == slot.value and span != slot.span:
            yield from _member(parent.field, slot.data, span, None)
    elif parent is not None and parent.field.type == "pattern":
        if isinstance(slot.data, int):
            yield Token(span, "number")
    elif field.values:
        yield from _member(field, slot.data, _unquoted(handoff, span), actions(slot, slot.data))
    elif field.kind.token is not None and not handoff.body.quoted and slot.data is not None:
        yield Token(span, field.kind.token)


def _member(field: Field, data: object, span: Span, action: RouteAction | None) -> Iterator[Token]:
    value = next((value for value in field.values if value.value == data), None)
    if value is not None:
        action_of_it: tuple[Modifier, ...] = (action,) if action is not None else ()
        yield Token(span, "enumMember", (*_deprecated(value.deprecated), *action_of_it))


def _placeholder(
    handoff: Handoff, slot: Slot, span: Span, actions: Callable[[Slot, object], RouteAction | None]
) -> Iterator[Token]:
    """What is to be filled in; where it lists the values to choose from, each of these."""
    words = list(_words(slot.field).finditer(handoff.source.text, *span)) if slot.field.values else []
    for word in words:
        yield from _member(slot.field, word[0], Span(*word.span()), actions(slot, word[0]))
    if not words:
        yield Token(span, "macro")


@once_per_field
def _words(field: Field) -> re.Pattern[str]:
    """What finds the values of a field in a text, the longer ones first."""
    values = sorted((value.value for value in field.values), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, values))})(?![\w-])")


def _unfilled(handoff: Handoff) -> Iterator[Token]:
    """What is to be filled in somewhere in a template: in its title, in the middle of its prose."""
    for found in _BETWEEN.finditer(handoff.source.text, *handoff.span):
        if is_placeholder(found[0]):
            yield Token(Span(*found.span()), "macro")


def _unquoted(handoff: Handoff, span: Span) -> Span:
    """A value without its quotes: in JSON they belong to the text around the word."""
    text = handoff.source.text
    quoted = span.end - span.start > 2 and text[span.start] in "\"'" and text[span.end - 1] == text[span.start]
    return Span(span.start + 1, span.end - 1) if quoted else span


def _actions(handoff: Handoff) -> Callable[[Slot, object], RouteAction | None]:
    """What a value of the status makes the orchestrator do: that of this handoff now, any other by itself."""
    known = status_actions(handoff.spec)
    routing = routing_of(handoff)
    status = handoff.status
    # In a list of statuses, such as that of a log, the items have the same values as the status itself.
    same: dict[int, bool] = {}

    def action(slot: Slot, data: object) -> RouteAction | None:
        if slot is status and slot.problem is None and routing is not None:
            return routing.action
        if id(slot.field) not in same:
            same[id(slot.field)] = status is not None and slot.field.values == status.field.values
        return known.get(str(data)) if same[id(slot.field)] else None

    return action


def _deprecated(why: str) -> tuple[Modifier, ...]:
    return ("deprecated",) if why else ()
