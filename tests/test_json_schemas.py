"""The JSON Schemas for editors: they accept all that the rules accept, and refuse plain mistakes."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fastjsonschema
import pytest
from case_files import Case, read_cases

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.features.schemas.editor_schema import is_json_file, schema_name, schema_text

SCHEMAS = Path(__file__).parents[1] / "schemas"
# Findings about one value or one object. All others are about several values or files, which a schema cannot see.
SEEN = {"missing-status", "missing-field", "invalid-value", "invalid-type"}
CONTRACT = "agent-status"


def schema(contract: str) -> dict[str, Any]:
    return json.loads((SCHEMAS / f"{contract}.schema.json").read_text(encoding="utf-8"))


def documents() -> Iterator[tuple[str, Case, Any]]:
    """The cases of JSON files, with their contract and their content."""
    for case in read_cases():
        for entry in builtin():
            places = entry.contract.locations if (SCHEMAS / f"{entry.name}.schema.json").exists() else []
            if any(f"/{case.path}".endswith(f"/{place}") for place in places):
                try:
                    yield entry.name, case, json.loads(case.text)
                except ValueError:
                    continue


CASES = list(documents())
NOT_SOUND = {*SEEN, "invalid-format", "template-missing-section"}
SOUND = [each for each in CASES if not {item.rule for item in each[1].expected} & NOT_SOUND]
WRONG = [each for each in CASES if {item.rule for item in each[1].expected} & SEEN]


def _id(value: object) -> str:
    return value.name if isinstance(value, Case) else value if isinstance(value, str) else ""


def is_valid(contract: str, document: Any) -> bool:
    try:
        fastjsonschema.compile(schema(contract))(copy.deepcopy(document))
    except fastjsonschema.JsonSchemaValueException:
        return False
    return True


@pytest.mark.parametrize(("contract", "case", "document"), SOUND, ids=_id)
def test_what_the_rules_call_sound_is_valid(contract: str, case: Case, document: Any) -> None:
    assert is_valid(contract, document)


@pytest.mark.parametrize(("contract", "case", "document"), WRONG, ids=_id)
def test_what_misses_a_field_or_has_a_wrong_value_is_not(contract: str, case: Case, document: Any) -> None:
    assert not is_valid(contract, document)


def test_there_are_cases_of_both_kinds() -> None:
    assert len(SOUND) > 20
    assert len(WRONG) > 3


def test_every_contract_of_json_files_has_a_schema_that_is_one() -> None:
    files = {
        entry.name
        for entry in builtin()
        if entry.contract.file is not None and entry.contract.file.syntax == "json" and entry.contract.locations
    }
    assert files >= {CONTRACT}
    for name in files:
        fastjsonschema.compile(schema(name))


def test_fields_and_values_are_reported_and_offered() -> None:
    entry = builtin()[CONTRACT]
    fields = entry.spec(entry.contract.default_profile).fields
    made = schema(CONTRACT)
    there = made["then"]["properties"]
    assert list(there) == list(fields)
    assert made["then"]["required"] == [name for name, field in fields.items() if field.required is True]
    for name, field in fields.items():
        assert there[name]["description"] == field.about.replace("`", "")
        assert field.about in there[name]["markdownDescription"]
        # A foreign file at the same path is offered the keys, too, but its values are not checked.
        assert set(made["else"]["properties"][name]) <= {"description", "markdownDescription", "deprecationMessage"}
    status, waiting = there["status"]["anyOf"]
    values = fields["status"].values
    assert status["enum"] == [value.value for value in values]
    assert all(value.about in told for value, told in zip(values, status["markdownEnumDescriptions"], strict=True))
    assert "pattern" in waiting


def test_an_empty_file_is_offered_a_whole_one() -> None:
    (skeleton,) = schema(CONTRACT)["defaultSnippets"]
    assert '"agent_id": "${1:' in skeleton["bodyText"]
    assert (
        "${3|<running \\| blocked \\| completed \\| failed>,running,blocked,completed,failed|}" in skeleton["bodyText"]
    )


def test_the_schemas_are_those_of_the_contracts() -> None:
    entries = [entry for entry in builtin() if is_json_file(entry)]
    assert entries
    for entry in entries:
        written = (SCHEMAS / schema_name(entry)).read_text(encoding="utf-8")
        assert json.loads(schema_text(entry)) == json.loads(written)
