"""Completion in a block of JSON, broken or not: keys with skeletons of their values, and values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.placement_json import flat, layout, member, outer_edit
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.skeleton import Skeleton, Stops, escape_snippet, json_object, json_value
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.engine import Analysis
from handoff_lsp.features.completion_fence import whole
from handoff_lsp.features.completion_item import CompletionItem, first_sentence, make_edit
from handoff_lsp.features.pages import contract_key, field_key
from handoff_lsp.syntax.json import JsonLocation, JsonNode, JsonPath, locate
from handoff_lsp.text import Edit, Fragment, Span, line_indent, own_indent

_AFTER_TOKEN = re.compile(r"[ \t]*(?:[,:}\]\r\n]|\Z)")
_BREAK = re.compile(r"[\r\n]")
_WORD = re.compile(r"[\w-]*")
_NEXT = re.compile(r"\s*(\S?)")


class _Place(NamedTuple):
    """Where something goes in a block: what is replaced, in offsets of the fence's body, and what follows it."""

    block: Block
    fragment: Fragment
    start: int
    end: int
    comma: str

    @property
    def text(self) -> str:
        return self.fragment.text

    @property
    def quoted(self) -> bool:
        """Whether a quote is typed already."""
        return self.text[self.start : self.start + 1] == '"' and self.end > self.start


def is_inside(block: Block, offset: int) -> bool:
    """Whether ``offset`` (code points of the document) is in the JSON of a block: a fence's body, or the whole file."""
    node = block.node
    if block.json is not None and block.form == "file":
        return True
    if node is None or block.json is None or offset <= node.opening.end:
        return False
    lines = block.source.lines
    return node.closing is None or offset < lines.starts[lines.line_of(node.closing.start)]


def items(analysis: Analysis, block: Block, offset: int) -> list[CompletionItem]:
    """What fits at ``offset``, which is in the body of the block's fence."""
    body = block.json
    if body is None or body.is_yaml:
        return []
    fragment = body.fragment
    inner = fragment.inner(offset)
    ends_piece = inner > 0 and fragment.text[inner - 1] not in "\r\n" and fragment.outer(inner - 1) + 1 == offset
    if fragment.outer(inner) != offset and not ends_piece:
        return []  # in the marks of the list or quote that the fence stands in
    if body.tree.root is None:
        return [_whole(_place(block, fragment, inner, None))]
    at = locate(body.tree, inner)
    if at.role == "key" and at.container is not None:
        return list(_keys(_place(block, fragment, inner, at.node), at, at.container))
    if at.role == "value" and at.container is not None:
        if at.node is not None and at.node.kind in {"object", "array"}:
            return []
        return list(_values(_place(block, fragment, inner, at.node), at, at.container))
    return []


def _place(block: Block, fragment: Fragment, inner: int, node: JsonNode | None) -> _Place:
    start, end = _token(fragment.text, node, inner)
    following = _NEXT.match(fragment.text, end)
    comma = "" if following is None or following[1] in {"", ",", "}", "]", ":"} else ","
    return _Place(block, fragment, start, end, comma)


def _token(text: str, node: JsonNode | None, inner: int) -> tuple[int, int]:
    """What is replaced: the token at the cursor; of a string that is not closed only the word that is typed."""
    if node is None:
        return inner, inner
    word = _WORD.match(text, inner)
    end = word.end() if word else inner
    if node.closed and _AFTER_TOKEN.match(text, node.end) and not _BREAK.search(text, node.start, node.end):
        end = node.end
    return node.start, end


def _edit(place: _Place, made: Skeleton) -> Edit:
    """The edit in the document."""
    edit = outer_edit(place.block.source.text, place.fragment, Span(place.start, place.end), made)
    return make_edit(place.block.source.text, edit.span, Skeleton(edit.text, edit.snippet or ""))


def _whole(place: _Place) -> CompletionItem:
    spec = place.block.spec
    title, fields = whole(spec.contract)
    made = json_object(fields, Stops(), line_indent(place.text, place.start))
    return CompletionItem(
        title, "block", _edit(place, made), spec.contract.title, key=contract_key(spec.name), preselect=True
    )


def _field_at(spec: Spec, path: JsonPath) -> tuple[str, Field] | None:
    """The dotted path of what stands at a path of keys and indexes, and its field."""
    dotted, field = "", Field(type="object", fields=spec.fields)
    for part in path:
        if isinstance(part, int):
            if field.items is None:
                return None
            dotted, field = f"{dotted}[]", field.items
            continue
        name = _name_of(field, part)
        if name is None:
            return None
        dotted, field = f"{dotted}.{name}" if dotted else name, field.fields[name]
    return dotted, field


def _name_of(field: Field, key: str) -> str | None:
    return next((name for name, child in field.fields.items() if key in (child.title, *child.aliases)), None)


# ── keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _keys(place: _Place, at: JsonLocation, container: JsonNode) -> Iterator[CompletionItem]:
    found = _field_at(place.block.spec, at.path)
    if found is None:
        return
    path, parent = found
    others = [item for item in container.members if item is not at.member and not item.keyless]
    there = {_name_of(parent, str(item.key.value)) for item in others}
    bare = at.member is not None and at.node is not None and at.member.colon is not None
    # On the line of the bracket, or behind another member, all stays on that line.
    one_line = not _BREAK.search(place.text, container.start, place.start)
    indent = None if one_line else own_indent(place.text, place.start)
    step = layout(place.text, container).step
    for name, field in parent.fields.items():
        if name in there:
            continue
        title = field.title
        child = f"{path}.{name}" if path else name
        if bare:
            key = json.dumps(title, ensure_ascii=False)
            made = Skeleton(key, key)
        else:
            made = member(title, _value_of(place, child, name, field, indent or "", step))
            made = flat(made) if indent is None else made
            made = Skeleton(made.plain + place.comma, made.snippet + place.comma)
        needed = place.block.values.holds(field.required)
        yield CompletionItem(
            title,
            "field",
            _edit(place, made),
            f"required · {first_sentence(field.about)}" if needed else first_sentence(field.about),
            key=field_key(place.block.spec, child),
            preselect=needed,
            filter=json.dumps(title, ensure_ascii=False) if place.quoted else None,
        )


def _value_of(place: _Place, path: str, name: str, field: Field, indent: str, step: str) -> Skeleton:
    """A value for a new key: the right one where the other values tell it, else something to fill in."""
    right = correct(place.block, path)
    stops = Stops()
    if right is None:
        return json_value(name, field, stops, indent, step)
    text = json.dumps(right, ensure_ascii=False)
    if isinstance(right, str):
        return Skeleton(text, f'"{stops.text(right)}"')
    return Skeleton(text, stops.text(text))


def correct(block: Block, path: str) -> Any:
    """The value that a field must have by the contract's checks that apply now; None where none says so."""
    for check in block.spec.contract.checks.values():
        if check.at == path and check.correct and (not check.when or block.values.holds(check.when)):
            right = block.values.evaluate(check.correct)
            if right is not None:
                return right
    return None


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _values(place: _Place, at: JsonLocation, container: JsonNode) -> Iterator[CompletionItem]:
    found = _field_at(place.block.spec, at.path)
    if found is None:
        return
    path, field = found
    spec = place.block.spec
    right = correct(place.block, path)
    told = {json.dumps(value.value, ensure_ascii=False) for value in field.values}
    if right is not None and json.dumps(right, ensure_ascii=False) not in told:
        text = json.dumps(right, ensure_ascii=False)
        yield _value(
            place,
            text,
            Skeleton(text, escape_snippet(text)),
            "What the other values ask for",
            field_key(spec, path),
            True,
        )
    for value in field.values:
        text = json.dumps(value.value, ensure_ascii=False)
        detail = value.then or value.about
        made = Skeleton(text, escape_snippet(text))
        yield _value(place, value.value, made, detail, field_key(spec, path, value.value), right == value.value)
    if not field.values and right is None:
        for label, made in _skeletons(place, container, field, path):
            yield _value(place, label, made, first_sentence(field.about), field_key(spec, path), False)


def _skeletons(place: _Place, container: JsonNode, field: Field, path: str) -> Iterator[tuple[str, Skeleton]]:
    """What stands for a value by the field's type, and what it is called."""
    indent, step = line_indent(place.text, place.start), layout(place.text, container).step
    one_line = layout(place.text, container).inner is None
    name = path.rsplit(".", 1)[-1].removesuffix("[]")
    if field.type == "boolean":
        yield from ((word, Skeleton(word, word)) for word in ("true", "false"))
        return
    if field.type == "object":
        fields = {key: child for key, child in field.fields.items() if child.required} or field.fields
        made = json_object(fields, Stops(), indent, step)
        yield ("{…}" if fields else "{}"), flat(made) if one_line else made
    if field.type == "object" and field.fillable != "null":
        return
    made = json_value(name, field, Stops(), indent, step)
    if field.type != "any" or field.fillable:
        label = made.plain if len(made.plain) <= 30 and "\n" not in made.plain else '"…"'
        yield label, made


def _value(place: _Place, label: str, made: Skeleton, detail: str, key: str, preselect: bool) -> CompletionItem:
    gap = " " if place.start == place.end and place.text[place.start - 1 : place.start] == ":" else ""
    whole_text = Skeleton(gap + made.plain + place.comma, gap + made.snippet + place.comma)
    kind: Any = "value" if "$" not in made.snippet.replace("\\$", "") else "snippet"
    filter_ = made.plain.split("\n", 1)[0] if place.quoted else label
    return CompletionItem(label, kind, _edit(place, whole_text), detail, key=key, preselect=preselect, filter=filter_)
