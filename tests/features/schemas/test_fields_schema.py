"""`schema --of fields`: it accepts what `parse` prints, for every handoff of every fixture, and nothing else."""

from __future__ import annotations

import json
import sys
import types
import warnings
from collections import defaultdict
from functools import cache
from typing import Any

import pytest
from features.schemas.fixtures import EVERY, IDS, all_found, spec_of, validator

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.reports.data import json_line
from handoff_lsp.reports.make import fields_of
from handoff_lsp.writing.schemas.fields_schema import fields_schema

CONTRACTS = builtin().names


@cache
def printed() -> dict[str, list[tuple[Spec, str, Any]]]:
    """What `parse` prints for each handoff of the fixtures, by contract."""
    found: dict[str, list[tuple[Spec, str, Any]]] = defaultdict(list)
    for name, handoff, _ in all_found():
        found[handoff.spec.name].append((handoff.spec, name, json.loads(json_line(fields_of(handoff)))))
    return found


@pytest.mark.parametrize(("name", "profile"), EVERY, ids=IDS)
def test_every_profile_has_a_schema_with_a_name_of_its_own(name: str, profile: str) -> None:
    schema = validator(spec_of(name, profile), "fields").schema
    assert schema["$id"] == f"urn:handoff-lsp:schema:{name}@{profile}:fields"
    assert list(schema["properties"]) == list(spec_of(name, profile).fields)
    assert all(field.get("description") for field in schema["properties"].values())


def test_what_parse_prints_is_valid() -> None:
    found = printed()
    assert found.keys() > set(CONTRACTS)
    assert sum(map(len, found.values())) > 2000
    for spec, name, fields in (one for ones in found.values() for one in ones):
        errors = [error.message for error in validator(spec, "fields").iter_errors(fields)]
        assert errors == [], f"{spec.name}@{spec.profile}: {name}"


STATUS_BLOCK = {"status": "complete", "abstract": {"verdict": "APPROVED", "files": {"created": 1}}}


@pytest.mark.parametrize(
    "wrong",
    [
        {**STATUS_BLOCK, "status": "Complete"},
        {**STATUS_BLOCK, "state": "complete"},
        {**STATUS_BLOCK, "abstract": {"open_questions": "2"}},
        {**STATUS_BLOCK, "abstract": {"files": {"created": "one"}}},
        {**STATUS_BLOCK, "dod_coverage": [{"mark": "x", "text": "a row"}]},
        {**STATUS_BLOCK, "files_created": "a.py"},
        ["complete"],
    ],
)
def test_what_parse_never_prints_is_not(wrong: Any) -> None:
    accepts = validator(spec_of("status-block"), "fields")
    assert accepts.is_valid(STATUS_BLOCK)
    assert not accepts.is_valid(wrong)


@pytest.mark.parametrize("name", CONTRACTS)
def test_generated_models_accept_what_parse_prints(name: str) -> None:
    """As a program has them that is made with datamodel-code-generator."""
    by_spec: dict[int, tuple[Spec, list[Any]]] = {}
    for spec, _, fields in printed()[name]:
        by_spec.setdefault(id(spec), (spec, []))[1].append(fields)
    for spec, documents in by_spec.values():
        model = _model(spec)
        for fields in documents:
            # pydantic reads no lone surrogates
            model.model_validate_json(json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace"))
        with pytest.raises(ValueError, match="nosuchfield"):
            model.model_validate({"nosuchfield": 1})


def _model(spec: Spec) -> Any:
    """The generated model of a profile's fields."""
    from datamodel_code_generator import DataModelType, InputFileType, generate

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        code = generate(
            json.dumps(fields_schema(spec)),
            input_file_type=InputFileType.JsonSchema,
            output_model_type=DataModelType.PydanticV2BaseModel,
            class_name="Fields",
            formatters=[],
        )
    assert isinstance(code, str)
    module = types.ModuleType("generated_fields")
    sys.modules[module.__name__] = module  # where pydantic looks up the names of a model's annotations
    exec(code, module.__dict__)
    return module.__dict__["Fields"]
