"""A contract from a JSON Schema refuses what the schema refuses, or names the word that it does not hold."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import Options, analyze
from handoff_lsp.learn.learn import Learned, learn
from handoff_lsp.learn.sample import Sample


def learned_of(field: Any) -> Learned:
    """The contract of objects with `id` and a field `f`."""
    return learn([], name="doc", schema={"required": ["id"], "properties": {"id": {"type": "string"}, "f": field}})


def refuses(learned: Learned, document: Any) -> bool:
    """Whether the learned contract has a finding in a document."""
    entry, problems = read_contract(learned.text)
    assert entry is not None, problems
    sample = Sample("doc.json", json.dumps(document))
    analysis = analyze(sample.source, sample.path, Registry({entry.name: entry}), Options())
    assert analysis.handoffs
    return bool(analysis.findings)


def remarks(learned: Learned) -> list[str]:
    """The questions about the schema."""
    return [one for one in learned.questions if one.startswith(("the schema", "`required`", "`$ref`"))]


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ({"type": "integer", "enum": [1, 2, 5]}, [1, 5], [3, 9, "1"]),
        ({"type": "integer", "const": 3}, [3], [4]),
        ({"enum": [1, 2]}, [1, 2], [3, "a"]),
        ({"type": "number", "enum": [0.5, 1]}, [0.5, 1, 1.0], [0.6]),
        ({"const": True}, [True], [False, "true", 1]),
        ({"type": "boolean", "enum": [True, False]}, [True, False], ["x"]),
        ({"enum": ["a", 1, None]}, ["a", 1, None], ["b", 2, True]),
        ({"enum": ["a {b}"]}, [], ["a c"]),
        ({"type": "string", "enum": ["a", 1]}, ["a"], ["b", 1]),
        ({"type": "array", "items": {"enum": [1, 2]}}, [[], [1, 2]], [[3], ["a"]]),
        ({"oneOf": [{"const": 1}, {"const": 2, "title": "two"}]}, [1, 2], [3]),
        ({"anyOf": [{"type": "string", "minLength": 3}, {"type": "null"}]}, ["abc", None], ["ab", 5]),
        ({"required": ["a"], "type": "object"}, [{"a": 1}], [{}, {"b": 1}]),
        ({"type": "object", "additionalProperties": False}, [{}], [{"a": 1}]),
        ({"type": "string", "pattern": "^a|b$"}, ["apple", "rub", "a\nx"], ["xax"]),
        ({"type": "string", "pattern": "^US\\$"}, ["US$", "US$ 5"], ["US", "a US$"]),
        ({"type": "string", "pattern": "^(a|b)$"}, ["a", "b"], ["ab", "ax"]),
        ({"type": "string", "pattern": "^[|$]$"}, ["|", "$"], ["a"]),
        ({"type": "string", "pattern": "^$"}, [""], ["a"]),
        ({"type": "string", "pattern": "a", "maxLength": 2}, ["a", "ba"], ["b", "aaa"]),
    ],
)
def test_what_the_contract_can_say_is_learned(field: Any, good: list[Any], bad: list[Any]) -> None:
    learned = learned_of(field)
    assert remarks(learned) == []
    assert [one for one in good if refuses(learned, {"id": "1", "f": one})] == []
    assert [one for one in bad if not refuses(learned, {"id": "1", "f": one})] == []


@pytest.mark.parametrize(
    ("field", "remark"),
    [
        ({"type": "null"}, "the schema allows only null here, the contract any value"),
        ({"const": None}, "the schema allows only null here, the contract any value"),
        ({"type": ["string", "integer"]}, "the schema allows several types here, the contract any value"),
        ({"enum": [[1]]}, "the schema also has enum; a check can say that"),
        (
            {"type": "array", "items": {"enum": ["a", 1]}},
            'the schema allows only "a", 1 here; no check of the contract can say that',
        ),
        (
            {"additionalProperties": {"const": 1}, "type": "object"},
            "the schema allows only 1 here; no check of the contract can say that",
        ),
        ({"type": "string", "format": "email"}, "the schema also has format; a check can say that"),
        ({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, "the schema also has oneOf; a check can say that"),
        ({"allOf": [{"minimum": 1}, {"minimum": 2}]}, "the schema also has allOf, minimum; a check can say that"),
        ({"type": "array", "items": {"multipleOf": 2}}, "the schema also has multipleOf; a check can say that"),
        ({"$ref": "o.json"}, "`$ref` in the schema leads out of the file, or too deep: what is there is left out"),
        (False, "the schema also has not; a check can say that"),
        (
            {"type": "string", "pattern": "^(?!x)[a-z]+$"},
            "the schema has the pattern `^(?!x)[a-z]+$`, which RE2 refuses: invalid perl operator: (?!",
        ),
    ],
)
def test_what_the_contract_cannot_say_is_to_be_decided(field: Any, remark: str) -> None:
    assert remarks(learned_of(field)) == [remark]


def test_what_the_root_also_says_is_to_be_decided() -> None:
    schema = {"properties": {"a": {"type": ["string", "null"]}, "b": {}}, "required": ["a"]}
    also = {"dependentRequired": {"a": ["b"]}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}
    assert remarks(learn([], name="doc", schema={**schema, **also})) == [
        "the schema also has dependentRequired, oneOf; a check can say that",
        "`required` in the schema also accepts null here; `required: true` would not",
    ]


def test_samples_win_over_the_values_of_a_schema() -> None:
    schema = {"properties": {"id": {"type": "string"}, "level": {"enum": [1, 2]}}, "required": ["id"]}
    samples = [Sample(f"docs/{n}.json", f'{{"id": "a{n}", "level": {n}}}') for n in (1, 2, 3)]
    learned = learn(samples, name="doc", schema=schema)
    assert learned.faithful
    assert "checks" not in yaml.safe_load(learned.text)


SCALARS = st.sampled_from(["a", "b", "ab", "US$", "a{b}", "", 0, 1, 2, 3, 1.5, True, False, None])
WORDS = {
    "type": st.sampled_from(
        ["string", "integer", "number", "boolean", "null", "array", "object", ["string", "null"], ["string", "integer"]]
    ),
    "enum": st.lists(SCALARS, min_size=1, max_size=3),
    "const": SCALARS,
    "pattern": st.sampled_from(["^a|b$", "^US\\$", "^(?!x)a", "^a$", "b", "^(a|b)$", "^(?:a)|b", "\\.$", "^[|]a$"]),
    "minLength": st.integers(0, 2),
    "maxLength": st.integers(0, 2),
    "minimum": st.integers(0, 2),
    "maximum": st.integers(0, 2),
    "exclusiveMinimum": st.integers(0, 2),
    "multipleOf": st.integers(1, 2),
    "format": st.sampled_from(["date", "email"]),
    "minItems": st.integers(0, 2),
    "uniqueItems": st.booleans(),
    "required": st.lists(st.sampled_from(["a", "b"]), unique=True),
    "additionalProperties": st.booleans(),
    "dependentRequired": st.just({"a": ["b"]}),
    "minProperties": st.integers(0, 2),
    "propertyNames": st.just({"maxLength": 1}),
}


def _with_parts(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Schemas of a few words, and of parts that are schemas."""
    some = st.lists(inner, min_size=1, max_size=2)
    parts = {
        "items": inner,
        "prefixItems": some,
        "properties": st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
        "additionalProperties": inner,
        "patternProperties": st.fixed_dictionaries({"^a": inner}),
        "oneOf": some,
        "anyOf": some,
        "allOf": some,
        "not": inner,
        "contains": inner,
    }
    words = {**WORDS, **parts}
    chosen = st.lists(st.sampled_from(list(words)), max_size=3, unique=True)
    return chosen.flatmap(lambda names: st.fixed_dictionaries({name: words[name] for name in names}))


SCHEMAS = st.recursive(st.just({}) | st.booleans(), _with_parts, max_leaves=6)
VALUES = st.recursive(
    SCALARS.filter(lambda one: one is not None) | st.just("2026-02-08"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "b", "cc"]), inner, max_size=2),
    max_leaves=4,
)


@settings(max_examples=300, deadline=None)
@given(SCHEMAS, st.lists(VALUES, min_size=3, max_size=6))
def test_nothing_that_a_schema_refuses_is_lost_in_silence(schema: Any, values: list[Any]) -> None:
    learned = learned_of(schema)
    told = " ".join(remarks(learned))
    told = told.replace("several types", "type oneOf anyOf").replace("allows only", "enum const type oneOf anyOf")
    named = set(re.findall(r"[$\w]+", told)) | ({"pattern"} if "the pattern" in told else set())
    validator = Draft202012Validator(schema, format_checker=FormatChecker())
    for value in values:
        for error in validator.iter_errors(value):
            if "type: map" in learned.text and isinstance(error.instance, list):
                continue  # a map may be a list, too
            words = {str(one) for one in error.absolute_schema_path} | ({"not"} if error.validator is None else set())
            if not words & named:
                assert refuses(learned, {"id": "1", "f": value}), (error.message, learned.text)
