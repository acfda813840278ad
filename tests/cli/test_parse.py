"""``handoff-lsp parse``: the same answer for every format, and never an advance on a missing signal."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli.documents import BAD

from handoff_lsp.cli.main import main
from handoff_lsp.contracts.model import Route
from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.decide.routing import routing_of
from handoff_lsp.engine import Options, analyze
from handoff_lsp.text import Source

GOOD = BAD.replace("compleet", "complete")
TEMPLATE = BAD.replace("# Board", "# {Feature}").replace("compleet", "<complete | blocked | failed | incomplete>")
CONTRACT = """\
```agent_contract_handoff
{
  "agent_status": {
    "plan_status": "complete.",
    "agent_id": "ab7e4d2",
    "pending_steps": ["a", {"b": NaN}],
    "next_action": "<next>"
  },
  "unknown": 1
}
```
"""

ROOT = Path(__file__).parent.parent.parent


def parse(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    code = main(["parse", "--output-format", "json", *arguments])
    told = capsys.readouterr()
    return code, [json.loads(line) for line in told.out.splitlines()], told.err


def test_one_block_is_one_json_object_with_every_key_and_nothing_else(run: Any, tmp_path: Path) -> None:
    (tmp_path / "dev-handoff.md").write_text(GOOD, encoding="utf-8")
    done = run("parse", "--output-format", "json", "dev-handoff.md")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == {
        "path": "dev-handoff.md",
        "contract": "status-block",
        "profile": "developer",
        "mode": "handoff",
        "range": {"start": {"line": 1, "column": 1}, "end": {"line": 26, "column": 1}},
        "status": "complete",
        "readable": True,
        "fields": {
            "status": "complete",
            "status_reason": "",
            "abstract": {
                "outcome": "did it",
                "verdict": "n/a",
                "files": {"created": 1, "modified": 0, "deleted": 0},
                "next_phase": "dod-checker",
                "open_questions": 0,
            },
            "iteration": {"number": 1},
            "files_created": ["a.py"],
            "quality_gate_results": "- tests: 4 passed",
            "dod_coverage": [{"mark": "✓", "text": "row"}],
        },
        "decision": "advance: next is dod-checker",
        "routing": {
            "action": "advance",
            "brief": "next is dod-checker",
            "reason": "The next phase begins, with the agent in `next_phase`.",
            "reads": ["Status", "Status reason", "Abstract"],
            "doubts": [],
        },
        "findings": [],
    }


def test_an_unrecognized_status_is_null_and_stops(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, (found,), _ = parse(capsys, bad.name)
    assert code == 1
    assert found["status"] is None
    assert found["fields"]["status"] is None
    assert found["routing"]["action"] == "stop"
    assert "Missing or unknown status" in found["routing"]["reason"]
    assert main(["check", "--output-format", "json", bad.name]) == 1
    assert found["findings"] == json.loads(capsys.readouterr().out)["findings"]


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("## Status\ncomplete\n", ""),
        GOOD.replace("## Status\ncomplete\n", "## Status\n\n"),
        GOOD.replace("## Status\ncomplete\n", "## Status\ncomplete | blocked\n"),
        CONTRACT.replace("complete.", "DONE"),
        CONTRACT.replace('"complete."', "null"),
        CONTRACT.replace('"complete."', "true"),
        CONTRACT.replace('"unknown": 1', '"unknown": 1,'),  # a JSON reader finds no data in it
        CONTRACT.removesuffix("```\n"),
    ],
)
def test_without_a_readable_status_nothing_advances(here: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "dev-handoff.md").write_text(text, encoding="utf-8")
    code, (found,), _ = parse(capsys, "dev-handoff.md")
    assert code == 1
    assert found["status"] is None
    assert found["routing"]["action"] not in {"advance", "continue"}


def test_what_a_strict_reader_refuses_does_not_advance(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The runtime refuses a COMPLETE with a failed verification: the agent must issue the block again."""
    report = (ROOT / "examples" / "turn-report.md").read_text(encoding="utf-8")
    sound = report.replace('"done",', '"done"').replace("'", '"')
    for text, action in ((sound, "retry"), (sound.replace('"partial"', '"pass"'), "advance")):
        (here / "turn.md").write_text(text, encoding="utf-8")
        _, (handoff,), _ = parse(capsys, "turn.md")
        assert (handoff["status"], handoff["routing"]["action"]) == ("COMPLETE", action)


def test_what_can_be_made_out_of_broken_json_is_shown_as_such(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "turn.md").write_text(CONTRACT.replace('"unknown": 1', '"unknown": 1,,'), encoding="utf-8")
    code, (found,), _ = parse(capsys, "turn.md")
    assert (code, found["readable"], found["status"]) == (1, False, None)
    assert found["fields"]["agent_status"]["plan_status"] == "COMPLETE"
    assert found["routing"]["reason"].startswith("The JSON cannot be parsed (")
    assert "invalid-json" in {doubt["rule"] for doubt in found["routing"]["doubts"]}
    main(["parse", "turn.md"])
    told = capsys.readouterr().out
    assert "  the JSON cannot be parsed\n" in told
    assert "  fields, recovered; the reader gets none of them\n" in told


def test_a_terminal_without_unicode_and_one_of_20_columns(here: Path) -> None:
    (here / "dev-handoff.md").write_text(GOOD, encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "COLUMNS": "20", "NO_COLOR": "1"}
    program = [sys.executable, "-m", "handoff_lsp", "parse", "dev-handoff.md"]
    ran = subprocess.run(program, env=environment, capture_output=True, text=True, encoding="ascii", check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    lines = ran.stdout.split("\n")
    assert "    status-block -" in lines
    assert "?" not in ran.stdout
    assert [line for line in lines if len(line) > 20 and " " in line.strip()] == []


def test_a_doubt_about_the_status_holds_up(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "dev-handoff.md").write_text(GOOD.replace("complete\n", "complete, mostly\n", 1), encoding="utf-8")
    code, (found,), _ = parse(capsys, "dev-handoff.md")
    assert (code, found["status"], found["routing"]["action"]) == (1, "complete", "ask")
    (doubt,) = found["routing"]["doubts"]
    assert (doubt["rule"], doubt["range"]["start"]) == ("contradiction", {"line": 4, "column": 11})
    assert [finding["severity"] for finding in found["findings"]] == ["warning"]


def test_a_contract_whose_last_route_advances_does_not_without_a_status() -> None:
    data = {**builtin()["status-block"].data, "routing": [{"action": "advance", "reason": "On it goes."}]}
    entry = type(builtin()["status-block"])(data)
    registry = Registry({entry.name: entry})
    for text, action in ((BAD, "stop"), (GOOD, "advance")):
        (handoff,) = analyze(Source(text), "dev-handoff.md", registry, Options()).handoffs
        routing = routing_of(handoff)
        assert routing is not None
        assert routing.action == action
    assert routing.reason == Route(action="advance", reason="On it goes.").reason


def test_values_are_the_contracts_and_what_cannot_be_taken_is_null(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "turn.md").write_text(f"# A turn\n\n{CONTRACT}", encoding="utf-8")
    _, (found,), _ = parse(capsys, "turn.md")
    assert found["status"] == "COMPLETE"
    assert found["fields"] == {
        "agent_status": {
            "plan_status": "COMPLETE",
            "agent_id": "ab7e4d2",
            "pending_steps": ["a", {"b": None}],
            "next_action": None,
        }
    }
    assert found["range"]["start"] == {"line": 3, "column": 1}


def test_two_blocks_are_two_lines(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "turns.md").write_text(f"{CONTRACT}\n{CONTRACT}", encoding="utf-8")
    _, found, _ = parse(capsys, "turns.md")
    assert [handoff["range"]["start"]["line"] for handoff in found] == [1, 13]


def test_a_template_is_not_routed_and_nothing_to_act_on(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "dev-handoff.md").write_text(TEMPLATE, encoding="utf-8")
    code, (found,), told = parse(capsys, "dev-handoff.md")
    assert (found["mode"], found["routing"]) == ("template", None)
    assert code == 1
    assert "no handoff to act on" in told


def test_a_file_without_a_handoff(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "notes.md").write_text("# Notes\n", encoding="utf-8")
    code, found, told = parse(capsys, "notes.md")
    assert (code, found) == (1, [])
    assert told.startswith("handoff-lsp: notes.md: no handoff found")
    assert "a comment `<!-- handoff: CONTRACT -->`" in told
    (here / "notes.json").write_text("{}", encoding="utf-8")
    assert "`[[files]]` in the config" in parse(capsys, "notes.json")[2]
    # A folder may well have other files.
    (here / "dev-handoff.md").write_text(GOOD, encoding="utf-8")
    code, found, told = parse(capsys, ".")
    assert (code, len(found), told) == (0, 1, "")


def test_examples_only_when_asked_for(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "docs").mkdir()
    (here / "docs" / "format.md").write_text(f"# The format\n\n{CONTRACT}", encoding="utf-8")
    code, found, told = parse(capsys, "docs/format.md")
    assert (code, found) == (1, [])
    assert "`--examples` shows them" in told
    code, found, _ = parse(capsys, "--examples", "docs/format.md")
    assert [(handoff["mode"], handoff["routing"]) for handoff in found] == [("example", None)]


def test_standard_input(run: Any) -> None:
    done = run("parse", "-", "--output-format", "json", stdin=GOOD.encode())
    assert json.loads(done.stdout)["path"] == "<stdin>"
    done = run("parse", "-", "--output-format", "json", "--stdin-filename", "tester-handoff.md", stdin=GOOD.encode())
    found = json.loads(done.stdout)
    assert (found["path"], found["profile"]) == ("tester-handoff.md", "tester")


def test_what_cannot_be_read_is_exit_code_2_and_the_rest_is_reported(
    here: Path, bad: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found, told = parse(capsys, "missing.md", bad.name)
    assert (code, len(found)) == (2, 1)
    assert told == "handoff-lsp: error: missing.md: no such file or folder\n"


def test_an_unreadable_file_in_a_folder_may_be_a_handoff(
    here: Path, bad: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad.write_text(GOOD, encoding="utf-8")
    (here / "README.md").write_bytes("# Notes".encode("utf-16"))
    code, found, told = parse(capsys, ".")
    assert (code, len(found)) == (1, 1)
    assert told == "handoff-lsp: 1 file skipped: README.md (UTF-16)\n"


def test_a_folder_without_a_handoff_is_no_reason_to_go_on(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert parse(capsys, ".") == (1, [], "handoff-lsp: no handoff to act on\n")
    (here / "README.md").write_text("# Notes\n", encoding="utf-8")
    assert parse(capsys, ".") == (1, [], "handoff-lsp: no handoff to act on\n")


def test_wrong_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse"]) == 2
    assert "FILE" in capsys.readouterr().err
    assert main(["parse", "x.md", "--output-format", "jsn"]) == 2
    assert "did you mean `json`?" in capsys.readouterr().err
    assert main(["parse", "x.md", "--stdin-filename", "y.md"]) == 2
    assert "See `handoff-lsp parse --help`." in capsys.readouterr().err


def test_the_table(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "dev-handoff.md").write_text(GOOD.replace("did it", "did\x1b it"), encoding="utf-8")
    assert main(["parse", "dev-handoff.md"]) == 0
    assert capsys.readouterr().out == (
        "dev-handoff.md:1:1\n"
        "  contract                   status-block · profile developer · handoff\n"
        "  status                     complete\n"
        "  decision                   advance: next is dod-checker\n"
        "  reason                     The next phase begins, with the agent in `next_phase`.\n"
        "  reads                      Status, Status reason, Abstract\n"
        "  findings                   none\n"
        "  fields\n"
        "    status                   complete\n"
        "    status_reason            (empty)\n"
        "    abstract.outcome         did␛ it\n"
        "    abstract.verdict         n/a\n"
        "    abstract.files.created   1\n"
        "    abstract.files.deleted   0\n"
        "    abstract.files.modified  0\n"
        "    abstract.next_phase      dod-checker\n"
        "    abstract.open_questions  0\n"
        "    iteration.number         1\n"
        "    files_created            a.py\n"
        "    quality_gate_results     - tests: 4 passed\n"
        "    dod_coverage             1 item\n"
    )


# The final message of an agent


def said(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_an_agent_that_owes_a_handoff_does_not_advance_without_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said("All tasks are done.\n", monkeypatch)
    assert main(["parse", "-", "--agent", "sdd-apply"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert "error[missing-handoff] The result envelope that `sdd-apply` owes is missing" in line


def test_the_decision_on_the_handoff_of_another_system_names_the_one_that_is_owed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said("AGENT_RESULT: developer\nSTATUS: success\nNEXT: done\n", monkeypatch)
    assert main(["parse", "-", "--agent", "sdd-apply", "--output-format", "json"]) == 1
    handoff = json.loads(capsys.readouterr().out)
    assert handoff["routing"]["action"] == "stop"
    assert [doubt["rule"] for doubt in handoff["routing"]["doubts"]] == ["wrong-contract"]
    said("AGENT_RESULT: developer\nSTATUS: success\nNEXT: done\n", monkeypatch)
    assert main(["parse", "-"]) == 0


def test_agent_needs_standard_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse", "README.md", "--agent", "sdd-apply"]) == 2
    assert "`--agent` needs `-` as the path" in capsys.readouterr().err
