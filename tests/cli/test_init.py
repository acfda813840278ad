"""``handoff-lsp init``: the written config, which changes no finding."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import ROOT
from cli.documents import BAD

from handoff_lsp.cli.config.text import SCHEMA
from handoff_lsp.cli.main import main
from handoff_lsp.workspace.config.config_file import load_config

WILD = ROOT.parent / "shared" / "wild"


def checked(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capsys.readouterr()
    main(["check", "--output-format", "json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(BAD, encoding="utf-8")


@pytest.mark.parametrize("source", [ROOT / "examples", WILD], ids=["examples", "wild"])
def test_the_config_changes_no_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], source: Path
) -> None:
    if not source.is_dir():
        pytest.skip(f"{source} is not here")
    folder = tmp_path / "copy"
    shutil.copytree(source, folder)
    (folder / ".handoff-lsp.toml").unlink(missing_ok=True)
    monkeypatch.chdir(folder)
    before = checked(capsys)
    assert before["findings"]
    assert main(["init"]) == 0
    assert load_config(folder / ".handoff-lsp.toml").path is not None
    assert checked(capsys) == before


def test_the_config_lists_contracts_and_places_and_proposes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here, "board/a-dev-handoff.md", "board/b-dev-handoff.md", "board/archive/c-dev-handoff.md")
    assert main(["init"]) == 0
    assert (
        (here / ".handoff-lsp.toml").read_text(encoding="utf-8")
        == f"""\
#:schema {SCHEMA}
# The config of handoff-lsp for this folder. `handoff-lsp config show FILE` shows its effect on a file.
#
# Found here:
# - status-block (developer): 3 in "board/*.md", "board/archive/*.md"

# Files and folders to leave out. Named files are still checked, unless --force-exclude is given.
# exclude = ["board/archive"]  # handoffs: 1 in board/archive

# Contracts that are none of yours: their handoffs get no findings.
# disable = ["status-block"]

[contracts.status-block]
profile = "developer"  # counts where a handoff shows no other; all 3 have it

# Severities: error, warning, information, hint or off.
# [rules]
# invalid-value = "warning"

# Settings of some files, such as their contract or their mode (handoff, template or example).
# [[files]]
# pattern = "docs/templates/**"
# mode = "template"
"""
    )
    assert (
        capsys.readouterr().out
        == """\
Wrote .handoff-lsp.toml. Found 3 handoffs in 3 files.

  status-block  3

Most findings are of:
  3  error  invalid-value  3 with `--unsafe-fixes`

Next:
  handoff-lsp check --statistics   all findings by rule
  handoff-lsp config show FILE     the settings of a file, and where each comes from
  handoff-lsp explain RULE         the meaning of a rule
"""
    )


def test_every_proposal_is_valid_once_it_is_uncommented(here: Path) -> None:
    write(here, "board/a-dev-handoff.md", "archive/b-dev-handoff.md")
    assert main(["init"]) == 0
    path = here / ".handoff-lsp.toml"
    proposals = ("# exclude", "# disable", "# [", "# invalid-value", "# pattern", "# mode")
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(line.removeprefix("# ") if line.startswith(proposals) else line for line in lines))
    config = load_config(path)
    assert [each.pattern for each in config.exclude] == ["archive"]
    assert (config.disable, dict(config.rules)) == ({"status-block"}, {"invalid-value": "warning"})
    assert [each.pattern for each in config.files] == ["docs/templates/**"]


def test_nothing_is_overwritten_without_force(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = here / ".handoff-lsp.toml"
    path.write_text("examples = true\n")
    assert main(["init"]) == 2
    assert ".handoff-lsp.toml already exists" in capsys.readouterr().err
    assert path.read_text() == "examples = true\n"
    assert main(["init", "--force"]) == 0
    assert path.read_text().startswith("#:schema")


def test_a_table_in_pyproject_still_counts_below_the_new_config(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here, "handoffs/dev-handoff.md")
    (here / "pyproject.toml").write_text('[tool.handoff-lsp.rules]\ninvalid-value = "off"\n')
    before = checked(capsys)
    assert main(["init", "--force"]) == 0
    assert 'extend = "pyproject.toml"' in (here / ".handoff-lsp.toml").read_text()
    assert checked(capsys)["files"] == before["files"]


def test_a_table_in_pyproject_counts_as_a_config(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "pyproject.toml").write_text("[tool.handoff-lsp]\nexamples = true\n")
    assert main(["init"]) == 2
    assert "pyproject.toml has a table [tool.handoff-lsp]" in capsys.readouterr().err
    assert not (here / ".handoff-lsp.toml").exists()


def test_the_config_of_a_folder_above_is_extended(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / ".handoff-lsp.toml").write_text('rules.invalid-value = "hint"\n')
    write(here, "team/board/a-dev-handoff.md")
    (here / ".git").mkdir()
    before = checked(capsys)
    assert main(["init", "team"]) == 0
    assert 'extend = "../.handoff-lsp.toml"' in (here / "team" / ".handoff-lsp.toml").read_text()
    assert checked(capsys) == before


def test_without_git_the_new_root_of_paths_is_said(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here, "team/a-dev-handoff.md")
    assert main(["init", "team"]) == 0
    assert "so paths in handoffs now count from team." in capsys.readouterr().out


def test_an_empty_folder_gets_a_config_to_fill_in(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init"]) == 0
    assert capsys.readouterr().out.startswith("Wrote .handoff-lsp.toml. Found 0 handoffs in 0 files.\n")
    assert load_config(here / ".handoff-lsp.toml").exclude == ()


def test_paths_with_odd_names_make_a_valid_config(here: Path) -> None:
    write(here, 'old/"q\u202e\u00e9/a-dev-handoff.md', "archive/new\nline/b-dev-handoff.md")
    assert main(["init"]) == 0
    assert load_config(here / ".handoff-lsp.toml").rules == {}


@pytest.mark.parametrize("given", ["nope", "file.md"])
def test_what_is_no_folder_is_refused(here: Path, capsys: pytest.CaptureFixture[str], given: str) -> None:
    (here / "file.md").write_text("x")
    assert main(["init", given]) == 2
    assert f"no such folder: {given}" in capsys.readouterr().err
