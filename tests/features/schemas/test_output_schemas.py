"""The schemas of `check`'s and `parse`'s JSON, held against their real output for all cases."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from case_files import read_cases
from jsonschema import Draft202012Validator

from handoff_lsp.cli.main import main

SCHEMAS = Path(__file__).parents[3] / "schemas"


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"urn:handoff-lsp:schema:{name}"
    assert schema["title"] and schema["description"]
    return Draft202012Validator(closed(schema))


def closed(schema: Any) -> Any:
    """A schema that refuses unknown keys: the published one leaves room for a later version's."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(part) for key, part in schema.items()}
    return {**made, "additionalProperties": False} if isinstance(made.get("required"), list) else made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the documents of all cases, a config that does not load and a file that is no UTF-8."""
    root = tmp_path_factory.mktemp("cases")
    for number, case in enumerate(read_cases()):
        path = root / str(number) / (case.path or "report.md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(case.text.encode("utf-8", "surrogatepass"))
    (root / "broken").mkdir()
    (root / "broken" / ".handoff-lsp.toml").write_text("exclude = 1\n", encoding="utf-8")
    (root / "broken" / "report.md").write_text("# Report\n", encoding="utf-8")
    (root / "latin.md").write_bytes(b"\xff\xfe\xe9")
    return root


@pytest.fixture(scope="module")
def checked(folder: Path) -> dict[str, Any]:
    return json.loads(output(folder, "check", "--output-format", "json", "--examples", "."))


@pytest.fixture(scope="module")
def few(checked: dict[str, Any]) -> dict[str, Any]:
    """The same with few files, handoffs and findings."""
    return {key: value[:3] if isinstance(value, list) else value for key, value in checked.items()}


def output(folder: Path, *arguments: str) -> str:
    """What the command prints in a folder."""
    before, printed = os.getcwd(), io.StringIO()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            main(list(arguments))
    finally:
        os.chdir(before)
    return printed.getvalue()


def test_check_prints_what_its_schema_says(checked: dict[str, Any]) -> None:
    assert len(checked["findings"]) > 500
    assert {"fix", "choices", "related"} <= checked["findings"][0].keys()
    assert any(finding["fix"] for finding in checked["findings"])
    assert checked["failed"] or checked["skipped"]
    assert [error.message for error in validator("check").iter_errors(checked)] == []


def test_every_line_of_parse_is_what_its_schema_says(folder: Path) -> None:
    lines = output(folder, "parse", "--output-format", "json", "--examples", ".").splitlines()
    assert len(lines) > 500
    accepts = validator("parse")
    for line in lines:
        assert [error.message for error in accepts.iter_errors(json.loads(line))] == []


@pytest.mark.parametrize("key", ["version", "files", "handoffs", "failed", "summary", "findings"])
def test_a_missing_part_is_noticed(few: dict[str, Any], key: str) -> None:
    assert validator("check").is_valid(few)
    broken = copy.copy(few)
    del broken[key]
    assert not validator("check").is_valid(broken)


def test_a_finding_of_another_form_is_noticed(few: dict[str, Any]) -> None:
    for key, value in (("severity", "fatal"), ("range", None), ("fix", {}), ("extra", 1)):
        broken = {**few, "findings": [{**few["findings"][0], key: value}]}
        assert not validator("check").is_valid(broken)
