"""The parts that all schemas of a contract share: names, patterns, limits, values that count as absent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from handoff_lsp.contracts.arguments import arguments_of, parts_of
from handoff_lsp.contracts.limits import limited_in
from handoff_lsp.contracts.model import Field, Value
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.text.lazy import lazy_pattern

Schema = dict[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
# A text that is empty or only blanks.
BLANK = r"^\s*$"
_LIMITS = {
    "number": ("minimum", "maximum"),
    "items": ("minItems", "maxItems"),
    "characters": ("minLength", "maxLength"),
}
_GROUP = lazy_pattern(r"\(\?P<\w+>")
_ONLY_RE2 = lazy_pattern(r"\(\?[a-zA-Z-]+[:)]|\\[AzCQEpP]|\[\[:")
# A group of a pattern that holds only digits.
_DIGITS = lazy_pattern(r"(?:\\d|\[0-9\])[+*?]?(?:\{[\d,]+\})?")
_NAMED = lazy_pattern(r"\(\?P<(?P<name>\w+)>(?P<inside>(?:[^()\\]|\\.)*)(?P<closed>\)?)")


def schema_id(spec: Spec, of: str) -> str:
    """The stable name of a schema of a contract's profile, whatever the version."""
    return f"urn:handoff-lsp:schema:{spec.name}@{spec.profile}:{of}"


def key_of(name: str, field: Field) -> str:
    """The key of a field as it is written."""
    return field.title or name


def about(field: Field) -> Schema:
    """The description of a field, and whether it is deprecated."""
    texts: Schema = {"description": field.about.replace("`", "")} if field.about else {}
    return texts | ({"deprecated": True} if field.deprecated else {})


def limits(field: Field) -> Schema:
    """The limits of a field's values as keywords."""
    least, most = _LIMITS.get(limited_in(field), ("", ""))
    found = {least: field.minimum, most: field.maximum, "uniqueItems": field.unique or None} if least else {}
    return {key: limit for key, limit in found.items() if limit is not None}


def portable(pattern: str) -> str:
    """An RE2 pattern that JavaScript and Python read alike; empty if it uses a feature that only RE2 has."""
    return "" if _ONLY_RE2.search(pattern) else _GROUP.sub("(", pattern)


def whole(pattern: str) -> str:
    """A portable pattern that a whole text must match; empty without one."""
    found = portable(pattern)
    return f"^(?:{found})$" if found else ""


def groups_of(pattern: str) -> dict[str, bool]:
    """The named groups of a pattern, and whether each holds only digits."""
    return {
        found["name"]: bool(found["closed"]) and _DIGITS.fullmatch(found["inside"]) is not None
        for found in _NAMED.finditer(pattern)
    }


def value_pattern(value: str) -> str:
    """A pattern for a value with arguments, such as `superseded by {adr}`."""
    parts = [r".+" if is_argument else re.escape(text).replace(r"\ ", " ") for is_argument, text in parts_of(value)]
    return f"^{''.join(parts)}$"


def has_arguments(values: Sequence[Value]) -> bool:
    """Whether one of the values has arguments."""
    return any(arguments_of(value.value) for value in values)


def absences(field: Field) -> Iterator[Schema]:
    """The schemas of the values that count as an absent field, apart from null."""
    for value in field.absent_when:
        if value == " ":
            yield {"type": "string", "pattern": BLANK}
        elif value is not None:
            yield {"const": value}


def either(schemas: Sequence[Schema]) -> Schema:
    """One of several schemas."""
    return schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}


def nullable(schema: Schema) -> Schema:
    """A schema that also accepts null."""
    rest = {key: value for key, value in schema.items() if key not in {"description", "deprecated"}}
    texts = {key: value for key, value in schema.items() if key not in rest}
    if not rest:
        return schema
    simple = rest.get("type")
    if isinstance(simple, list) and "enum" not in rest:
        return {**texts, **rest, "type": [*simple, *(["null"] if "null" not in simple else [])]}
    if isinstance(simple, str) and "enum" not in rest and "const" not in rest:
        return {**texts, **rest, "type": [simple, "null"]}
    ways = rest["anyOf"] if set(rest) == {"anyOf"} else [rest]
    return {**texts, "anyOf": [*ways, {"type": "null"}]}
