"""Fields from a JSON Schema: properties, what is required, types, values, items and descriptions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from handoff_lsp.contracts.field_types import FieldType
from handoff_lsp.contracts.patterns import PatternError, check_pattern
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
    "minLength": ("minimum", frozenset({"line", "pattern", "date", "url"})),
    "maxLength": ("maximum", frozenset({"line", "pattern", "date", "url"})),
}
_FORMATS: dict[str, FieldType] = {"date": "date", "uri": "url", "url": "url"}
# The words of a schema that refuse documents: each is learned, or a question names it.
_REFUSING = words(
    """
    $ref $dynamicRef $recursiveRef type enum const allOf anyOf oneOf not if
    minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format
    items prefixItems additionalItems unevaluatedItems contains minItems maxItems uniqueItems
    properties required additionalProperties unevaluatedProperties patternProperties propertyNames
    minProperties maxProperties dependentRequired dependentSchemas dependencies
    """
)
_LONGEST_SHOWN = 60
# Some JSON readers round larger numbers.
_TOO_LARGE = 2**53
# The kind of value that each keyword needs; others are dropped.
_SHAPES = {"properties": dict, "required": list, "allOf": list}
_DEEPEST = 12
_MOST_PARTS = 1_000


def schema_fields(schema: Mapping[str, Any]) -> FieldDraft:
    """The root as an object: its fields, whether no others are allowed, and what the author has to decide."""
    whole = _Schema(schema)
    root = _field("", {"type": "object", "allOf": [schema]}, whole, 0)
    if whole.left < 0:
        root.questions.append(f"the schema has more than {_MOST_PARTS:,} parts; the rest is left out")
    return root


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
    properties, required = node.get("properties", {}), node.get("required", [])
    extra = node.get("additionalProperties", {})
    others = {key: {} if isinstance(extra, bool) else extra for key in required if key not in properties}
    for key, inner in {**properties, **others}.items():
        if not root.spend():
            break
        made = _field(str(key), inner, root, depth + 1)
        made.required = key in required
        if made.required and _takes_null(inner, root):
            made.required = False
            made.questions.append("`required` in the schema also accepts null here; `required: true` would not")
        fields[field_name(str(key), fields, as_written=True)] = made
    return fields


def _field(key: str, given: Any, root: _Schema, depth: int) -> FieldDraft:
    made = FieldDraft(key)
    node = _whole(given, root, depth)
    made.about = " ".join(str(node.get("description") or "").split())
    covered = _type(made, node)
    if made.type == "line":
        covered |= _form(made, node)
    elif made.type == "object" and depth < _DEEPEST:
        covered |= _object(made, node, root, depth)
    elif (
        made.type == "list"
        and depth < _DEEPEST
        and isinstance(node.get("items"), Mapping)
        and "prefixItems" not in node
    ):
        covered.add("items")
        made.items = _items(made, node["items"], root, depth)
    elif made.type in {"integer", "number"}:
        covered.add("format")  # it is about texts
    for word, (limit, types) in _LIMITS.items():
        is_limit = isinstance(node.get(word), bool if limit == "unique" else int | float)
        if made.type in types and is_limit and (limit == "unique" or not isinstance(node[word], bool)):
            made.limits[limit] = node[word]
            covered.add(word)
    if "$ref" in node:
        made.questions.append("`$ref` in the schema leads out of the file, or too deep: what is there is left out")
        covered.add("$ref")
    left = sorted((_REFUSING & node.keys()) - covered)
    if left:
        made.questions.append(f"the schema also has {', '.join(left)}; a check can say that")
    return made


def _type(made: FieldDraft, node: Mapping[str, Any]) -> set[str]:
    """Set the type with the values. Returns the words of the schema that this covers."""
    kinds = _kinds(node)
    word = "enum" if isinstance(node.get("enum"), list) else "const"
    given = node["enum"] if word == "enum" else [node["const"]] if word in node else []
    values = [one for one in given if _is_of(one, kinds)]
    if any(one is not None for one in values) and all(map(_is_plain, values)):
        _set_values(made, [one for one in values if one is not None], kinds)
        return {"type", word}
    known = [kind for kind in kinds if kind != "null"]
    if (kinds and not known) or (values and not any(one is not None for one in values)):
        made.questions.append("the schema allows only null here, the contract any value")
        return {"type", word}
    if len(known) > 1:
        made.questions.append("the schema allows several types here, the contract any value")
    elif known:
        made.type = _TYPES.get(known[0], "any")
        return {"type"} if known[0] in _TYPES else set()
    elif node.get("properties"):
        made.type = "object"
    return {"type"}


def _set_values(made: FieldDraft, values: list[Any], kinds: Sequence[str]) -> None:
    """Set the only values of a field, with their type."""
    found = {type(one) for one in values}
    if found == {str} and not any("{" in one for one in values):  # braces are arguments in `values`
        made.type, made.values = "enum", list(dict.fromkeys(values))
        return
    if found == {str}:
        made.type = "line"
    elif found == {bool}:
        made.type = "boolean"
    elif found == {int} and "number" not in kinds:
        made.type = "integer"
    elif found <= {int, float}:
        made.type = "number"
    if found != {bool} or len(set(values)) == 1:
        made.only = values


def _is_plain(value: Any) -> bool:
    """Whether a check can name a value."""
    return value is None or isinstance(value, str) or (isinstance(value, int | float) and abs(value) < _TOO_LARGE)


def _is_of(value: Any, kinds: Sequence[str]) -> bool:
    """Whether a value has one of the types of a schema; without any, all have."""
    names = {bool: "boolean", str: "string", list: "array", dict: "object", type(None): "null"}
    kind = names.get(type(value), "number")
    whole = kind == "number" and (isinstance(value, int) or value.is_integer())
    return not kinds or kind in kinds or (whole and "integer" in kinds)


def _object(made: FieldDraft, node: Mapping[str, Any], root: _Schema, depth: int) -> set[str]:
    """Learn what is in an object. Returns the words of the schema that this covers."""
    covered = {"properties", "required"}
    made.fields = _properties(node, root, depth)
    extra = node.get("additionalProperties", True)
    if extra is False:
        made.closed = root.left >= 0 and "patternProperties" not in node
        unmet = set(node.get("required", ())) - set(node.get("properties", ()))  # it refuses what it requires
        return {*covered, "additionalProperties"} if made.closed and not unmet else covered
    if isinstance(extra, Mapping) and not made.fields:
        made.type = "map"
        made.items = _items(made, extra, root, depth)
        made.type = "map" if made.items is not None else "object"
    elif extra not in (True, {}):
        return covered
    return {*covered, "additionalProperties"}


def _items(made: FieldDraft, given: Any, root: _Schema, depth: int) -> FieldDraft | None:
    """The items of a list or a map; None if they may be anything."""
    item = _field("", given, root, depth + 1)
    # A check reaches the typed items of a list, but neither those of a map nor a list in a list.
    if made.type == "map" or item.type in {"any", "list"}:
        for _, one in item.walk(""):
            if one.only:
                one.questions.append(
                    f"the schema allows only {_shown(one.only)} here; no check of the contract can say that"
                )
                one.only = []
    if item.type == "any":
        made.questions += item.questions
        return None
    return item


def _shown(values: Sequence[Any]) -> str:
    """Values as in JSON, shortened if they are long."""
    text = ", ".join(json.dumps(one, ensure_ascii=False) for one in values)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _form(made: FieldDraft, node: Mapping[str, Any]) -> set[str]:
    """Learn the form of a text. Returns the words of the schema that this covers."""
    form = node.get("format")
    pattern = node.get("pattern")
    if form == "date-time":
        made.questions.append("the schema wants a date and time; with `type: timestamp` it must be in UTC with `Z`")
    if isinstance(form, str) and form in _FORMATS:
        made.type = _FORMATS[form]
        return {"format"}
    covered = {"format"} if form == "date-time" else set()
    if isinstance(pattern, str):
        whole = _whole_pattern(pattern)
        try:
            check_pattern(whole)
            made.type, made.pattern = "pattern", whole
        except PatternError as error:
            made.questions.append(f"the schema has the pattern `{pattern}`, which RE2 refuses: {error}")
        covered.add("pattern")
    return covered


_ATOM = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]", re.DOTALL)
_GROUP = re.compile(r"\([^()]*\)")


def _whole_pattern(pattern: str) -> str:
    """A pattern that matches the whole of each text in which the given one is found."""
    bare, groups = _ATOM.sub("x", pattern), 1
    while groups:
        bare, groups = _GROUP.subn("x", bare)
    if "|" in bare:
        return f"(?s:.*)(?:{pattern})(?s:.*)"
    first, last = bare.startswith("^"), bare.endswith("$")
    inner = pattern[first : len(pattern) - last] or "(?:)"
    return f"{'' if first else '(?s:.*)'}{inner}{'' if last else '(?s:.*)'}"


def _whole(given: Any, root: _Schema, depth: int) -> dict[str, Any]:
    """A schema with its references and `allOf` parts resolved; those that cannot be resolved stay."""
    node = dict(given) if isinstance(given, Mapping) else {"not": {}} if given is False else {}
    for word, kind in _SHAPES.items():
        if word in node and not isinstance(node[word], kind):
            del node[word]
    node |= {"required": [key for key in node["required"] if isinstance(key, str)]} if "required" in node else {}
    parts = [("allOf", part) for part in node.pop("allOf", ())]
    target = _at(root.data, node.get("$ref"))
    if target is not None:
        parts.insert(0, ("$ref", target))
        del node["$ref"]
    for word, part in parts:
        if depth >= _DEEPEST or not root.spend():
            node[word] = []
            break
        node = _merged(node, _whole(part, root, depth + 1))
    for word in ("anyOf", "oneOf"):
        node = _without_choice(node, word, root, depth)
    return node


def _merged(node: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """Two schemas merged into one. An `allOf` in the result marks a conflict that the merge loses."""
    made = {**part, **node}
    mine, its = node.get("properties", {}), part.get("properties", {})
    if mine or its:
        both = {key: {"allOf": [mine[key], its[key]]} for key in mine.keys() & its.keys() if mine[key] != its[key]}
        made["properties"] = {**its, **mine, **both}
    if "required" in made:
        made["required"] = [*node.get("required", []), *part.get("required", [])]
    same = (_REFUSING & node.keys() & part.keys()) - {"properties", "required"}
    closed = any(
        one.get("additionalProperties", True) not in (True, {}) and other.keys() - one.get("properties", {}).keys()
        for one, other in ((node, its), (part, mine))
    )
    if closed or any(node[word] != part[word] for word in same):
        made["allOf"] = []
    return made


def _without_choice(node: dict[str, Any], word: str, root: _Schema, depth: int) -> dict[str, Any]:
    """A schema with a choice of types, of values, or of something and null, written without `anyOf` or `oneOf`."""
    choices = node.get(word)
    if not isinstance(choices, list):
        return node
    parts = [
        {key: part[key] for key in _REFUSING & part.keys()} if isinstance(part, Mapping) else {"not": {}}
        for part in choices
    ]
    rest = {key: value for key, value in node.items() if key != word}
    kinds = [part.get("type") for part in parts]
    real = [choice for choice, part in zip(choices, parts, strict=True) if part != {"type": "null"}]
    if len(real) == 1 < len(parts) and "type" not in node and depth < _DEEPEST and root.spend():
        return {**_merged(rest, _whole(real[0], root, depth + 1)), "nullable": True}
    if "enum" not in node and all("const" in part and part.keys() <= {"const", "type"} for part in parts):
        values = [part["const"] for part in parts if _is_of(part["const"], _kinds(part))]
        if word == "anyOf" or len(set(map(repr, values))) == len(values):
            return {**rest, "enum": values}
    if not all(isinstance(kind, str) for kind in kinds) or "type" in node:
        return node
    alone = all(part.keys() == {"type"} for part in parts)
    if alone and (word == "anyOf" or (len(set(kinds)) == len(kinds) and not {"integer", "number"} <= set(kinds))):
        return {**rest, "type": kinds}
    return {**node, "type": kinds}


def _at(root: Mapping[str, Any], reference: Any) -> Any:
    """The part of the schema that a local reference names; None for any other."""
    if not isinstance(reference, str) or not re.fullmatch("#(/.*)?", reference, re.DOTALL):
        return None
    node: Any = root
    for part in reference.split("/")[1:]:
        node = node.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(node, Mapping) else None
    return node if isinstance(node, Mapping | bool) else None


def _kinds(node: Mapping[str, Any]) -> list[str]:
    kind = node.get("type", [])
    return list(dict.fromkeys(map(str, kind))) if isinstance(kind, list) else [str(kind)]


def _takes_null(given: Any, root: _Schema) -> bool:
    node = _whole(given, root, 0)
    return bool(node.get("nullable")) or "null" in _kinds(node) or None in (node.get("enum") or [])
