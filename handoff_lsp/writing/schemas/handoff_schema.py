"""The JSON Schema of a handoff as it is written, for contracts with handoffs in JSON or YAML.

It refuses only what is an error for the contract: a defect that is a warning passes, and so does a spelling that the
contract tolerates. A key that the reader does not know passes unless the contract is closed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

import yaml

from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.writing.schemas.conditions import conditions_of, is_missed
from handoff_lsp.writing.schemas.parts import (
    DRAFT,
    Schema,
    about,
    absences,
    either,
    has_arguments,
    key_of,
    limits,
    schema_id,
    value_pattern,
    whole,
)
from handoff_lsp.writing.skeleton_document import form_of

WrittenSyntax = Literal["json", "yaml"]
# Differences of spelling that a pattern can describe. With one of the others, any text may surround the value.
_SPELLING = frozenset({"case", "blanks", "trailing-punctuation"})
_SCALAR = ["string", "number", "boolean"]


def written_syntax(spec: Spec) -> WrittenSyntax | None:
    """The syntax of a contract's handoffs, if they are JSON or YAML; None if they are Markdown or a log."""
    form, contract = form_of(spec), spec.contract
    if form == "fence" and contract.fence is not None:
        return contract.fence.syntax
    if form == "file" and contract.file is not None and contract.file.syntax != "log":
        return "yaml" if contract.file.syntax == "yaml" else "json"
    return None


def handoff_schema(spec: Spec) -> Schema:
    """The schema in draft 2020-12. Raises ValueError for a contract whose handoffs are neither JSON nor YAML."""
    syntax = written_syntax(spec)
    if syntax is None:
        raise ValueError(f"the handoffs of {spec.name}@{spec.profile} are neither JSON nor YAML")
    writer = _Writer(spec, syntax)
    made: Schema = {
        "$schema": DRAFT,
        "$id": schema_id(spec, "handoff"),
        "title": spec.contract.title,
        "description": spec.contract.about,
        **writer.object("", spec.fields, closed=spec.contract.closed),
    }
    conditions = made.pop("allOf", [])
    if not writer.any_case:  # a key in another case would count as missing
        conditions = [*conditions, *conditions_of(spec, in_yaml=syntax == "yaml")]
    return made | ({"allOf": conditions} if conditions else {})


class _Writer:
    """Writes the schemas of the parts of one profile."""

    def __init__(self, spec: Spec, syntax: WrittenSyntax) -> None:
        self._spec = spec
        self._yaml = syntax == "yaml"
        fence = spec.contract.fence
        self.any_case = fence is not None and "any-case" in fence.reader

    def object(self, path: str, fields: Mapping[str, Field], *, closed: bool) -> Schema:
        """An object with fields. ``path``: its own path in the contract, empty for the root."""
        properties: Schema = {}
        needed: list[list[str]] = []
        for name, field in fields.items():
            keys = [key_of(name, field), *field.aliases]
            where = f"{path}.{name}" if path else name
            for key in keys:
                properties[key] = {**about(field), **self._field(where, field)}
            if field.required is True and is_missed(self._spec, where, field):
                needed.append(keys)
        made: Schema = {"type": "object", "properties": properties}
        if self.any_case:
            made["properties"], made["patternProperties"] = (
                {},
                {_in_any_case(key): properties[key] for key in properties},
            )
            needed = []
        plain = [keys[0] for keys in needed if len(keys) == 1]
        ways = [{"anyOf": [{"required": [key]} for key in keys]} for keys in needed if len(keys) > 1]
        return (
            made
            | ({"required": plain} if plain else {})
            | ({"allOf": ways} if ways else {})
            | ({"additionalProperties": False} if closed else {})
        )

    def _field(self, path: str, field: Field) -> Schema:
        """A field's value, or a value that counts as absent if the field may be absent."""
        main = self._value(path, field)
        must = field.required is True and is_missed(self._spec, path, field)
        if must:
            main = _filled_in(field, main)
        others = [] if must else list(absences(field))
        if not must or None not in field.absent_when:
            others.append({"type": "null"})
        if not others or not main:
            return main
        if others == [{"type": "null"}] and isinstance(main.get("type"), str) and "enum" not in main:
            return {**main, "type": [main["type"], "null"]}
        return {"anyOf": [*(main["anyOf"] if set(main) == {"anyOf"} else [main]), *others]}

    def _value(self, path: str, field: Field) -> Schema:
        """A value that is present. Without `type` if a wrong type is no error; then the rest is about the right one."""
        kind = "integer" if field.kind.is_count else field.kind.json
        if kind is None:
            return {}
        strict = _is_error(field, "invalid-type")
        if field.kind.is_choice and field.values:
            made = self._choice(field)
        elif field.kind.holds == "fields":
            made = self.object(path, field.fields, closed=field.closed)
        else:
            made = {"type": _SCALAR if self._yaml and field.kind.text is not None else kind}
            if kind == "array" and field.items is not None:
                made |= {"items": self._item(path, field.items)}
            if _is_error(field, "invalid-format") and (pattern := pattern_of(field)):
                made["pattern"] = pattern
            made |= limits(field) if _is_error(field, "invalid-value") else {}
        if strict:
            return made
        if "enum" in made or "anyOf" in made:
            return either([made, {"not": {"type": "string"}}])
        return {key: value for key, value in made.items() if key not in {"type", "examples"}}

    def _item(self, path: str, item: Field) -> Schema:
        made = self._value(f"{path}[]", item)
        return {**about(item), **({"anyOf": [made, {"type": "null"}]} if made else {})}

    def _choice(self, field: Field) -> Schema:
        """The values of an enum, and their other spellings that are tolerated."""
        values = [value.value for value in field.values]
        loose = set(field.tolerate) - _SPELLING
        if field.open or loose or not _is_error(field, "invalid-value"):
            return {"type": "string", "examples": values}
        read: list[Any] = [*values, *filter(_is_no_text, map(yaml.safe_load, values))] if self._yaml else values
        ways: list[Schema] = [{"enum": read}]
        if has_arguments(field.values):
            ways = [{"type": "string", "pattern": value_pattern(value)} for value in values]
        elif field.tolerate:
            ways.append({"type": "string", "pattern": _tolerant(field, values)})
        return either(ways)


def pattern_of(field: Field) -> str:
    """The pattern of a field's texts; empty without one, or if only RE2 reads it."""
    if field.kind.form is not None:
        return field.kind.form.schema
    return whole(field.pattern) if field.kind.has_pattern else ""


def _filled_in(field: Field, main: Schema) -> Schema:
    """A schema that refuses the values that count as absent."""
    if "enum" in main or "anyOf" in main:
        return main
    absent = [*absences(field), *([{"const": None}] if None in field.absent_when else [])]
    kind = main.get("type")
    least: Schema = {}
    match kind:
        case "string" if "pattern" not in main:
            least |= {"minLength": 1} if {"const": ""} in absent and "minLength" not in main else {}
            least |= {"pattern": r"\S"} if any("pattern" in one for one in absent) else {}
        case "array" if {"const": []} in absent and "minItems" not in main:
            least = {"minItems": 1}
        case "object" if {"const": {}} in absent:
            least = {"minProperties": 1}
        case None if absent:
            least = {"not": either(absent)}
    return {**main, **least}


def _is_error(field: Field, rule: str) -> bool:
    """Whether a wrong value is an error in any case: while a field is not required, it is a warning."""
    return field.severity.get(rule, "warning" if isinstance(field.required, str) else "error") == "error"


def _is_no_text(value: object) -> bool:
    return not isinstance(value, str)


def _in_any_case(text: str) -> str:
    """A pattern for a text in upper or lower case."""
    return f"^{_letters(text)}$"


def _letters(text: str) -> str:
    return "".join(f"[{char.upper()}{char.lower()}]" if char.isalpha() else re.escape(char) for char in text)


def _tolerant(field: Field, values: list[str]) -> str:
    """A pattern for the spellings of an enum's values that a field tolerates."""
    words = "|".join(_letters(value) if "case" in field.tolerate else re.escape(value) for value in values)
    blank = r"\s*" if "blanks" in field.tolerate else ""
    end = "[.,;]*" if "trailing-punctuation" in field.tolerate else ""
    return f"^{blank}(?:{words}){end}{blank}$"
