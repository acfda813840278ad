"""The words of JSON and of logs. What the contract knows of their values is told elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from handoff_lsp.binding.bodies.json import JsonBody
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.values import is_placeholder
from handoff_lsp.features.outline.data_symbols import slots_by_key
from handoff_lsp.features.outline.semantic_token import Token, TokenType
from handoff_lsp.syntax.json.parse import JsonKind, JsonNode, descend
from handoff_lsp.syntax.lines.log import Log
from handoff_lsp.text import Span

_TYPES: Mapping[JsonKind, TokenType] = {
    "string": "string",
    "number": "number",
    "boolean": "keyword",
    "null": "keyword",
}
_LONGEST_PLACEHOLDER = 200


def json_tokens(handoff: Handoff, body: JsonBody) -> Iterator[Token]:
    """Keys, plain values and comments."""
    fragment = body.fragment
    if body.is_yaml:
        return
    for defect in body.tree.defects:
        if defect.kind == "comment":
            yield Token(fragment.outer_span(*defect.span), "comment")
    deprecated = {start for start, slot in slots_by_key(handoff).items() if slot.field.deprecated}
    for node, _ in descend(body.tree.root) if body.tree.root is not None else ():
        for member in node.members:
            if not member.keyless:
                key = fragment.outer_span(*member.key.span)
                yield Token(key, "property", ("deprecated",) if key.start in deprecated else ())
        if node.kind in _TYPES:
            yield Token(fragment.outer_span(*node.span), _type_of(node))


def _type_of(node: JsonNode) -> TokenType:
    if node.kind == "string" and node.end - node.start < _LONGEST_PLACEHOLDER and is_placeholder(str(node.value)):
        return "macro"
    return _TYPES[node.kind]


def log_tokens(handoff: Handoff, log: Log) -> Iterator[Token]:
    """Times and tags. Those tags that the contract does not name are told apart from those that it does."""
    for entry in log.entries:
        yield Token(entry.time, "number")
        yield Token(Span(entry.tag.start, entry.tag.end), "decorator")
