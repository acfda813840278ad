"""``handoff-lsp config show``: the settings of a file, each with its origin."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from handoff_lsp.cli.main import main

BASE = """\
exclude = ["old"]
[rules]
count-mismatch = "warning"
invalid-type = "hint"
[[files]]
pattern = "**/*.md"
mode = "template"
"""
OWN = """\
extend = "base.toml"
disable = ["agent-input"]
[contracts.agent-contract]
profile = "gaia-5.0"
[rules]
invalid-value = "hint"
[[files]]
pattern = "team/*.md"
contract = "status-block"
rules.count-mismatch = "off"
"""


@pytest.fixture
def configs(here: Path) -> Path:
    (here / "base.toml").write_text(BASE)
    (here / ".handoff-lsp.toml").write_text(OWN)
    return here


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["config", "show", "--output-format", "json", *arguments]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_text_shows_each_setting_with_its_line(configs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "show", "team/a.md", "--severity", "invalid-value=off", "--extend-exclude", "b.md"]) == 0
    assert (
        capsys.readouterr().out
        == """\
team/a.md
  config    .handoff-lsp.toml, the nearest one upward
  extends   base.toml
  checked   yes, with its folder
  contract  status-block
  mode      template

settings
  examples                          false            default
  exclude                           ["old"]          base.toml:1
  extend-exclude                    ["b.md"]         command line
  disable                           ["agent-input"]  .handoff-lsp.toml:2
  contract-files                    []               default
  contract-packages                 []               default
  baseline                          ""               default
  contracts.agent-contract.profile  "gaia-5.0"       .handoff-lsp.toml:4

rules
  invalid-value   off (default: error)   command line
  count-mismatch  off (default: error)   .handoff-lsp.toml:10
  invalid-type    hint (default: error)  base.toml:4

[[files]] that match
  **/*.md    mode = "template"                                        base.toml:6
  team/*.md  contract = "status-block", rules.count-mismatch = "off"  .handoff-lsp.toml:8

See `handoff-lsp doctor team/a.md` for the handoffs in it, and why they were recognized.
"""
    )


def test_json_has_the_sources(configs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = shown(capsys, "old/a.md", "--exclude", "elsewhere")
    assert found["path"] == str(configs / "old" / "a.md")
    assert found["passed_over"] == ""
    assert (found["contract"], found["mode"]) == (None, "template")
    settings = {each["key"]: each for each in found["settings"]}
    assert settings["exclude"]["value"] == ["elsewhere"]
    assert settings["exclude"]["source"] == {"by": "command line", "path": None, "line": None}
    assert settings["disable"]["source"] == {"by": "config", "path": str(configs / ".handoff-lsp.toml"), "line": 2}
    assert [each["rule"] for each in found["rules"]] == ["invalid-value", "count-mismatch", "invalid-type"]


def test_examples_are_from_the_command_line_where_it_asks_for_them(
    configs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, found = shown(capsys)["settings"], shown(capsys, "--examples")["settings"]
    source = {"by": "command line", "path": None, "line": None}
    assert [each for each in found if each not in before] == [{"key": "examples", "value": True, "source": source}]
    assert [each["key"] for each in found] == [each["key"] for each in before]


def test_the_severities_are_those_of_the_check(configs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from handoff_lsp.workspace.config.resolver import Resolver

    for name in ("team/a.md", "b.md", "old/c.md"):
        severities = {each["rule"]: each["severity"] for each in shown(capsys, name)["rules"]}
        assert severities == dict(Resolver().options(configs / name).severities)


def test_an_excluded_file_names_the_pattern(configs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, "old/a.md")["passed_over"] == "excluded by `old`"
    assert shown(capsys, "a.txt")["passed_over"].startswith("only .md and .markdown")


def test_of_pyproject_the_lines_of_our_table_are_shown(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "pyproject.toml").write_text('[project]\nname = "x"\n\n[tool.handoff-lsp.rules]\ninvalid-value = "off"\n')
    (rule,) = shown(capsys)["rules"]
    assert rule["source"] == {"by": "config", "path": str(here / "pyproject.toml"), "line": 5}


def test_without_a_config_all_is_default(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = shown(capsys)
    assert {each["source"]["by"] for each in found["settings"]} == {"default"}
    assert (found["config"]["path"], found["rules"], found["entries"]) == (None, [], [])


def test_isolated_shows_the_settings_without_config(configs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "show", "--isolated"]) == 0
    assert capsys.readouterr().out.startswith("./\n  config    none, by --isolated\n")


def test_a_broken_config_is_an_error_with_its_place(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / ".handoff-lsp.toml").write_text("exlude = []\n")
    assert main(["config", "show"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == ("handoff-lsp: error: .handoff-lsp.toml:1: unknown key `exlude`; did you mean `exclude`?\n")


def test_config_needs_its_action(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config"]) == 2
    assert "missing action: it is one of show" in capsys.readouterr().err
