"""``handoff-lsp contract schema``: printed by the command, from a clone and from an installed wheel."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import fastjsonschema
import pytest
import yaml

ROOT = Path(__file__).parents[2]


def test_it_is_printed_with_a_stable_name(run: Any) -> None:
    done = run("contract", "schema", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == (ROOT / "schemas" / "contract.schema.json").read_bytes()
    schema = json.loads(done.stdout)
    assert schema["$id"] == "urn:handoff-lsp:schema:contract"
    accepts = fastjsonschema.compile(schema)
    contract = yaml.safe_load((ROOT / "schemas" / "contracts" / "status-block.yaml").read_text(encoding="utf-8"))
    accepts(contract)
    with pytest.raises(fastjsonschema.JsonSchemaValueException):
        accepts({**contract, "chekcs": {}})


def test_its_path_is_that_of_a_file(run: Any) -> None:
    done = run("contract", "schema", "--path")
    path = Path(done.stdout.decode().strip())
    assert path.read_bytes() == (ROOT / "schemas" / "contract.schema.json").read_bytes()


def test_a_wheel_brings_it_along() -> None:
    """Where an installed package looks for it (``schemas_folder``) is where the wheel puts it."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included["schemas"] == "handoff_lsp/_schemas"
