"""``clean``, ``no handoff`` and ``could not be read`` are three answers wherever a format can hold them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.documents import BAD
from cli.output.readers import READERS
from cli.output.schemas import VALIDATORS
from junitparser import JUnitXml

from handoff_lsp.cli.main import main

GOOD = BAD.replace("compleet", "complete")


@pytest.fixture
def outcomes(here: Path) -> list[str]:
    """A file of each answer, as arguments."""
    (here / "bad-handoff.md").write_text(BAD, encoding="utf-8")
    (here / "clean-handoff.md").write_text(GOOD, encoding="utf-8")
    (here / "notes.md").write_text("# Notes\n", encoding="utf-8")
    (here / "binary.md").write_bytes(b"\xff\xfe\x00")
    return ["bad-handoff.md", "clean-handoff.md", "notes.md", "binary.md", "missing.md", "."]


@pytest.mark.parametrize("name", READERS)
def test_a_missing_file_and_a_broken_config_are_failures(
    name: str, outcomes: list[str], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "inner").mkdir()
    (here / "inner" / "c-handoff.md").write_text(GOOD, encoding="utf-8")
    (here / "inner" / ".handoff-lsp.toml").write_text("= broken", encoding="utf-8")
    assert main(["check", "--output-format", name, *outcomes]) == 2
    out = capsys.readouterr().out
    found = {(each.path, each.rule) for each in READERS[name](out)}
    assert ("bad-handoff.md", "invalid-value") in found
    if name not in {"sarif", "json", "jsonl"}:
        assert {("missing.md", "not-checked"), ("binary.md", "not-checked")} <= found
    if name != "sarif":
        assert ("inner/.handoff-lsp.toml", "invalid-config") in found
    if name in VALIDATORS:
        VALIDATORS[name](json.loads(out))


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_the_summary_counts_the_problems_of_configs(name: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / ".handoff-lsp.toml").write_text("unknown = 1", encoding="utf-8")
    assert main(["check", "--output-format", name]) == 2
    out = capsys.readouterr().out
    summary = json.loads(out)["summary"] if name == "json" else json.loads(out.splitlines()[-1])
    assert summary["error"] == 1


def test_sarif(outcomes: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--output-format", "sarif", *outcomes])
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    checked = {each["location"]["uri"]: each["properties"] for each in run["artifacts"]}
    assert checked == {
        "bad-handoff.md": {"handoffs": 1, "findings": 1},
        "clean-handoff.md": {"handoffs": 1, "findings": 0},
        "notes.md": {"handoffs": 0, "findings": 0},
    }
    (invocation,) = run["invocations"]
    assert not invocation["executionSuccessful"]
    notices = {each["message"]["text"]: each["descriptor"]["id"] for each in invocation["toolExecutionNotifications"]}
    assert notices["missing.md: no such file or folder"] == "not-checked"
    kinds = {each["id"] for each in run["tool"]["driver"]["notifications"]}
    assert set(notices.values()) <= kinds


def test_sarif_of_a_config(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / ".handoff-lsp.toml").write_text("wrong = 1\n", encoding="utf-8")
    assert main(["check", "--output-format", "sarif"]) == 2
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    (problem,) = run["invocations"][0]["toolConfigurationNotifications"]
    assert problem["descriptor"] == {"id": "invalid-config"}
    assert problem["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == ".handoff-lsp.toml"


def test_a_clean_run_is_successful(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "clean-handoff.md").write_text(GOOD, encoding="utf-8")
    assert main(["check", "--output-format", "sarif"]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert run["invocations"][0]["executionSuccessful"]
    assert run["results"] == []


def test_jsonl(outcomes: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--output-format", "jsonl", *outcomes])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    answers = {each["path"]: each["verdict"]["state"] for each in lines if each["type"] == "file"}
    assert answers == {"bad-handoff.md": "findings", "clean-handoff.md": "clean", "notes.md": "not checked"}
    assert [each["path"] for each in lines if each["type"] == "failed"] == ["binary.md", "missing.md"]
    assert lines[-1]["type"] == "summary"


def test_junit(outcomes: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--output-format", "junit", *outcomes])
    suites = {suite.name: suite for suite in JUnitXml.fromstring(capsys.readouterr().out.encode())}
    numbers = {name: (suite.tests, suite.failures, suite.errors) for name, suite in suites.items()}
    assert numbers["bad-handoff.md"] == (1, 1, 0)
    assert numbers["clean-handoff.md"] == (1, 0, 0)
    assert numbers["missing.md"] == (1, 0, 1)
    assert [case.name for case in suites["notes.md"]] == ["no handoff"]
    assert [case.name for case in suites["clean-handoff.md"]] == ["handoffs"]


def test_a_case_of_junit_fails_as_the_run_does(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a-handoff.md").write_text(GOOD.replace("## Status reason\n", "## Status reason\nfine\n"), encoding="utf-8")
    for level, code in (("error", 0), ("warning", 1)):
        assert main(["check", "--output-format", "junit", "--fail-on", level]) == code
        xml = JUnitXml.fromstring(capsys.readouterr().out.encode())
        assert (xml.tests, xml.failures) == (1, code)


def test_the_severities_of_gitlab(outcomes: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--output-format", "gitlab", *outcomes])
    issues = json.loads(capsys.readouterr().out)
    assert {(each["check_name"], each["severity"]) for each in issues} == {
        ("not-checked", "blocker"),
        ("invalid-value", "critical"),
    }


@pytest.mark.parametrize("name", ["gitlab", "sarif"])
def test_a_fingerprint_survives_moved_lines(name: str, bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def marks() -> list[str]:
        main(["check", "--output-format", name])
        data = json.loads(capsys.readouterr().out)
        if name == "gitlab":
            return [each["fingerprint"] for each in data]
        return [each["partialFingerprints"]["handoffLsp/v1"] for each in data["runs"][0]["results"]]

    before = marks()
    text = bad.read_text(encoding="utf-8")
    bad.write_text(text.replace("## Status\n", "## Status\n\n\n"), encoding="utf-8")
    assert marks() == before
    bad.write_text(text.replace("compleet", "  compleet"), encoding="utf-8")
    assert marks() == before
    bad.write_text(text.replace("compleet", "donne"), encoding="utf-8")
    assert marks() != before


def test_a_suggestion_of_rdjson_counts_bytes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = '---\nä: 𝒳\n---\n\n```json:contract\n{"agent_status": {"plan_status": "COMPLETE", "agent_id": "ä𝒳",}}\n```\n'
    (here / "turn.md").write_text("\ufeff" + text, encoding="utf-8")
    main(["check", "--output-format", "rdjson"])
    diagnostics = json.loads(capsys.readouterr().out)["diagnostics"]
    (comma,) = [each for each in diagnostics if each["message"].startswith("Trailing comma")]
    (suggestion,) = comma["suggestions"]
    start, end = suggestion["range"]["start"], suggestion["range"]["end"]
    line = text.encode().split(b"\n")[start["line"] - 1]
    assert line[start["column"] - 1 : end["column"] - 1] == b","
    assert suggestion["text"] == ""


def test_output_is_utf8_in_every_locale(run: Callable[..., object], tmp_path: Path) -> None:
    (tmp_path / "ä-handoff.md").write_text(BAD, encoding="utf-8")
    for name in ("sarif", "github", "junit", "azure", "pylint"):
        done = run("check", "--output-format", name, LC_ALL="C", PYTHONIOENCODING="ascii")
        assert READERS[name](done.stdout.decode("utf-8"))[0].path == "ä-handoff.md"  # type: ignore[attr-defined]
