"""Fields from a JSON Schema: properties, what is required, types, values, items and descriptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from handoff_lsp.contracts.field_types import FieldType
from handoff_lsp.learn.draft import FieldDraft, field_name
from handoff_lsp.learn.words import words

_TYPES: dict[str, FieldType] = {
    "string": "line",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "array": "list",
    "object": "object",
}
# The limits of the contract language, by their names in a schema, with the types that have them.
_LIMITS: dict[str, tuple[str, frozenset[FieldType]]] = {
    "minimum": ("minimum", frozenset({"integer", "number"})),
    "maximum": ("maximum", frozenset({"integer", "number"})),
    "minItems": ("minimum", frozenset({"list"})),
    "maxItems": ("maximum", frozenset({"list"})),
    "uniqueItems": ("unique", frozenset({"list"})),
    "minLength": ("minimum", frozenset({"line"})),
    "maxLength": ("maximum", frozenset({"line"})),
}
_FORMATS: dict[str, FieldType] = {"date": "date", "uri": "url", "url": "url"}
# What the contract language says only in a check.
_LEFT_OUT = words(
    """
    minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems
    uniqueItems minProperties maxProperties propertyNames patternProperties if not dependentRequired
    """
)
_DEEPEST = 12
_MOST_PARTS = 1_000


def schema_fields(schema: Mapping[str, Any]) -> tuple[dict[str, FieldDraft], bool]:
    """The root fields, and whether no others are allowed."""
    whole = _Schema(schema)
    root = _whole(schema, whole, 0)
    fields = _properties(root, whole, 0)
    if whole.left < 0 and fields:
        next(iter(fields.values())).questions.append(
            f"the schema has more than {_MOST_PARTS:,} parts; the rest is left out"
        )
    return fields, root.get("additionalProperties") is False


class _Schema:
    """A schema with the number of parts that may still be read: those that refer to one another have no end."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.left = _MOST_PARTS

    def spend(self) -> bool:
        """Count one part. False when there were too many."""
        self.left -= 1
        return self.left >= 0


def _properties(node: Mapping[str, Any], root: _Schema, depth: int) -> dict[str, FieldDraft]:
    fields: dict[str, FieldDraft] = {}
    properties = node.get("properties")
    required = node.get("required")
    for key, inner in properties.items() if isinstance(properties, Mapping) and depth < _DEEPEST else ():
        if not root.spend():
            break
        made = _field(str(key), inner, root, depth + 1)
        made.required = isinstance(required, Sequence) and key in required and not _takes_null(inner, root)
        fields[field_name(str(key), fields, as_written=True)] = made
    return fields


def _field(key: str, given: Any, root: _Schema, depth: int) -> FieldDraft:
    made = FieldDraft(key)
    node = _whole(given, root, depth)
    made.about = " ".join(str(node.get("description") or "").split())
    values = [one for one in _values(node) if one is not None]
    kinds = [kind for kind in _kinds(node) if kind != "null"]
    if values and all(isinstance(one, str) for one in values):
        made.type, made.values = "enum", list(dict.fromkeys(values))
    elif len(kinds) == 1:
        made.type = _TYPES.get(kinds[0], "any")
    elif node.get("properties"):
        made.type = "object"
    elif kinds or values or any(node.get(word) for word in ("oneOf", "anyOf")):
        made.questions.append("the schema allows several types here, the contract any value")
    if made.type == "line":
        _form(made, node)
    elif made.type == "object":
        made.fields = _properties(node, root, depth)
        extra = node.get("additionalProperties")
        made.closed = extra is False and bool(made.fields)
        if not made.fields and isinstance(extra, Mapping):
            made.type = "map"
            made.items = _plain_items(extra, root, depth)
    elif made.type == "list" and isinstance(node.get("items"), Mapping) and depth < _DEEPEST:
        made.items = _plain_items(node["items"], root, depth)
    told = {
        word for word, (_, types) in _LIMITS.items() if made.type in types and isinstance(node.get(word), int | float)
    }
    for word in (word for word in _LIMITS if word in told):
        made.limits[_LIMITS[word][0]] = node[word]
    left = sorted((_LEFT_OUT & node.keys()) - told)
    if left:
        made.questions.append(f"the schema also has {', '.join(left)}; a check can say that")
    return made


def _plain_items(node: Any, root: _Schema, depth: int) -> FieldDraft | None:
    item = _field("", node, root, depth + 1)
    return item if item.type != "any" else None


def _form(made: FieldDraft, node: Mapping[str, Any]) -> None:
    form = node.get("format")
    pattern = node.get("pattern")
    if isinstance(form, str) and form in _FORMATS:
        made.type = _FORMATS[form]
    elif form == "date-time":
        made.questions.append("the schema wants a date and time; with `type: timestamp` it must be in UTC with `Z`")
    elif isinstance(pattern, str) and pattern:
        made.type = "pattern"
        made.pattern = pattern if pattern.startswith("^") and pattern.endswith("$") else f"(?s).*(?:{pattern}).*"
        made.pattern = made.pattern[1:-1] if made.pattern.startswith("^") else made.pattern


def _whole(given: Any, root: _Schema, depth: int) -> dict[str, Any]:
    """A schema with what it refers to and the parts of its `allOf` written out."""
    node = dict(given) if isinstance(given, Mapping) else {}
    seen = 0
    while isinstance(node.get("$ref"), str) and seen < _DEEPEST:
        seen += 1
        target = _at(root.data, node.pop("$ref"))
        node = {**target, **node}
    parts = node.get("allOf")
    for part in parts if isinstance(parts, list) and depth < _DEEPEST else ():
        if not root.spend():
            break
        inner = _whole(part, root, depth + 1)
        node["properties"] = {**inner.get("properties", {}), **node.get("properties", {})}
        node["required"] = [*node.get("required", []), *inner.get("required", [])]
        node = {**inner, **node}
    return node


def _at(root: Mapping[str, Any], reference: str) -> Mapping[str, Any]:
    """The part of the schema that a local reference names; empty for any other."""
    if reference == "#":
        return root
    node: Any = root
    for part in reference.removeprefix("#").strip("/").split("/") if reference.startswith("#/") else ("\0",):
        node = node.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(node, Mapping) else None
    return node if isinstance(node, Mapping) else {}


def _kinds(node: Mapping[str, Any]) -> list[str]:
    kind = node.get("type")
    if isinstance(kind, list):
        return [str(one) for one in kind]
    if isinstance(kind, str):
        return [kind]
    inner = [one for one in _choices(node) if isinstance(one, Mapping)]
    return list(dict.fromkeys(str(one["type"]) for one in inner if isinstance(one.get("type"), str)))


def _values(node: Mapping[str, Any]) -> list[Any]:
    if isinstance(node.get("enum"), list):
        return list(node["enum"])
    if "const" in node:
        return [node["const"]]
    choices = list(_choices(node))
    consts = [one["const"] for one in choices if isinstance(one, Mapping) and "const" in one]
    return consts if consts and len(consts) == len(choices) else []


def _choices(node: Mapping[str, Any]) -> Iterator[Any]:
    for word in ("oneOf", "anyOf"):
        if isinstance(node.get(word), list):
            yield from node[word]


def _takes_null(given: Any, root: _Schema) -> bool:
    node = _whole(given, root, 0)
    return "null" in _kinds(node) or None in _values(node)
