"""Completion in a JSON handoff, even a broken one: keys with skeletons of their values, and values."""

from __future__ import annotations

import json
from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.model import Field
from handoff_lsp.features.completion.fence import whole
from handoff_lsp.features.completion.item import CompletionItem, first_sentence
from handoff_lsp.features.completion.json.place import InsertionPoint, field_at, name_of, place_at
from handoff_lsp.features.completion.json.values import values
from handoff_lsp.features.completion.offers import correct
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.contract_pages import contract_key, field_key
from handoff_lsp.rules.shared.vocabulary import is_out_of_place
from handoff_lsp.syntax.json.parse import JsonLocation, JsonNode, locate
from handoff_lsp.text import line_indent, own_indent
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.json_placement import flat, layout, member, value_to_fill_in
from handoff_lsp.writing.skeleton import Skeleton, Stops, around, json_object

_BREAK = lazy_pattern(r"[\r\n]")


def is_inside(handoff: Handoff, offset: int) -> bool:
    """Whether ``offset`` (code points of the document) is in a handoff's JSON: a fence's body, or the whole file."""
    node = handoff.node
    if node is None or not handoff.body.quoted:
        return handoff.body.quoted  # a whole file, or no JSON
    if offset <= node.opening.end:
        return False
    lines = handoff.source.lines
    return node.closing is None or offset < lines.line_start(lines.line_of(node.closing.start))


def items(handoff: Handoff, offset: int, context: Context) -> list[CompletionItem]:
    """The items for ``offset``, which is in the handoff's JSON."""
    body = handoff.json
    if body is None or body.is_yaml:
        return []
    fragment = body.fragment
    inner = fragment.inner(offset)
    ends_piece = inner > 0 and fragment.text[inner - 1] not in "\r\n" and fragment.outer(inner - 1) + 1 == offset
    if fragment.outer(inner) != offset and not ends_piece:
        return []  # in the markup of the list or quote around the fence
    if body.tree.root is None:
        return [_whole(place_at(handoff, body, inner, None))]
    at = locate(body.tree, inner)
    if at.container is None or at.role == "none":
        return []
    place = place_at(handoff, body, inner, at)
    if at.role == "key":
        return list(_keys(place, at, at.container, context))
    if at.node is not None and at.node.kind in {"object", "array"}:
        return []
    return list(values(place, at, at.container, context))


def _whole(place: InsertionPoint) -> CompletionItem:
    spec = place.handoff.spec
    title, fields = whole(spec)
    made = json_object(fields, Stops(), line_indent(place.text, place.start))
    return CompletionItem(
        title, "block", place.edit(made), spec.contract.title, key=contract_key(spec.name), preselect=True
    )


def _keys(place: InsertionPoint, at: JsonLocation, container: JsonNode, context: Context) -> Iterator[CompletionItem]:
    found = field_at(place.handoff.spec, at.path)
    if found is None:
        return
    path, parent, _ = found
    others = [item for item in container.members if item is not at.member and not item.keyless]
    there = {name_of(parent, str(item.key.value)) for item in others}
    bare = at.member is not None and at.node is not None and at.member.colon is not None
    # On the line of the bracket, or after another member, everything stays on that line.
    one_line = not _BREAK.search(place.text, container.start, place.start)
    indent = None if one_line else own_indent(place.text, place.start)
    step = layout(place.text, container).step
    if not place.fits('""' if bare else f'"": null{place.comma}'):
        return
    for name, field in parent.fields.items():
        if name in there:
            continue
        title = field.title
        child = f"{path}.{name}" if path else name
        if is_out_of_place(place.handoff, child, context.registry):
            continue
        if bare:
            key = json.dumps(title, ensure_ascii=False)
            made = Skeleton(key, key)
        else:
            made = member(title, _value_of(place, child, field, indent or "", step))
            made = flat(made) if indent is None else made
            made = Skeleton(made.plain + place.comma, made.snippet + place.comma)
        needed = place.handoff.values.holds(field.required)
        yield CompletionItem(
            title,
            "field",
            place.edit(made),
            f"required · {first_sentence(field.about)}" if needed else first_sentence(field.about),
            key=field_key(place.handoff.spec, child),
            preselect=needed,
            filter=json.dumps(title, ensure_ascii=False) if place.quoted else None,
            more=place.more(),
        )


def _value_of(place: InsertionPoint, path: str, field: Field, indent: str, step: str) -> Skeleton:
    """The value for a new key: the one that the handoff's other values determine, else a placeholder."""
    right = correct(place.handoff, path)
    stops = Stops()
    if right is None:
        return value_to_fill_in(place.handoff, path, field, stops, indent, step)
    text = json.dumps(right, ensure_ascii=False)
    return around('"', stops.value(text[1:-1]), '"') if isinstance(right, str) else stops.value(text)
