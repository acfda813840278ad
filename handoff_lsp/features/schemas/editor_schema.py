"""JSON Schemas of contracts with handoffs in JSON files, for editors that check JSON without a server.

They describe one value or one object; conditions between fields are left to the server. They are in draft 7, which VS
Code supports in full, with the keys that its JSON support adds (`markdownDescription`, `enumDescriptions`,
`defaultSnippets`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from handoff_lsp.contracts.model import Content, Field, FileForm, Value
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.writing.schemas.parts import key_of, limits, whole
from handoff_lsp.writing.skeleton_document import new_document

# A placeholder: `<…>`, `{…}`, `a | b`.
_PLACEHOLDER = r"^\s*[<{\[].*[>}\]]\s*$|\|"


def is_json_file(entry: ContractEntry) -> bool:
    """Whether a contract's handoffs are JSON files in a place of their own."""
    file = entry.contract.file
    return file is not None and file.syntax == "json" and bool(entry.contract.locations)


def schema_name(entry: ContractEntry) -> str:
    """The file name of a contract's schema."""
    return f"{entry.name}.schema.json"


def schema_text(entry: ContractEntry) -> str:
    """The JSON Schema of a contract's default profile."""
    contract = entry.contract
    spec = entry.spec(contract.default_profile)
    file = contract.file
    assert file is not None
    skeleton = {"label": contract.title, "description": contract.about, "bodyText": new_document(spec).snippet}
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": contract.title,
        "description": contract.about,
        "$comment": "Generated from schemas/contracts/ by `make generate`.",
        "defaultSnippets": [skeleton],
        # Another file at such a path is not a handoff: the schema offers the keys but reports nothing.
        "if": _recognised(file),
        "then": _object(spec.fields, closed=contract.closed),
        "else": {"properties": {key_of(name, field): _texts(field) for name, field in spec.fields.items()}},
    }
    definitions = {
        name: one
        for number, asked in enumerate(file.holds)
        if asked.enough > 1
        for name, one in _at_least(f"way-{number + 1}", _at_top(asked.some), asked.enough)
    }
    if definitions:
        schema["definitions"] = definitions
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def _recognised(file: FileForm) -> dict[str, Any]:
    """The keys at the top that make a file a handoff of this contract."""
    ways = [_way(asked, f"way-{number + 1}") for number, asked in enumerate(file.holds)]
    return ways[0] if len(ways) == 1 else {"type": "object", **({"anyOf": ways} if ways else {})}


def _way(asked: Content, name: str) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "object", "required": _at_top(asked.needs)}
    some = _at_top(asked.some)
    if some and asked.enough == 1:
        found["anyOf"] = [{"required": [key]} for key in some]
    elif some:
        found["allOf"] = [{"$ref": f"#/definitions/{name}-{asked.enough}-from-0"}]
    return found


def _at_top(keys: Sequence[str]) -> list[str]:
    return [key for key in keys if "." not in key]


def _at_least(name: str, keys: Sequence[str], number: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Definitions of "at least N of the keys from here": this key and N-1 of the rest, or N of the rest."""
    for wanted in range(1, number + 1):
        for at in range(number - wanted, len(keys) - wanted + 1):
            one: dict[str, Any] = {"required": [keys[at]]}
            if wanted > 1:
                one = {"allOf": [one, {"$ref": f"#/definitions/{name}-{wanted - 1}-from-{at + 1}"}]}
            rest = [{"$ref": f"#/definitions/{name}-{wanted}-from-{at + 1}"}] if at + wanted < len(keys) else []
            yield f"{name}-{wanted}-from-{at}", {"anyOf": [one, *rest]}


def _object(fields: Mapping[str, Field], *, closed: bool) -> dict[str, Any]:
    required = [key_of(name, field) for name, field in fields.items() if field.required is True and not field.aliases]
    properties = {}
    for name, field in fields.items():
        for key in (key_of(name, field), *field.aliases):
            properties[key] = _field(field)
    made: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        made["required"] = required
    if closed:
        made["additionalProperties"] = False
    return made


def _texts(field: Field) -> dict[str, str]:
    """The texts that an editor shows for a field."""
    texts = {}
    if field.about:
        texts["description"] = field.about.replace("`", "")
        parts = [field.about, *([f"Read by: {field.read_by}"] if field.read_by else [])]
        if field.required is True and field.because:
            parts.append(f"Required. {field.because}.".replace("..", "."))
        elif isinstance(field.required, str) and field.because:
            parts.append(f"Required in some cases. {field.because}.".replace("..", "."))
        texts["markdownDescription"] = "\n\n".join(parts)
    if field.deprecated:
        texts["deprecationMessage"] = field.deprecated
    return texts


def _field(field: Field) -> dict[str, Any]:
    main = _value(field)
    others = list(_also(field, main))
    if not others:
        return {**_texts(field), **main}
    simple = main.get("type")
    if others == [{"type": "null"}] and isinstance(simple, str) and "enum" not in main:
        return {**_texts(field), **main, "type": [simple, "null"]}
    return {**_texts(field), "anyOf": [main, *others]}


def _value(field: Field) -> dict[str, Any]:
    """The schema of a value that is present and filled in."""
    if field.kind.holds == "pairs":
        return {"type": ["object", "array"]}
    kind = "integer" if field.kind.is_count else field.kind.json
    if kind is None:
        return {}
    made: dict[str, Any] = {"type": kind}
    if field.kind.is_choice and field.values:
        made |= _enum(field)
    elif (form := field.kind.form) is not None:
        made["pattern"] = form.schema
        made["patternErrorMessage"] = f"Expected: {field.pattern_about or form.about}"
    elif field.kind.has_pattern and (pattern := whole(field.pattern)):
        made["pattern"] = pattern
        if field.pattern_about:
            made["patternErrorMessage"] = f"Expected: {field.pattern_about}"
    elif kind == "array" and field.items is not None:
        made["items"] = _field(field.items)
    elif field.kind.holds == "fields":
        made |= _object(field.fields, closed=field.closed)
    return made | limits(field)


def _enum(field: Field) -> dict[str, Any]:
    values = field.values
    descriptions = {
        "enumDescriptions": [_means(value).replace("`", "") for value in values],
        "markdownEnumDescriptions": [_means(value) for value in values],
    }
    if not field.tolerate:
        return {"enum": [value.value for value in values], **descriptions}
    return {"examples": [value.value for value in values]}


def _means(value: Value) -> str:
    return " ".join(part for part in (value.about, f"→ {value.then}" if value.then else "", value.deprecated) if part)


def _also(field: Field, main: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """The schemas of the alternatives to a value: an absent value if that is allowed, and a placeholder."""
    if not main:
        return
    if field.open:
        yield {"type": "string"}
    elif main.get("type") == "string" and ("enum" in main or "pattern" in main):
        texts = {key: main[key] for key in ("patternErrorMessage",) if key in main}
        yield {"type": "string", "pattern": _PLACEHOLDER, **texts}
    must = field.required is True
    if not must:
        for value in field.absent_when:
            if value is not None and not (value == "" and set(main) == {"type"}):
                yield {"const": value}
    if not must or None not in field.absent_when:
        yield {"type": "null"}
