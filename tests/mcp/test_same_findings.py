"""The law: `check` over MCP has the findings and the verdict of `handoff-lsp check`, on the cases of all contracts."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from case_files import read_cases
from library.test_same_findings import written

from handoff_lsp.cli.main import main

from .conftest import BAD, GOOD, ROOT, Connect

# Every second case: each contract has hundreds.
CASES = read_cases()[::2]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cases")


@pytest.fixture(scope="module")
def files(root: Path) -> list[str]:
    """The documents of the cases, each in a folder of its own, from the root."""
    return [written(case, root / f"{number:04}").relative_to(root).as_posix() for number, case in enumerate(CASES)]


def test_the_findings_of_the_command(
    root: Path, files: list[str], connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    monkeypatch.chdir(root)
    monkeypatch.setattr(sys, "stdout", printed)
    main(["check", "--output-format", "json", *files])
    printed.flush()
    command = json.loads(printed.buffer.getvalue())  # type: ignore[attr-defined]
    findings = defaultdict(list)
    for finding in command["findings"]:
        findings[finding["path"]].append(_of_command(finding))
    verdicts = {file["path"]: file["verdict"] for file in command["files"]}
    session = connect(root)
    states: dict[str, int] = defaultdict(int)
    for path in files:
        found, _ = session.call("check", path=path)
        assert found["verdict"] == verdicts[path], path
        listed = [_of_tool(finding) for finding in found.get("findings", [])]
        assert listed == findings[path][: len(listed)], path
        assert len(listed) + found.get("left_out", 0) == len(findings[path]), path
        states[found["verdict"]["state"]] += 1
    assert min(states["clean"], states["findings"]) > 80 and states["not checked"] > 20, dict(states)


def _of_command(finding: dict[str, Any]) -> tuple[Any, ...]:
    start = finding["range"]["start"]
    fixes = [finding["fix"]] if finding["fix"] else finding["choices"]
    about = (finding["rule"], finding["severity"], finding["message"], finding["note"], finding["field"])
    return (start["line"], start["column"], *about, finding["related"], fixes)


def _of_tool(finding: dict[str, Any]) -> tuple[Any, ...]:
    about = (finding["rule"], finding["severity"], finding["message"], finding.get("note", ""), finding.get("field"))
    return (finding["line"], finding["column"], *about, finding.get("related", []), finding.get("fixes", []))


@pytest.mark.parametrize("agent", ["", "sdd-apply", "my-helper"])
def test_the_findings_of_the_command_about_a_text(agent: str, root: Path, connect: Connect) -> None:
    session = connect(root)
    options = ["--agent", agent] if agent else []
    for text in (BAD, GOOD, "All done!\n", "", "**Status**: success\n**Summary**: x\n\nBye.\n", "a\0b", "é" * 10):
        command = [sys.executable, "-m", "handoff_lsp", "check", "-", "--output-format", "json", *options]
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, input=text.encode(), capture_output=True, cwd=root, env=env, check=False)
        printed = json.loads(done.stdout)
        found, _ = session.call("check", text=text, agent=agent)
        assert [_of_tool(finding)[:5] for finding in found.get("findings", [])] == [
            _of_command(finding)[:5] for finding in printed["findings"]
        ]
        if printed["files"]:
            assert found["verdict"] == printed["files"][0]["verdict"]
        else:
            assert found["verdict"]["reason"] == printed["failed"][0]["reason"]
