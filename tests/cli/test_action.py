"""The GitHub action: its description, and its scripts as a runner calls them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli.documents import BAD
from cli.output.readers import read_github, read_sarif

ROOT = Path(__file__).parents[2]
ACTION = ROOT / "action.yml"
SCRIPTS = ROOT / ".github" / "action"
GOOD = BAD.replace("compleet", "complete")


def action() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    return found


def script(name: str) -> str:
    return (SCRIPTS / f"{name}.py").read_text(encoding="utf-8")


class Runner:
    """A folder with what GitHub gives a step: a workspace, a temporary folder, and files for its answers."""

    def __init__(self, folder: Path) -> None:
        self.workspace = folder / "work space"
        self.workspace.mkdir()
        self.temporary = folder / "temp"
        python = self.temporary / "handoff-lsp" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
        python.chmod(0o755)
        self.answers, self.summary = folder / "output", folder / "summary"

    def run(self, name: str, **inputs: str) -> subprocess.CompletedProcess[str]:
        told = {key: value for key, value in os.environ.items() if not key.startswith(("INPUT_", "GITHUB_"))}
        told |= {
            "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_OUTPUT": str(self.answers),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "RUNNER_TEMP": str(self.temporary),
        }
        told |= {f"INPUT_{key.upper()}": value for key, value in inputs.items()}
        command = [sys.executable, "-I", str(SCRIPTS / f"{name}.py")]
        return subprocess.run(command, cwd=self.workspace, env=told, capture_output=True, text=True, check=False)

    @property
    def outputs(self) -> dict[str, str]:
        """The answers as the runner reads them: `name<<end`, lines, `end`."""
        found, lines = {}, iter(self.answers.read_text(encoding="utf-8").splitlines())
        for line in lines:
            name, end = line.split("<<")
            value = []
            for each in lines:
                if each == end:
                    break
                value.append(each)
            found[name] = "\n".join(value)
        return found


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    if os.name == "nt":
        pytest.skip("the runner's stand-in is a shell script")
    return Runner(tmp_path)


# The description


def test_the_description_is_valid_and_safe() -> None:
    schema = ["-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", str(ACTION)]
    done = subprocess.run([sys.executable, *schema], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    audit = [Path(sys.executable).parent / "zizmor", "--offline", "--no-progress", "--persona=regular", str(ACTION)]
    done = subprocess.run(audit, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_input_is_code() -> None:
    for step in action()["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_every_input_is_read_and_every_output_is_set() -> None:
    description = action()
    steps = description["runs"]["steps"]
    used = re.findall(r"inputs\.([a-z-]+)", yaml.safe_dump(steps))
    assert set(used) == set(description["inputs"])
    given = {variable for step in steps for variable in step.get("env", {})}
    scripts = script("install") + script("check")
    read = {f"INPUT_{name}" for name in re.findall(r'wanted\("([A-Z_]+)"\)', scripts)}
    read |= set(re.findall(r'"(INPUT_[A-Z_]+)"', scripts)) | {"INPUT_CONFIG", "INPUT_BASELINE"}
    assert given == read
    for name, output in description["outputs"].items():
        assert output["value"] == f"${{{{ steps.check.outputs.{name} }}}}"


# Its second step


def test_findings(runner: Runner) -> None:
    (runner.workspace / "a-handoff.md").write_text(BAD, encoding="utf-8")
    (runner.workspace / "b c-handoff.md").write_text(GOOD, encoding="utf-8")
    done = runner.run("check", paths="a-handoff.md\nb c-handoff.md\n", sarif_file="out.sarif")
    assert done.returncode == 1, done.stderr
    assert [each[:4] for each in read_github(done.stdout)] == [("a-handoff.md", 4, 1, "invalid-value")]
    assert runner.outputs == {
        "exit-code": "1",
        "findings": "1",
        "errors": "1",
        "warnings": "0",
        "handoffs": "2",
        "sarif-file": "out.sarif",
    }
    assert set(runner.outputs) == set(action()["outputs"])
    assert read_sarif((runner.workspace / "out.sarif").read_text(encoding="utf-8"))[0].path == "a-handoff.md"
    assert "| Handoff |" in runner.summary.read_text(encoding="utf-8")


def test_a_folder_of_the_workspace(runner: Runner) -> None:
    inner = runner.workspace / "inner"
    inner.mkdir()
    (inner / "a-handoff.md").write_text(BAD, encoding="utf-8")
    done = runner.run("check", working_directory="inner", sarif_file="out.sarif")
    assert read_github(done.stdout)[0].path == "inner/a-handoff.md"
    assert runner.outputs["sarif-file"] == "inner/out.sarif"
    assert read_sarif((inner / "out.sarif").read_text(encoding="utf-8"))[0].path == "inner/a-handoff.md"


def test_no_annotations_and_no_failure(runner: Runner) -> None:
    (runner.workspace / "a-handoff.md").write_text(BAD, encoding="utf-8")
    done = runner.run("check", annotations="false", fail_on="never", args="--ignore 'path-not-found' -q")
    assert done.returncode == 0
    assert done.stdout.startswith("a-handoff.md:4:1: error[invalid-value] ")
    assert not runner.summary.exists()
    assert runner.outputs["errors"] == "1"


def test_a_failure_fails_the_step(runner: Runner) -> None:
    done = runner.run("check", paths="missing.md")
    assert done.returncode == 2
    assert "title=handoff-lsp (not-checked)::missing.md: no such file or folder" in done.stdout
    assert runner.outputs["exit-code"] == "2"


@pytest.mark.parametrize(
    "inputs",
    [
        {"paths": "$(touch owned)\n`touch owned`\n; touch owned"},
        {"args": "$(touch owned) ; touch owned"},
        {"sarif_file": "x\nexit-code<<y\n0\ny"},
        {"fail_on": "$(touch owned)"},
        {"args": "'never closed"},
        {"working_directory": "nowhere\n::warning::x"},
    ],
    ids=lambda inputs: next(iter(inputs)),
)
def test_hostile_inputs_are_only_arguments(inputs: dict[str, str], runner: Runner) -> None:
    done = runner.run("check", **inputs)
    assert done.returncode == (0 if "sarif_file" in inputs else 2)  # a name may have any characters
    assert not list(runner.workspace.rglob("owned"))
    assert "::warning::" not in done.stdout.splitlines()
    if runner.answers.exists():
        assert runner.outputs["exit-code"] == str(done.returncode)
        assert set(runner.outputs) == set(action()["outputs"])


def test_a_module_of_the_checkout_is_not_run(runner: Runner) -> None:
    for name in ("yaml", "json", "handoff_lsp"):
        (runner.workspace / f"{name}.py").write_text("raise SystemExit(77)", encoding="utf-8")
    assert runner.run("check").returncode == 0


# Its first step


def test_a_version_is_a_version(runner: Runner) -> None:
    for version in ("1.0 --index-url=x", "-r x", "git+https://x", "1;x"):
        done = runner.run("install", version=version)
        assert (done.returncode, done.stdout[:7]) == (2, "::error")


def test_the_action_installs_itself(tmp_path: Path) -> None:
    """Both steps, with an environment of its own from the package index."""
    runner = Runner(tmp_path)
    (runner.workspace / "a-handoff.md").write_text(BAD, encoding="utf-8")
    done = runner.run("install", version="")
    assert done.returncode == 0, done.stderr
    assert not (runner.temporary / "handoff-lsp" / "bin" / "python").read_bytes().startswith(b"#!")
    assert runner.run("check").returncode == 1
    assert json.loads(runner.outputs["errors"]) == 1
