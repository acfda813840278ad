"""The tokens of data by syntax alone; `semantic_tokens` adds those of values that the contract declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from handoff_lsp.binding.bodies.part import PartKind, descend
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.values import is_placeholder
from handoff_lsp.features.outline.data_symbols import slots_by_key
from handoff_lsp.features.outline.semantic_token import Token, TokenType

_TYPES: Mapping[PartKind, TokenType] = {
    "string": "string",
    "number": "number",
    "boolean": "keyword",
    "null": "keyword",
    "time": "number",
    "tag": "decorator",
}
_LONGEST_PLACEHOLDER = 200


def data_tokens(handoff: Handoff) -> Iterator[Token]:
    """The tokens of JSON keys and plain values, of a log's times and tags, and of comments."""
    if handoff.body.is_yaml:
        return
    yield from (Token(span, "comment") for span in handoff.body.comments)
    deprecated = {start for start, slot in slots_by_key(handoff).items() if slot.field.deprecated}
    for part in descend(handoff.body.parts):
        key = part.key if part.typed else None
        if key is not None and key.end > key.start:
            yield Token(key, "property", ("deprecated",) if key.start in deprecated else ())
        value = part.value if part.kind in _TYPES else None
        if value is not None:
            short = part.kind == "string" and value.end - value.start < _LONGEST_PLACEHOLDER
            unfilled = short and is_placeholder(part.text)
            yield Token(value, "macro" if unfilled else _TYPES[part.kind])
