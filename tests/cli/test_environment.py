"""The format of `check` without `--output-format`: `agent` where an AI agent runs it, and nowhere else."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from handoff_lsp.cli import help_texts
from handoff_lsp.cli.environment import AGENTS, FORMAT, PLACES, agent_variable
from handoff_lsp.cli.main import main


@pytest.fixture(params=AGENTS)
def agent(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A variable of an agent, set."""
    monkeypatch.setenv(request.param, "1")
    return str(request.param)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["check", *arguments]) == 1
    return capsys.readouterr().out


def is_agents(out: str) -> bool:
    return out.startswith("a-handoff.md: findings; ")


def test_each_variable_chooses_the_format_and_the_last_line_says_so(
    agent: str, bad: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = printed(capsys)
    assert is_agents(out)
    assert out.splitlines()[-1] == f"Format `agent`, as {agent} is set; for people: `--output-format text`."


def test_without_one_the_format_is_text(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys).startswith("a-handoff.md:4:1: error[invalid-value]")


def test_a_variable_without_a_value_says_nothing() -> None:
    assert agent_variable(dict.fromkeys((*AGENTS, *PLACES), ""), terminal=False) == ""


@pytest.mark.parametrize("name", PLACES)
def test_a_hosted_terminal_is_no_agent(name: str) -> None:
    assert agent_variable({name: "x"}, terminal=True) == ""
    assert agent_variable({name: "x"}, terminal=False) == name


def test_on_a_terminal_an_agent_is_an_agent() -> None:
    assert agent_variable({"CLAUDECODE": "1"}, terminal=True) == "CLAUDECODE"


def test_a_format_that_is_asked_for_counts(
    bad: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = printed(capsys)
    concise = printed(capsys, "--output-format", "concise")
    monkeypatch.setenv("CLAUDECODE", "1")
    assert printed(capsys, "--output-format", "text") == text
    assert printed(capsys, "--output-format", "concise") == concise
    asked = printed(capsys, "--output-format", "agent")
    assert is_agents(asked)
    assert "Format `agent`" not in asked
    monkeypatch.setenv(FORMAT, "text")
    assert printed(capsys) == text
    assert printed(capsys, "--output-format", "concise") == concise


def test_a_file_beside_it_and_statistics_leave_text(
    bad: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = printed(capsys, "--statistics")
    text = printed(capsys)
    monkeypatch.setenv("CLAUDECODE", "1")
    assert printed(capsys, "-o", "json:found.json") == text
    assert json.loads(Path("found.json").read_text(encoding="utf-8"))["findings"]
    assert printed(capsys, "--statistics") == counts
    monkeypatch.setenv(FORMAT, "sarif")
    assert printed(capsys, "--statistics") == counts


def test_fixes_without_findings_have_no_format(
    bad: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv(FORMAT, "json")
    assert printed(capsys, "--diff", "--unsafe-fixes").startswith("--- a-handoff.md")


def test_the_variable_names_any_format(
    bad: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FORMAT, "json")
    assert json.loads(printed(capsys))["findings"]
    monkeypatch.setenv(FORMAT, "jsno")
    assert main(["check"]) == 2
    assert f"error: `{FORMAT}`: unknown value `jsno`; did you mean `json`?" in capsys.readouterr().err


def test_annotations_of_ci_are_never_the_default(
    bad: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent in a job of CI reads the log of its own command, so it gets its format there, too."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("CI", "true")
    assert not is_agents(printed(capsys))
    monkeypatch.setenv("CLAUDECODE", "1")
    assert is_agents(printed(capsys))


def test_the_help_names_each_variable_and_the_present_default(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (*AGENTS, *PLACES, FORMAT):
        assert re.search(rf"\b{name}\b", help_texts.CHECK_MORE)
    main(["check", "--help"])
    assert "(default: text, for AI agents agent; see below)" in capsys.readouterr().out
    monkeypatch.setenv("GEMINI_CLI", "1")
    main(["check", "--help"])
    assert "(default: agent, as GEMINI_CLI is set; see below)" in capsys.readouterr().out


def test_other_commands_have_the_output_they_had(
    bad: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["parse", "a-handoff.md"])
    before = capsys.readouterr()
    monkeypatch.setenv("CLAUDECODE", "1")
    main(["parse", "a-handoff.md"])
    assert capsys.readouterr() == before


def test_a_text_of_standard_input_has_a_verdict(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"All done, everything works.\n")))
    assert main(["check", "-"]) == 0
    assert capsys.readouterr().out.startswith("<stdin>: not checked: no handoff found\n")
