"""Inserting missing JSON members: place, layout and edits."""

from __future__ import annotations

import json
from dataclasses import replace

from handoff_lsp.binding.bodies.json import key_of
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Field
from handoff_lsp.syntax.json.parse import JsonNode
from handoff_lsp.text import Edit, Fragment, Span, line_indent, line_start, own_indent
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.writing.skeleton import Skeleton, Stops, around, escape_snippet, joined, json_value, placeholder
from handoff_lsp.writing.unclaimed import to_fill_in

_BREAK = lazy_pattern(r"[\r\n]")
_FOLD = lazy_pattern(r"(,?)\n\s*")


def member_edits(handoff: Handoff, parent: Slot, slots: list[Slot], stops: Stops) -> list[Edit]:
    """The edits that insert members into an object, one for each place; empty if there is no object."""
    node, fragment = handoff.body.node(parent), handoff.body.fragment
    if node is None or fragment is None or node.kind != "object":
        return []
    text = fragment.text
    # The skeletons by the inner offset of their place.
    runs: dict[int, list[Skeleton]] = {}
    indents: dict[int, str | None] = {}
    for slot in slots:
        offset = _place_after(parent, slot, node)
        if offset not in indents:
            indents[offset] = own_indent(text, _start_at(node, offset)) if node.members else layout(text, node).inner
        value = wanted_value(handoff, slot, stops, indents[offset] or "", layout(text, node).step)
        skeleton = member(slot.title, value)
        runs.setdefault(offset, []).append(flat(skeleton) if indents[offset] is None else skeleton)
    edits = []
    for at, parts in runs.items():
        glue = " " if indents[at] is None else f"\n{indents[at]}"
        body = joined(parts, f",{glue}")
        span = Span(at, at)
        if not node.members:
            span, made = _into_empty(text, node, body, indents[at])
        elif at == node.members[0].start:
            made = around("", body, f",{glue}")
        else:
            made = around(f",{glue}", body, "")
        edits.append(outer_edit(handoff.source.text, fragment, span, made))
    return edits


def wanted_value(handoff: Handoff, slot: Slot, stops: Stops, indent: str, step: str) -> Skeleton:
    """A value with placeholders for a field; never one that counts as absent while the field is required."""
    return value_to_fill_in(handoff, slot.path, slot.field, stops, indent, step)


def value_to_fill_in(handoff: Handoff, path: str, field: Field, stops: Stops, indent: str, step: str) -> Skeleton:
    """A value with placeholders for the field at a path."""
    if _is_absent(field) and handoff.values.holds(field.required):
        field = replace(field, fillable="")
    field = to_fill_in(handoff, path, field)
    if field.kind.holds_items and field.fillable in {"", "[]"}:
        if handoff.values.holds(field.filled):
            field = replace(field, fillable=json.dumps([placeholder(field.title)], ensure_ascii=False))
    return json_value(path.rpartition(".")[2], field, stops, indent, step)


def _is_absent(field: Field) -> bool:
    """Whether the value that a contract proposes for a field counts as absent."""
    try:
        value = json.loads(field.fillable)
    except ValueError:
        return False
    return any(type(value) is type(one) and value == one for one in field.absent_when)


def _place_after(parent: Slot, slot: Slot, node: JsonNode) -> int:
    """The end of the member before the new one; else the beginning of the first, or the offset after the bracket."""
    names = list(parent.children)
    for name in reversed(names[: names.index(slot.name)]):
        earlier = node.member(key_of(parent.children[name], node))
        if earlier is not None:
            return earlier.end
    return node.members[0].start if node.members else node.start + 1


def _start_at(node: JsonNode, at: int) -> int:
    return next((item.start for item in node.members if at in (item.start, item.end)), at)


def member(title: str, value: Skeleton) -> Skeleton:
    """A key with a skeleton of its value."""
    key = json.dumps(title, ensure_ascii=False)
    return Skeleton(f"{key}: {value.plain}", f"{escape_snippet(key)}: {value.snippet}")


def flat(made: Skeleton) -> Skeleton:
    """A JSON skeleton on one line."""
    plain, snippet = (_FOLD.sub(lambda found: ", " if found[1] else "", part) for part in made)
    return Skeleton(plain, snippet)


def _into_empty(text: str, node: JsonNode, body: Skeleton, indent: str | None) -> tuple[Span, Skeleton]:
    inside = text[node.start + 1 : node.end - 1] if node.closed else text[node.start + 1 : node.end]
    if indent is None:
        return Span(node.start + 1, node.start + 1 + len(inside)), body
    if inside.strip():  # a comment, which stays
        return Span(node.start + 1, node.start + 1), around(f"\n{indent}", body, "")
    return Span(node.start + 1, node.start + 1 + len(inside)), around(
        f"\n{indent}", body, f"\n{line_indent(text, node.start)}"
    )


def outer_edit(outer_text: str, fragment: Fragment, span: Span, made: Skeleton) -> Edit:
    """An edit of the document for an edit of a fence's body; new lines get the marks of the list or quote around it."""
    prefix = line_prefix(outer_text, fragment, span.start)
    at_line_start = span.start == 0 or fragment.text[span.start - 1] in "\r\n"
    start = fragment.outer(span.start) if at_line_start else fragment.outer(span.start - 1) + 1
    end = fragment.outer_span(span.start, span.end).end if span.end > span.start else start
    snippet = made.snippet.replace("\n", f"\n{escape_snippet(prefix)}")
    return Edit(Span(start, end), made.plain.replace("\n", f"\n{prefix}"), snippet)


def line_prefix(outer_text: str, fragment: Fragment, offset: int) -> str:
    """The text of a document's line before the fence body's line at an inner offset."""
    start = fragment.outer(line_start(fragment.text, offset))
    return outer_text[line_start(outer_text, start) : start]


class ObjectLayout(NamedTuple):
    """The layout of an object: the indent of its members (None: on one line with it) and one step of indent."""

    inner: str | None
    step: str


def layout(text: str, node: JsonNode) -> ObjectLayout:
    """The layout of an object or array, or its future layout while it is empty. Offsets are those of ``text``."""
    step = _step(text, node)
    first = _first_child(node)
    if first is not None:
        inner = own_indent(text, first)
        return ObjectLayout(inner, step)
    parent = node.parent
    sibling = _first_child(parent) if parent is not None else None
    inside = text[node.start + 1 : node.end - 1]
    if sibling is not None and not _BREAK.search(inside) and own_indent(text, sibling) is None:
        return ObjectLayout(None, step)
    return ObjectLayout(line_indent(text, node.start) + step, step)


def _step(text: str, node: JsonNode) -> str:
    """One step of indent, by the nearest container on several lines; two blanks without one."""
    container: JsonNode | None = node
    while container is not None:
        first = _first_child(container)
        inner = own_indent(text, first) if first is not None else None
        outer = line_indent(text, container.start)
        if inner is not None and len(inner) > len(outer) and inner.startswith(outer):
            return inner[len(outer) :]
        container = container.parent
    return "  "


def _first_child(node: JsonNode) -> int | None:
    if node.members:
        return node.members[0].start
    return node.items[0].start if node.items else None
