"""The files below .github/: valid, with few permissions, and every action pinned by its commit."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent.parent
GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
BIN = Path(sys.executable).parent

# The only jobs that may do more than read the repository.
MORE = {
    ("docs.yml", "publish"): {"pages": "write", "id-token": "write"},
    ("nightly.yml", "report"): {"issues": "write"},
    ("release.yml", "package"): {"id-token": "write"},
    ("release.yml", "release"): {"contents": "write", "id-token": "write", "attestations": "write"},
}


def data(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps(name: str, job: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = data(GITHUB / "workflows" / name)["jobs"][job]["steps"]
    return found


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("github-workflows", "workflows/*.yml"),
        ("dependabot", "dependabot.yml"),
        ("github-issue-forms", "ISSUE_TEMPLATE/[!c]*.yml"),
        ("github-issue-config", "ISSUE_TEMPLATE/config.yml"),
    ],
)
def test_valid_for_its_schema(schema: str, files: str) -> None:
    paths = [str(path) for path in sorted(GITHUB.glob(files))]
    assert paths
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *paths]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_zizmor_finds_nothing_unsafe() -> None:
    audit = [BIN / "zizmor", "--offline", "--no-progress", "--persona=regular", GITHUB]
    done = subprocess.run(audit, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_action_is_pinned_by_its_commit_with_the_version_beside_it(path: Path) -> None:
    used = re.findall(r"uses: (?!\./)(.*)", path.read_text(encoding="utf-8"))
    assert [line for line in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)] == []


def test_an_action_has_one_commit_in_all_workflows() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    pins = set(re.findall(r"uses: ([\w-]+/[\w-]+)@(\S+ # \S+)", text))
    assert len({action for action, _ in pins}) == len(pins)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_job_may_only_do_what_it_needs(path: Path) -> None:
    workflow = data(path)
    assert workflow["permissions"] == {}
    for name, job in workflow["jobs"].items():
        assert job["permissions"] == MORE.get((path.name, name), {"contents": "read"}), name


def test_ci_runs_on_three_systems_and_on_every_python_that_the_package_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = [found[1] for one in project["classifiers"] if (found := re.search(r":: (3\.\d+)$", one))]
    matrix = data(GITHUB / "workflows" / "ci.yml")["jobs"]["versions"]["strategy"]["matrix"]
    assert matrix["python"] == listed
    assert [system.split("-")[0] for system in matrix["system"]] == ["ubuntu", "macos", "windows"]


def test_ci_runs_what_we_run() -> None:
    assert steps("ci.yml", "all")[-1]["run"] == "bash .ci/run"
    assert steps("ci.yml", "versions")[-1]["run"] == "bash .ci/versions python"


_GH = """#!/bin/sh
echo "$@" >>"$CALLS"
case "$1 $2" in
"issue list") echo "$OPEN" ;;
"issue create" | "issue comment") cat body.md >>"$CALLS" ;;
esac
"""


@pytest.mark.parametrize(("opened", "expected"), [("", "issue create --label nightly"), ("17", "issue comment 17")])
def test_a_broken_night_opens_one_issue(tmp_path: Path, opened: str, expected: str) -> None:
    """The step itself, with a `gh` that writes down what it is asked."""
    (tmp_path / "gh").write_text(_GH)
    (tmp_path / "gh").chmod(0o755)
    step = steps("nightly.yml", "report")[-1]
    results = {"fuzz": {"result": "failure"}, "promises": {"result": "success"}, "silence": {"result": "cancelled"}}
    said = {
        "RUN": "https://runs.invalid/5",
        "SEED": "5",
        "GITHUB_SHA": "0123456789abcdef",
        "RESULTS": json.dumps(results),
    }
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "CALLS": "calls", "OPEN": opened, **said}
    # As GitHub runs a step.
    subprocess.run(["bash", "-e", "-c", step["run"]], cwd=tmp_path, env=environment, check=True)
    calls = (tmp_path / "calls").read_text()
    assert expected in calls
    assert calls.count("issue create") + calls.count("issue comment") == 1
    assert "Failed: fuzz silence, at `0123456789ab` with the seed 5: https://runs.invalid/5" in calls
    assert set(step["env"]) == {"GH_TOKEN", "GH_REPO", "RUN", "RESULTS"}


def test_the_report_waits_for_every_job_of_the_night() -> None:
    jobs = data(GITHUB / "workflows" / "nightly.yml")["jobs"]
    assert jobs["report"]["needs"] == [name for name in jobs if name != "report"]


def test_nothing_is_published_before_the_tag_and_all_of_ci_are_right() -> None:
    workflow = data(GITHUB / "workflows" / "release.yml")
    assert workflow[True] == {"push": {"tags": ["v*"]}}  # YAML reads `on` as a boolean
    jobs = workflow["jobs"]
    assert jobs["version"]["steps"][-1]["run"] == 'python scripts/release.py check "$GITHUB_REF_NAME"'
    assert jobs["ci"]["uses"] == "./.github/workflows/ci.yml"

    def before(job: str) -> set[str]:
        needs = jobs[job].get("needs", [])
        direct = {needs} if isinstance(needs, str) else set(needs)
        return direct.union(*(before(one) for one in direct))

    for job in ("package", "extension", "release"):
        assert {"version", "ci", "build"} <= before(job)


def test_the_job_that_publishes_the_package_builds_nothing_and_keeps_no_password() -> None:
    job = data(GITHUB / "workflows" / "release.yml")["jobs"]["package"]
    assert [step["uses"].split("@")[0] for step in job["steps"]] == [
        "actions/download-artifact",
        "pypa/gh-action-pypi-publish",
    ]
    assert job["environment"] == "pypi"
    assert job["steps"][-1]["with"] == {"attestations": True}


@pytest.mark.parametrize("target", ["docs", "dist", "fuzz", "promises", "silence", "vsix"])
def test_the_targets_that_workflows_make_are_there(target: str) -> None:
    used = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    assert re.search(rf"run: make .*\b{target}\b", used)
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
