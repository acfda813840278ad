"""The semantic tokens of a document's handoffs: keys, values, and the action that a status leads to."""

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
from handoff_lsp.text.lazy import lazy_pattern

_BETWEEN = lazy_pattern(r"\{[^{}\r\n]+\}|<[^<>\r\n]+>")


def tokens(analysis: Analysis) -> list[Token]:
    """The tokens of a document in order, without overlaps, each on one line."""
    return in_order((token for handoff in analysis.handoffs for token in _of_handoff(handoff)), analysis.source)


def _of_handoff(handoff: Handoff) -> Iterator[Token]:
    """The tokens of a handoff. Of two with the same span the later one counts."""
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
    """The token of the handoff's fence tag."""
    fence = handoff.own_fence
    if fence is not None and fence.info:
        start = fence.info_span.start
        yield Token(Span(start, start + len(fence.info.split()[0])), "type")


def _key(handoff: Handoff, slot: Slot) -> Iterator[Token]:
    """The token of a field's heading, label or key; `data_tokens` covers the keys of JSON."""
    if slot.key is None or not slot.written or slot.carrier in {None, "title", "json", "log"}:
        return
    start, end = slot.key
    if slot.carrier == "heading-inline" and slot.value is not None:
        end = start + len(handoff.source.text[start : slot.value.start].rstrip(" \t:：—–-*_`"))
    yield Token(Span(start, end), "property", _deprecated(slot.field.deprecated))


def _value(handoff: Handoff, slot: Slot, actions: Callable[[Slot, object], RouteAction | None]) -> Iterator[Token]:
    """The tokens of a field's value; prose and wrong values have none, except placeholders."""
    if slot.problem is not None:
        if slot.problem.kind == "placeholder":
            yield from _placeholder(handoff, slot, slot.problem.span, actions)
        return
    span, field = slot.value, slot.field
    if span is None or not slot.present:
        return
    rows = slot.row_of
    if rows is not None:
        if slot.key == slot.value and span != slot.span:
            yield from _member(rows.field, slot.data, span, None)
    elif slot.is_group:
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
    """The tokens of a placeholder: each value that it lists to choose from, else all of it."""
    words = list(_words(slot.field).finditer(handoff.source.text, *span)) if slot.field.values else []
    for word in words:
        yield from _member(slot.field, word[0], Span(*word.span()), actions(slot, word[0]))
    if not words:
        yield Token(span, "macro")


@once_per_field
def _words(field: Field) -> re.Pattern[str]:
    """A pattern for the values of a field in a text, longer ones first."""
    values = sorted((value.value for value in field.values), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, values))})(?![\w-])")


def _unfilled(handoff: Handoff) -> Iterator[Token]:
    """The tokens of placeholders anywhere in a template, such as in its title or amid its prose."""
    for match in _BETWEEN.finditer(handoff.source.text, *handoff.span):
        if is_placeholder(match[0]):
            yield Token(Span(*match.span()), "macro")


def _unquoted(handoff: Handoff, span: Span) -> Span:
    """The span of a value without its quotes, which belong to the text around the word."""
    text = handoff.source.text
    quoted = span.end - span.start > 2 and text[span.start] in "\"'" and text[span.end - 1] == text[span.start]
    return Span(span.start + 1, span.end - 1) if quoted else span


def _actions(handoff: Handoff) -> Callable[[Slot, object], RouteAction | None]:
    """A function from a field and its value to the orchestrator's action; None for any but a status.

    For the handoff's own status it is the current decision, for other values the action that the value alone leads to.
    """
    by_value = status_actions(handoff.spec)
    routing = routing_of(handoff)
    status = handoff.status
    # The items in a list of statuses, such as a log's, have the same values as the status itself.
    same: dict[int, bool] = {}

    def action(slot: Slot, data: object) -> RouteAction | None:
        if slot is status and slot.problem is None and routing is not None:
            return routing.action
        if id(slot.field) not in same:
            same[id(slot.field)] = status is not None and slot.field.values == status.field.values
        return by_value.get(str(data)) if same[id(slot.field)] else None

    return action


def _deprecated(why: str) -> tuple[Modifier, ...]:
    return ("deprecated",) if why else ()
