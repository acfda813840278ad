"""`schema --for openai|anthropic`: within the subset of each maker's documentation, for every profile."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from features.schemas.fixtures import EVERY, IDS, spec_of
from jsonschema import Draft202012Validator

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.features.schemas.model_schema import SUBSETS, ModelSchema, Of, model_schema
from handoff_lsp.samples.example import example
from handoff_lsp.text import Source
from handoff_lsp.writing.schemas.handoff_schema import written_syntax

# Both documentations: OpenAI's "Supported schemas" and Anthropic's "JSON Schema limitations", as of 2026.
COMMON = {"title", "description", "type", "properties", "required", "additionalProperties", "items", "enum", "anyOf"}
KEYWORDS = {
    "openai": {*COMMON, "pattern", "minimum", "maximum", "minItems", "maxItems"},
    "anthropic": {*COMMON, "pattern", "minItems"},
}
TYPES = {"object", "array", "string", "integer", "number", "boolean", "null"}


def parts(schema: dict[str, Any], depth: int = 0) -> Iterator[tuple[dict[str, Any], int]]:
    """Every schema in a schema, itself first, with the number of objects around it."""
    yield schema, depth
    inside = depth + ("properties" in schema)
    for part in (*schema.get("properties", {}).values(), *schema.get("anyOf", [])):
        yield from parts(part, inside)
    if "items" in schema:
        yield from parts(schema["items"], inside)


def is_union(schema: dict[str, Any]) -> bool:
    return "anyOf" in schema or isinstance(schema.get("type"), list)


def faults(schema: dict[str, Any], maker: str) -> Iterator[str]:
    """What a maker's documentation excludes from a schema."""
    Draft202012Validator.check_schema(schema)
    every = [part for part, _ in parts(schema)]
    if schema.get("type") != "object":
        yield "the root is no object"
    for part in every:
        if unknown := part.keys() - KEYWORDS[maker]:
            yield f"keywords {sorted(unknown)}"
        if "type" not in part and "anyOf" not in part:
            yield f"no type: {part}"
        types = part.get("type", [])
        if not {*([types] if isinstance(types, str) else types)} <= TYPES:
            yield f"types {types}"
        if part.get("type") == "object" and part.get("additionalProperties") is not False:
            yield "an open object"
        if any(not isinstance(value, str) for value in part.get("enum", [])):
            yield "an enum of others than texts"
        if not set(part.get("required", [])) <= set(part.get("properties", {})):
            yield "an unknown required key"
    optional = [key for part in every for key in part.get("properties", {}) if key not in part["required"]]
    unions = [part for part in every if is_union(part)]
    if maker == "openai":
        yield from _limits_of_openai(every, schema)
        if optional:
            yield f"not required: {optional}"
    else:
        if len(optional) > 24:
            yield f"{len(optional)} optional fields"
        if len(unions) > 16:
            yield f"{len(unions)} unions"
        if any(part.get("minItems", 0) > 1 for part in every):
            yield "a minimum of items"
        if any(re.search(r"\(\?(?!:)|\\[bB\d]", part.get("pattern", "")) for part in every):
            yield "a pattern with lookaround, a word boundary or a back reference"


def _limits_of_openai(every: list[dict[str, Any]], schema: dict[str, Any]) -> Iterator[str]:
    properties = [key for part in every for key in part.get("properties", {})]
    enums = [part["enum"] for part in every if "enum" in part]
    values = [value for enum in enums for value in enum]
    if len(properties) > 5_000:
        yield "more than 5,000 properties"
    if max(depth for _, depth in parts(schema)) > 10:
        yield "more than 10 levels"
    if sum(map(len, (*properties, *values))) > 120_000:
        yield "more than 120,000 characters"
    if len(values) > 1_000:
        yield "more than 1,000 values of enums"
    if any(len(enum) > 250 and sum(map(len, enum)) > 15_000 for enum in enums):
        yield "an enum with too many characters"


def made(name: str, profile: str, of: Of, maker: str) -> ModelSchema:
    return model_schema(spec_of(name, profile), of, maker)


@pytest.mark.parametrize("maker", SUBSETS)
@pytest.mark.parametrize(("name", "profile"), EVERY, ids=IDS)
def test_every_schema_is_within_the_subset(name: str, profile: str, maker: str) -> None:
    written: tuple[Of, ...] = ("handoff",) if written_syntax(spec_of(name, profile)) is not None else ()
    for of in ("fields", *written):
        assert list(faults(made(name, profile, of, maker).schema, maker)) == [], of


CLOSED = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


@pytest.mark.parametrize(
    ("maker", "schema"),
    [
        ("openai", {"anyOf": [CLOSED]}),
        ("openai", {**CLOSED, "properties": {"a": {"type": "string"}}}),
        ("openai", {**CLOSED, "properties": {"a": {}}, "required": ["a"]}),
        ("openai", {**CLOSED, "additionalProperties": True}),
        ("openai", {**CLOSED, "if": {}}),
        ("openai", {**CLOSED, "properties": {"a": {"enum": [str(n) for n in range(1001)]}}, "required": ["a"]}),
        ("anthropic", {**CLOSED, "properties": {str(n): {"type": "string"} for n in range(25)}}),
        ("anthropic", {**CLOSED, "properties": {str(n): {"type": ["string", "null"]} for n in range(17)}}),
        ("anthropic", {**CLOSED, "properties": {"a": {"type": "integer", "minimum": 1}}}),
        ("anthropic", {**CLOSED, "properties": {"a": {"type": "string", "pattern": r"^\bx"}}}),
    ],
)
def test_what_is_outside_of_it_is_found(maker: str, schema: dict[str, Any]) -> None:
    assert list(faults(schema, maker))


def test_a_required_field_is_required_and_an_optional_one_may_be_null_or_left_out() -> None:
    openai = made("status-block", "handoff", "fields", "openai").schema
    assert openai["required"] == list(openai["properties"])
    assert openai["properties"]["status_reason"]["type"] == "string"
    assert openai["properties"]["findings"]["type"] == ["string", "null"]
    anthropic = made("status-block", "handoff", "fields", "anthropic").schema
    assert anthropic["required"] == ["status", "status_reason", "abstract"]
    assert anthropic["properties"]["findings"]["type"] == "string"


def test_descriptions_say_what_the_values_mean_and_when_a_field_is_required() -> None:
    fields = made("status-block", "handoff", "fields", "openai").schema["properties"]
    assert "Values: complete: The agent finished" in fields["status"]["description"]
    assert "Required when Status is blocked." in fields["open_questions"]["description"]


@pytest.mark.parametrize(("name", "profile"), EVERY, ids=IDS)
def test_what_is_left_out_for_lack_of_room_is_optional_and_named(name: str, profile: str) -> None:
    spec, found = spec_of(name, profile), made(name, profile, "fields", "anthropic")
    for path in found.left_out:
        field = spec.field(path) if "[]" not in path else None
        assert field is None or field.required is not True, path


OBJECT = """
contract: ticket
title: Ticket
about: A task.
status: state
unread: nobody works on it
file: {syntax: json, path: '(^|/)ticket[.]json$', holds: [{needs: [state]}]}
fields:
  state: {type: enum, required: true, about: How far it is., values: [{value: open}, {value: done}]}
  about_it: {type: object, about: Any keys.}
routing: [{action: ask, reason: Somebody looks.}]
"""


@pytest.mark.parametrize("of", ["handoff", "fields"])
def test_an_optional_object_whose_keys_nobody_knows_is_left_out(of: Of) -> None:
    """A closed object without keys would forbid all that is in it."""
    entry, problems = read_contract(OBJECT)
    assert entry is not None, problems
    found = model_schema(entry.spec(entry.contract.default_profile), of, "openai")
    assert (list(found.schema["properties"]), found.left_out) == (["state"], ["about_it"])


def test_what_decides_is_never_left_out() -> None:
    for name, profile in EVERY:
        for maker in SUBSETS:
            status = spec_of(name, profile).status
            left = made(name, profile, "fields", maker).left_out
            # The summary of any phase has more fields than there is room for, and its status is optional.
            assert not status or status not in left, f"{name}@{profile} for {maker}"


JSON = [each for each in EVERY if written_syntax(spec_of(*each)) == "json"]


def filled(schema: dict[str, Any], value: Any) -> Any:
    """A document with null for each missing key, as a model has to write it."""
    if isinstance(value, list) and "items" in schema:
        return [filled(schema["items"], item) for item in value]
    if "properties" not in schema or not isinstance(value, dict):
        return value
    return {key: filled(part, value.get(key)) for key, part in schema["properties"].items()}


@pytest.mark.parametrize(("name", "profile"), JSON, ids=[f"{name}@{profile}" for name, profile in JSON])
def test_a_sound_example_in_the_form_of_the_schema_is_still_sound(name: str, profile: str) -> None:
    """A model that writes null for the optional fields gets no finding for it."""
    text = example(builtin(), builtin()[name], profile).text
    start, end = text.index("{"), text.rindex("}") + 1
    schema = made(name, profile, "handoff", "openai").schema
    document = filled(schema, json.loads(text[start:end]))
    assert [error.message for error in Draft202012Validator(schema).iter_errors(document)] == []
    contract = builtin()[name].contract
    path = next(iter(contract.locations), f"{name}.json" if contract.file is not None else "")
    analysis = analyze(
        Source(text[:start] + json.dumps(document) + text[end:]), path, builtin(), Options(profiles={name: profile})
    )
    assert any(handoff.spec.name == name for handoff in analysis.handoffs)
    assert [finding.message for finding in analysis.findings if finding.severity == "error"] == []
