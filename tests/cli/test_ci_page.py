"""``docs/ci.md``: its examples are valid for their systems, and its tables say what there is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from pre_commit.clientlib import load_config

from handoff_lsp.cli.output.format import FORMATS
from handoff_lsp.cli.output.gitlab import _SEVERITIES as GITLAB
from handoff_lsp.cli.output.sarif import _LEVELS as SARIF

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


def example(heading: str) -> str:
    """The YAML below a heading."""
    found = re.search(rf"^## {heading}\n.*?^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def section(heading: str) -> str:
    return re.split(r"^## ", PAGE.split(f"\n## {heading}\n")[1], flags=re.MULTILINE)[0]


@pytest.mark.parametrize(
    ("heading", "schema"),
    [("GitLab", "gitlab-ci"), ("Azure Pipelines", "azure-pipelines"), ("GitHub Actions", "github-workflows")],
)
def test_an_example_is_valid(heading: str, schema: str, tmp_path: Path) -> None:
    data: dict[str, Any] = yaml.safe_load(example(heading))
    if schema == "github-workflows":
        data = {"name": "x", "on": "push", "jobs": {"handoffs": {"runs-on": "ubuntu-latest", **data}}}
    path = tmp_path / "example.yml"
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    if schema == "gitlab-ci":
        check += ["--data-transform", "gitlab-ci"]
    done = subprocess.run([*check, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_example_for_pre_commit(tmp_path: Path) -> None:
    path = tmp_path / ".pre-commit-config.yaml"
    path.write_text(example("pre-commit"), encoding="utf-8")
    (repository,) = load_config(str(path))["repos"]
    ids = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
    assert {hook["id"] for hook in repository["hooks"]} <= ids


def test_the_tables_of_formats() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", section("Formats"), re.MULTILINE)
    assert rows == [*FORMATS, "error", "warning", "information", "hint"]
    for severity in ("error", "warning", "information", "hint"):
        assert f"| `{severity}` | {SARIF[severity]} |" in PAGE
        assert f"| {GITLAB[severity]} |" in re.findall(rf"^\| `{severity}`.*$", PAGE, re.MULTILINE)[0]


def test_the_table_of_inputs_and_outputs() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    told = section("GitHub Actions")
    rows = re.findall(r"^\| ((?:`[a-z-]+`(?:, )?)+) \|", told, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`([a-z-]+)`", row)} == set(action["inputs"])
    assert all(f"`{name}`" in told for name in action["outputs"])
