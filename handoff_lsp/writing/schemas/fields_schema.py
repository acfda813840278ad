"""The JSON Schema of a handoff as `parse` prints it: the object under `fields`, by the names of the contract.

It accepts what `parse` prints for any handoff of the profile, a broken one included: a missing field is left out, and
one without a valid value is null. So no field is required.
"""

from __future__ import annotations

from collections.abc import Mapping

from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.writing.schemas.parts import DRAFT, Schema, about, groups_of, nullable, schema_id

# What a list in Markdown holds if its contract does not say more: texts, or objects such as the rows of a table.
_ITEM: Schema = {"type": ["string", "object", "null"]}


def fields_schema(spec: Spec) -> Schema:
    """The schema in draft 2020-12."""
    return {
        "$schema": DRAFT,
        "$id": schema_id(spec, "fields"),
        "title": f"{spec.contract.title}: fields",
        "description": f"The fields of a handoff of `{spec.name}`, as `handoff-lsp parse` prints them. "
        "A missing field is left out. A field without a valid value is null.",
        **_object(spec.fields),
    }


def _object(fields: Mapping[str, Field], more: Schema | bool = False) -> Schema:
    properties = {name: {**about(field), **nullable(_value(field))} for name, field in fields.items()}
    return {"type": "object", "properties": properties, "additionalProperties": more}


def _value(field: Field) -> Schema:
    """The schema of a valid value."""
    match field.kind.holds:
        case "anything":
            return {}
        case "fields" if field.tag:
            places: Schema = {name: {"type": "integer"} for name in ("index", "line")}
            return {"type": "object", "properties": {**places, **_object(field.fields)["properties"]}}
        case "fields":
            return _object(field.fields) if field.fields else {"type": "object"}
        case "pairs":
            return {"type": "object", "additionalProperties": _or_empty(_item(field.items))}
        case "plain items" if field.each:
            made = _object(field.items.fields if field.items is not None else {})
            groups = {name: nullable(group) for name, group in _groups(field.each).items()}
            made["properties"] = {**groups, **made["properties"]}
            return {"type": "array", "items": nullable(made)}
        case "plain items":
            return {"type": "array", "items": _item(field.items)}
        case "marked items":
            row = _object({"mark": Field(type="enum", values=field.values), "text": Field(type="line")})
            row["properties"]["mark"] = _or_empty(row["properties"]["mark"])
            return {"type": "array", "items": nullable(row)}
        case "boxed items":
            return {"type": "array", "items": _boxed(field.items)}
        case "table rows":
            fields = field.items.fields if field.items is not None else {}
            return {"type": "array", "items": _object(fields, {"type": ["string", "null"]})}
    return _single(field)


def _single(field: Field) -> Schema:
    """A single value, or prose."""
    if field.kind.has_pattern and field.has_groups:
        return {"type": "object", "properties": _groups(field.pattern), "additionalProperties": False}
    if field.kind.is_choice and field.values and not field.open:
        return {"type": "string", "enum": [value.value for value in field.values]}
    kind = "integer" if field.kind.is_count else field.kind.json or "string"
    form = field.kind.form
    return {"type": kind, "pattern": form.schema} if form is not None else {"type": kind}


def _groups(pattern: str) -> Schema:
    """The named groups of a pattern as properties, digits as integers. One without a part in the match is left out."""
    return {
        name: {"type": "integer" if digits else ["integer", "string"]} for name, digits in groups_of(pattern).items()
    }


def _or_empty(schema: Schema) -> Schema:
    """A schema that also accepts an empty text: a row without its mark, a name without its value."""
    return {"anyOf": [*schema["anyOf"], {"const": ""}]} if "anyOf" in schema else schema


def _item(item: Field | None) -> Schema:
    """The schema of an item, or of the value of a name."""
    if item is None:
        return dict(_ITEM)
    if (item.fields and item.kind.holds != "fields") or (item.kind.has_pattern and item.has_groups):
        return nullable(_with_text(item))
    return nullable(_value(item))


def _boxed(item: Field | None) -> Schema:
    """An item with a box: its text, whether the box is ticked, and the parts that its pattern finds."""
    made = _with_text(item or Field(type="line"))
    made["properties"]["done"] = {"type": ["boolean", "null"]}
    return nullable(made)


def _with_text(item: Field) -> Schema:
    """An item of a list as an object: its text, the groups of its pattern, and its fields."""
    made = _object(item.fields)
    made["properties"] = {"text": {"type": ["string", "null"]}, **_groups(item.pattern), **made["properties"]}
    return made
