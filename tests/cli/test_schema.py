"""``handoff-lsp schema``: printed by the command, from a clone and from an installed wheel."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import fastjsonschema
import pytest
import yaml

from handoff_lsp.cli.main import main
from handoff_lsp.cli.schema import FILES

ROOT = Path(__file__).parents[2]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit code, output and errors of the command."""
    code = main(["schema", *arguments])
    return (code, *capsys.readouterr())


def test_that_of_contracts_is_printed_with_a_stable_name(run: Any) -> None:
    done = run("schema", "contract", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == (ROOT / "schemas" / "contract.schema.json").read_bytes()
    schema = json.loads(done.stdout)
    assert schema["$id"] == "urn:handoff-lsp:schema:contract"
    accepts = fastjsonschema.compile(schema)
    contract = yaml.safe_load((ROOT / "schemas" / "contracts" / "status-block.yaml").read_text(encoding="utf-8"))
    accepts(contract)
    with pytest.raises(fastjsonschema.JsonSchemaValueException):
        accepts({**contract, "chekcs": {}})


@pytest.mark.parametrize("name", FILES)
def test_our_own_are_files_with_a_title_a_description_and_a_name(
    here: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    code, text, _ = printed(capsys, name)
    assert code == 0
    assert json.loads(text)["$id"] == f"urn:handoff-lsp:schema:{name}"
    assert json.loads(text)["title"]
    assert json.loads(text)["description"]
    _, path, _ = printed(capsys, name, "--path")
    assert Path(path.strip()).read_text(encoding="utf-8") == text


def test_the_help_names_all_of_our_own(run: Any) -> None:
    names = " ".join(run("schema", "--help").stdout.decode().partition("NAME ")[2].partition("options:")[0].split())
    assert names.endswith(f"{', '.join(FILES[:-1])} or {FILES[-1]}")


def test_a_wheel_brings_them_along() -> None:
    """Where an installed package looks for them (``schemas_folder``) is where the wheel puts them."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included["schemas"] == "handoff_lsp/_schemas"


def test_a_contract_has_those_of_its_profiles(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, default, _ = printed(capsys, "status-block")
    _, reviewer, _ = printed(capsys, "status-block@reviewer", "--of", "fields", "--for", "draft-2020-12")
    assert json.loads(default)["$id"] == "urn:handoff-lsp:schema:status-block@handoff:fields"
    assert json.loads(reviewer)["$id"] == "urn:handoff-lsp:schema:status-block@reviewer:fields"
    _, written, _ = printed(capsys, "agent-contract@gaia-5.4", "--of", "handoff")
    assert json.loads(written)["properties"]["agent_status"]["additionalProperties"] is False


def test_a_contract_of_your_own_has_one(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["contract", "new", "nightly-report", "--form", "fence"]) == 0
    (here / ".handoff-lsp.toml").write_text('contract-files = ["contracts/*.yaml"]\n', encoding="utf-8")
    capsys.readouterr()
    code, text, errors = printed(capsys, "nightly-report", "--of", "handoff")
    assert (code, errors) == (0, "")
    assert json.loads(text)["$id"] == "urn:handoff-lsp:schema:nightly-report@default:handoff"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["status-block", "--of", "handoff"], "are Markdown, not JSON or YAML; use `--of fields`"),
        (["activity-log", "--of", "handoff"], "are a log, not JSON or YAML; use `--of fields`"),
        (["result-envelope", "--of", "handoff"], "or the profile `json` or `json-v1`"),
        (["status-blok"], "unknown contract `status-blok`; did you mean `status-block`?"),
        (["confg"], "unknown contract `confg`; did you mean `config`?"),
        (["status-block@revewer"], "has no profile `revewer`; did you mean `reviewer`?"),
        (["check", "--of", "fields"], "`--of` and `--for` are for contracts, not for check"),
        (["check", "--for", "openai"], "`--of` and `--for` are for contracts, not for check"),
        (["status-block", "--path"], "`--path` is for config, contract, check, parse"),
        (["status-block", "--for", "openapi"], "unknown value `openapi`; did you mean `openai`?"),
        ([], "the following arguments are required: NAME"),
    ],
)
def test_errors_say_what_to_do(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    code, text, errors = printed(capsys, *arguments)
    assert (code, text) == (2, "")
    assert words in errors


def test_fields_for_which_a_maker_has_no_room_are_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text, errors = printed(capsys, "phase-summary", "--for", "anthropic")
    assert code == 0
    assert "next_step" in errors
    assert "next_step" not in json.loads(text)["properties"]
    assert printed(capsys, "status-block", "--for", "anthropic")[2] == ""
