"""``handoff-lsp check``: its output and its exit code."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli.documents import BAD

from handoff_lsp import __version__
from handoff_lsp.cli.main import main
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.output.text import excerpt, summary_lines
from handoff_lsp.cli.printable import printable
from handoff_lsp.engine import analyze
from handoff_lsp.text import widths

HANDOFF = BAD.replace("compleet", "STATUS")
GOOD = BAD.replace("compleet", "complete")
# One warning, and nothing else.
WARNED = GOOD.replace("## Status reason\n", "## Status reason\nall fine\n")
NOTES = "# Notes\n\nNothing to hand over.\n"

MESSAGE = '`Status` is "compleet", but must be one of `complete`, `blocked`, `failed`, `incomplete`'
NOTE = "The orchestrator treats the handoff as `failed` and stops the pipeline"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))
    return path


def findings(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    main(["check", "--output-format", "json", *arguments])
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["findings"]
    return found


# The command as a process


def test_a_finding_is_printed_with_its_line_and_a_caret(run: Any, tmp_path: Path) -> None:
    write(tmp_path / "board" / "dev-handoff.md", BAD)
    done = run("check")
    assert done.returncode == 1
    assert done.stderr == b""
    assert done.stdout.decode() == (
        f"board/dev-handoff.md:4:1: error[invalid-value] {MESSAGE}\n"
        "   4 | compleet\n"
        "     | ^^^^^^^^\n"
        f"     = note: {NOTE}\n"
        '     = unsafe fix: Change "compleet" to `complete`\n'
        "\n"
        "Found 1 error in 1 file (1 handoff).\n"
        "1 finding is fixable with `--fix --unsafe-fixes`.\n"
    )


def test_nothing_found_is_exit_code_0(run: Any, tmp_path: Path) -> None:
    write(tmp_path / "a-handoff.md", GOOD)
    write(tmp_path / "notes.md", NOTES)
    done = run("check")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"No findings in 2 files (1 handoff).\n", b"")


def test_an_unreadable_file_is_exit_code_2_and_the_others_are_checked(run: Any, tmp_path: Path) -> None:
    write(tmp_path / "a-handoff.md", BAD)
    done = run("check", "missing.md", "a-handoff.md")
    assert done.returncode == 2
    assert done.stderr == b"handoff-lsp: error: missing.md: no such file or folder\n"
    assert b"a-handoff.md:4:1: error[invalid-value]" in done.stdout
    assert b"\n1 file could not be checked.\nFound 1 error in 1 file (1 handoff).\n" in done.stdout


def test_json_has_every_key_and_nothing_else(run: Any, tmp_path: Path) -> None:
    write(tmp_path / "a-handoff.md", BAD)
    done = run("check", "--output-format", "json", ".")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert set(told) == {"version", "files", "handoffs", "failed", "skipped", "summary", "findings"}
    (file,) = told["files"]
    verdict = file.pop("verdict")
    assert file == {"path": "a-handoff.md", "handoffs": 1, "examples": 0}
    digest = hashlib.sha256((tmp_path / "a-handoff.md").read_bytes()).hexdigest()
    assert verdict == {"state": "findings", "reason": "", "sha256": digest, "version": told["version"]}
    ((handoff,), route) = told["handoffs"], told["handoffs"][0]["routing"]
    assert (handoff["status"], handoff["decision"], route["action"]) == (None, f"stop: {route['brief']}", "stop")
    assert told["summary"] == {
        "files": 1, "handoffs": 1, "files_with_findings": 1, "error": 1, "warning": 0, "information": 0, "hint": 0,
        "failed": 0, "skipped": 0, "ignored": 0, "fixed": 0, "baseline": 0,
    }  # fmt: skip
    assert told["findings"] == [
        {
            "path": "a-handoff.md",
            "rule": "invalid-value",
            "check": None,
            "severity": "error",
            "message": MESSAGE,
            "note": NOTE,
            "help": 'Change "compleet" to `complete`',
            "contract": "status-block",
            "profile": "developer",
            "mode": "handoff",
            "field": "status",
            "upstream": [],
            "range": {"start": {"line": 4, "column": 1}, "end": {"line": 4, "column": 9}},
            "related": [],
            "fixable": "unsafe",
            "fix": {
                "title": 'Change "compleet" to `complete`',
                "safe": False,
                "edits": [
                    {
                        "range": {"start": {"line": 4, "column": 1}, "end": {"line": 4, "column": 9}},
                        "text": "complete",
                    }
                ],
            },
            "choices": [],
        }
    ]


def test_clean_no_handoff_and_unreadable_are_three_answers(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "clean-handoff.md", BAD.replace("compleet", "complete"))
    write(here / "notes.md", "# Notes\n")
    (here / "binary.md").write_bytes(b"\0")
    names = ["clean-handoff.md", "notes.md", "binary.md", "gone.md"]
    assert main(["check", "--output-format", "json", *names]) == 2
    told = json.loads(capsys.readouterr().out)
    verdicts = {each["path"]: each["verdict"] for each in told["files"]}
    assert {path: verdict["state"] for path, verdict in verdicts.items()} == {
        names[0]: "clean",
        names[1]: "not checked",
    }
    assert verdicts[names[1]]["reason"] == "no handoff found"
    assert verdicts[names[0]]["sha256"] == hashlib.sha256((here / names[0]).read_bytes()).hexdigest()
    assert [each["path"] for each in told["failed"]] == names[2:]
    assert told["failed"][1]["reason"] == "no such file or folder"


def test_equal_values_are_choices_and_no_fix(run: Any, tmp_path: Path) -> None:
    for written in ("dnoe", "", "<complete | blocked | failed | incomplete>"):
        write(tmp_path / "a-handoff.md", BAD.replace("compleet", written))
        done = run("check", "--output-format", "json", ".")
        (found,) = (finding for finding in json.loads(done.stdout)["findings"] if finding["field"] == "status")
        assert found["fix"] is None
        assert found["help"] == "Choose one of `complete`, `blocked`, `failed`, `incomplete`"
        values = {edit["text"].strip() for choice in found["choices"] for edit in choice["edits"]}
        assert values == {"complete", "blocked", "failed", "incomplete"}
        assert not any(choice["safe"] for choice in found["choices"])
        assert "fix:" not in run("check", ".").stdout.decode()


def test_standard_input(run: Any, tmp_path: Path) -> None:
    done = run("check", "-", "--output-format", "json", stdin=BAD.encode())
    assert done.returncode == 1
    assert {(found["path"], found["rule"]) for found in json.loads(done.stdout)["findings"]} == {
        ("<stdin>", "invalid-value")
    }
    done = run("check", "-", "--stdin-filename", "x/a-handoff.md", "--output-format", "json", stdin=BAD.encode())
    assert [found["path"] for found in json.loads(done.stdout)["findings"]] == ["x/a-handoff.md"]
    assert run("check", "-", stdin=b"\xff").stderr.startswith(b"handoff-lsp: error: <stdin>: not UTF-8")


def test_a_reader_that_leaves_early_is_no_crash(tmp_path: Path) -> None:
    write(tmp_path / "a-handoff.md", BAD)
    command = f"{sys.executable} -m handoff_lsp check --output-format json {'a-handoff.md ' * 3} | true"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(command, shell=True, capture_output=True, cwd=tmp_path, env=environment, timeout=60)
    assert done.stderr == b""


def test_a_terminal_that_cannot_show_a_character_is_no_crash(run: Any, tmp_path: Path) -> None:
    write(tmp_path / "a-handoff.md", BAD.replace("compleet", "完了済"))
    done = run("check", PYTHONIOENCODING="ascii")
    assert done.returncode == 1
    assert b"   4 | ???" in done.stdout
    done = run("check", "--output-format", "json", PYTHONIOENCODING="ascii")
    assert "完了済" in json.loads(done.stdout.decode("utf-8"))["findings"][0]["message"]


@pytest.mark.skipif(sys.platform == "win32", reason="file names are text there")
def test_a_file_name_that_is_no_text(run: Any, tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/\xff-handoff.md", "wb") as file:
        file.write(BAD.encode())
    done = run("check", "--output-format", "json")
    assert json.loads(done.stdout)["findings"][0]["path"] == "\udcff-handoff.md"
    assert run("check").stdout.startswith("\ufffd-handoff.md:4:1".encode())


# Imports


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (["check", "b.md"], ["pygls", "lsprotocol", "pydantic", "yaml", "asyncio", "importlib.metadata", "typer"]),
        (["check", "a-handoff.md"], ["pygls", "lsprotocol", "pydantic", "asyncio"]),
        (["check", "a-handoff.md", "--config", "c.toml"], ["pygls", "lsprotocol", "pydantic", "asyncio"]),
        (["--version"], ["handoff_lsp.engine", "handoff_lsp.rules", "markdown_it", "pygls", "pydantic"]),
        (["check", "--help"], ["handoff_lsp.engine", "handoff_lsp.rules", "markdown_it", "pygls", "pydantic"]),
        (["server", "--help"], ["handoff_lsp.server", "pygls", "lsprotocol"]),
    ],
)
def test_nothing_is_imported_that_is_not_needed(here: Path, arguments: list[str], absent: list[str]) -> None:
    write(here / "a-handoff.md", GOOD)
    write(here / "c.toml", '[rules]\ncount-mismatch = "warning"\n\n[[files]]\npattern = "x.md"\nmode = "template"\n')
    write(here / "b.md", '```agent_contract_handoff\n{"agent_status": {\'plan_status\': "COMPLETED",}}\n```\n')
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r}); "
        f"from handoff_lsp.cli.main import main; main({arguments!r}); "
        f"print([name for name in {absent!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=here, timeout=60)
    assert done.stderr == b""
    assert done.stdout.decode().splitlines()[-1] == "[]"


def test_the_server_starts_without_what_only_a_contract_file_needs() -> None:
    code = "import sys, handoff_lsp.server.main; print({'pydantic', 'cel_expr_python'} & sys.modules.keys())"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, cwd=Path(__file__).parents[2], text=True, timeout=60
    )
    assert (done.stdout.strip(), done.stderr) == ("set()", "")


# Arguments


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chek"], "unknown command `chek`; did you mean `check`?"),
        (["zzz"], "unknown command `zzz`: it is one of check, parse, "),
        (["a-handoff.md"], "`a-handoff.md` is not a command; did you mean `handoff-lsp check a-handoff.md`?"),
        (["check", "--output-fromat", "json"], "unknown option `--output-fromat`; did you mean `--output-format`?"),
        (["check", "--output-format", "jsn"], "argument --output-format: unknown value `jsn`; did you mean `json`?"),
        (["check", "--fail-on", "never"], "argument --fail-on: unknown value `never`: it is one of error, warning"),
        (["check", "--config"], "argument --config: expected one argument"),
        (["check", "--stdin-filename", "a.md"], "`--stdin-filename` needs `-` as the path"),
        (["-q", "check"], "unknown option `-q`: the options of a command follow it"),
        (["--lang", "ja", "check"], "unknown option `--lang`: the options of a command follow it"),
        (["check", "-", "--agent", ""], "`--agent` has an empty name"),
        (["baseline", "-o", "-"], "a baseline needs a file, not standard output"),
        (["--verzion"], "unknown option `--verzion`; did you mean `--version`?"),
        (["server", "--tpc"], "unknown option `--tpc`; did you mean `--tcp`?"),
        (["server", "--port", "x"], "argument --port: `x` is not a port"),
    ],
)
def test_wrong_arguments(bad: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"handoff-lsp: error: {message}")
    assert "--help`.\n" in told.err


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"handoff-lsp {__version__}\n"
    for arguments in (["--help"], ["check", "--help"]):
        assert main(arguments) == 0
        told = capsys.readouterr().out
        assert "exit codes:" in told
        assert "examples:" in told
        assert ".handoff-lsp.toml" in told
    assert main([]) == 2
    assert "usage: handoff-lsp" in capsys.readouterr().err


# Thresholds


def test_the_threshold(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "a-handoff.md", WARNED)
    assert [found["severity"] for found in findings(capsys)] == ["warning"]
    assert main(["check"]) == 0
    assert main(["check", "--fail-on", "error"]) == 0
    assert main(["check", "--fail-on", "warning"]) == 1
    assert main(["check", "--fail-on", "hint"]) == 1
    assert main(["check", "--fail-on", "hint", "--exit-zero"]) == 0
    assert main(["check", "--exit-zero", "nowhere.md"]) == 2


# Which files


def test_each_file_once_in_order(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("b/x-handoff.md", "a/y-handoff.markdown", "c-handoff.md"):
        write(here / name, BAD)
    names = ["a/y-handoff.markdown", "b/x-handoff.md", "c-handoff.md"]
    assert [found["path"] for found in findings(capsys)] == names
    assert [found["path"] for found in findings(capsys, "c-handoff.md", ".", "./b")] == [names[2], names[0], names[1]]


def test_a_named_file_is_checked_whatever_its_name(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "handoff.txt", BAD)
    write(here / ".handoff-lsp.toml", 'exclude = ["*.txt"]\n')
    assert findings(capsys) == []
    assert [found["rule"] for found in findings(capsys, "handoff.txt")] == ["invalid-value"]


STATUS = '{"agent_id": "a", "agent_type": "worker", "status": "runing"}\n'
LOG = "2026-03-02T08:00:00Z [STATSU] running\n2026-03-02T08:01:00Z [START] Task: tabs\n"
OWN = """\
contract: relay
title: Relay
about: A file of another make.
status: state
unread: nobody goes on
default_profile: any
profiles: {any: {about: Any.}}
file: {syntax: json, path: '(^|/)relay/now\\.json$', holds: [{needs: [state]}]}
routing: [{action: stop, reason: Always.}]
fields: {state: {type: enum, required: true, about: Where it stands., values: [{value: up, about: Up.}]}}
"""


def test_files_of_data_are_found_where_a_contract_has_them(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "shop--a" / ".agent" / "status.json", STATUS)
    write(here / "shop--a" / ".agent" / "activity.log", LOG)
    write(here / "shop--a" / ".agent" / "other.json", STATUS)
    write(here / "shop--b" / ".agent" / "status.json", '{"turn": "coder", "status": "RUNNING",}')  # of another make
    write(here / "status.json", STATUS)
    write(here / "relay" / "now.json", '{"state": "upp"}')
    told = {(found["path"], found["contract"]) for found in findings(capsys)}
    assert told == {
        ("shop--a/.agent/status.json", "agent-status"),
        ("shop--a/.agent/activity.log", "activity-log"),
    }
    assert "in 2 of 3 files (2 handoffs)" in (main(["check"]), capsys.readouterr().out)[1]


def test_files_of_data_of_a_contract_of_the_workspace(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "relay" / "now.json", '{"state": "upp"}')
    write(here / "relay" / "then.json", '{"state": "upp"}')
    write(here / "relay.contract.yaml", OWN)
    write(here / ".handoff-lsp.toml", 'contract-files = ["*.contract.yaml"]\n')
    assert [(found["path"], found["contract"]) for found in findings(capsys)] == [("relay/now.json", "relay")]


def test_files_of_data_can_be_excluded(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / ".agent" / "status.json", STATUS)
    write(here / ".handoff-lsp.toml", 'exclude = [".agent/**"]\n')
    assert findings(capsys) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "No JSON value"),
        ("[]", "is a list, but it must be a JSON object"),
        ("null", "is null"),
        ('{"agent_id": "a", "agent_type": "worker"', "never closed"),
        ("agent_id: a\n", "is not a JSON value"),
    ],
)
def test_a_file_that_the_config_calls_a_status_must_be_one(
    here: Path, capsys: pytest.CaptureFixture[str], text: str, words: str
) -> None:
    write(here / "state" / "now.json", text)
    write(here / ".handoff-lsp.toml", '[[files]]\npattern = "state/*.json"\ncontract = "agent-status"\n')
    found = findings(capsys)
    assert {item["rule"] for item in found} >= {"invalid-json"}
    assert any(words in item["message"] for item in found)


def test_paths_outside_the_working_folder_are_absolute(
    bad: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (bad.parent / "elsewhere").mkdir()
    monkeypatch.chdir(bad.parent / "elsewhere")
    assert [found["path"] for found in findings(capsys, "..")] == [str(bad)]


@pytest.fixture
def unreadable(here: Path) -> Path:
    """A folder with a handoff that has an error, and four files that are no text."""
    write(here / "a-handoff.md", BAD)
    (here / "binary.md").write_bytes(b"PNG\0\0")
    (here / "latin.md").write_bytes(b"# Caf\xe9\n")
    (here / "wide.md").write_bytes("# Notes".encode("utf-16"))
    with open(here / "huge.md", "wb") as file:
        file.truncate(50_000_000)
    return here


def test_a_named_file_that_cannot_be_read_is_an_error(unreadable: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "a-handoff.md", "binary.md", "huge.md", "latin.md", "wide.md", "nowhere"]) == 2
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        "handoff-lsp: error: binary.md: binary (a NUL byte at offset 3)",
        "handoff-lsp: error: huge.md: too large (50,000,000 bytes; the limit is 5,000,000)",
        "handoff-lsp: error: latin.md: not UTF-8 (byte 0xe9 at offset 5)",
        "handoff-lsp: error: wide.md: UTF-16, but handoffs are UTF-8",
        "handoff-lsp: error: nowhere: no such file or folder",
    ]
    assert "a-handoff.md:4:1: error[invalid-value]" in told.out
    assert "5 files could not be checked." in told.out


def test_what_a_walk_met_and_cannot_read_is_counted(unreadable: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "."]) == 1
    told = capsys.readouterr()
    assert told.err == ""
    assert (
        "\nFound 1 error in 1 file (1 handoff); 4 files skipped: binary.md (binary), huge.md (too large), "
        "latin.md (not UTF-8) and 1 more.\n"
    ) in told.out
    write(unreadable / "a-handoff.md", GOOD)
    assert main(["check", "."]) == 0
    assert capsys.readouterr().out.startswith("No findings in 1 file (1 handoff); 4 files skipped: ")
    (unreadable / "a-handoff.md").unlink()
    assert main(["check", "."]) == 0
    assert capsys.readouterr().out.startswith("Nothing to check; 4 files skipped: ")
    assert main(["check", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


def test_json_says_on_standard_error_what_was_passed_over(unreadable: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--output-format", "json"]) == 1
    told = capsys.readouterr()
    assert [found["rule"] for found in json.loads(told.out)["findings"]] == ["invalid-value"]
    assert told.err.startswith("handoff-lsp: 4 files skipped: binary.md (binary), ")


def test_a_file_that_is_named_beside_its_folder_is_an_error(unreadable: Path) -> None:
    assert main(["check", ".", "./wide.md"]) == 2
    assert main(["check", "wide.md", "."]) == 2


@pytest.mark.parametrize(
    ("name", "config"),
    [
        (".agent/status.json", ""),
        ("worker/.agent/activity.log", ""),
        ("docs/OPS_RESULT.md", ""),
        ("x/now.json", '[[files]]\npattern = "x/*.json"\ncontract = "agent-status"\n'),
        ("x/now.md", '[[files]]\npattern = "x/*"\ncontract = "status-block"\n'),
    ],
)
def test_a_file_that_a_contract_or_the_config_names_is_an_error(
    here: Path, capsys: pytest.CaptureFixture[str], name: str, config: str
) -> None:
    write(here / ".handoff-lsp.toml", config)
    write(here / name, "").write_bytes("{}".encode("utf-16"))
    assert main(["check"]) == 2
    assert capsys.readouterr().err == f"handoff-lsp: error: {name}: UTF-16, but handoffs are UTF-8\n"


def test_a_folder_that_cannot_be_read(
    bad: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(bad.parent / "secret" / "x.md", NOTES)
    scandir = os.scandir

    def refuse(path: str | Path) -> object:
        if Path(path).name == "secret":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert main(["check", "."]) == 1
    told = capsys.readouterr()
    assert told.err == "handoff-lsp: warning: secret: permission denied\n"
    assert "(1 handoff); 1 folder skipped: secret/ (permission denied).\n" in told.out
    assert main(["check", "secret", "."]) == 2
    assert capsys.readouterr().err.startswith("handoff-lsp: error: secret: permission denied\n")


def test_a_file_is_checked_once_whichever_way_it_is_spelled(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (bad.parent / "link.md").symlink_to(bad)
    (bad.parent.parent / "other").symlink_to(bad.parent)
    found = findings(capsys, "a-handoff.md", "./a-handoff.md", str(bad), "link.md", ".", "../other")
    assert [item["path"] for item in found] == ["a-handoff.md"]


def test_a_named_file_without_a_handoff_is_reported(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "notes.md", NOTES)
    write(here / "more.md", NOTES)
    assert main(["check", "notes.md"]) == 0
    assert capsys.readouterr().out == ("1 file contains no known handoff.\nNo findings in 1 file (0 handoffs).\n")
    main(["check", "notes.md", "more.md"])
    assert "2 files contain no known handoff.\n" in capsys.readouterr().out
    main(["check", "."])
    assert capsys.readouterr().out == "No findings in 2 files (0 handoffs).\n"
    main(["check", "notes.md", "--quiet"])
    assert capsys.readouterr().out == ""


def test_an_empty_folder(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 0
    assert capsys.readouterr().out == "No Markdown files found.\n"
    assert findings(capsys) == []


def test_examples_are_checked_when_asked(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "docs" / "format.md", "# Format\n\n```agent_contract_handoff\n{,}\n```\n")
    write(here / ".handoff-lsp.toml", '[[files]]\npattern = "docs/*.md"\nmode = "example"\n')
    assert main(["check", "docs/format.md"]) == 0
    assert "1 file contains only examples; `--examples` checks it, too." in capsys.readouterr().out
    assert main(["check", "docs/format.md", "--examples"]) == 1


def test_folders_above_the_project_do_not_count(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # `docs/` in a path makes a document's handoffs examples; the project itself may be in such a folder.
    project = here / "docs" / "project"
    write(project / "a-handoff.md", BAD)
    (project / ".git").mkdir()
    assert len(findings(capsys, str(project))) == 1
    monkeypatch.chdir(project)
    assert len(findings(capsys, ".")) == 1


# The text


def test_a_byte_order_mark_has_no_column(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(
        here / "a-handoff.md",
        "\ufeff" + GOOD.replace("## Quality-Gate Results\n- tests: 4 passed\n", "").replace("\n", "\r\n"),
    )
    (found,) = findings(capsys)
    assert found["range"]["start"] == {"line": 1, "column": 3}
    main(["check"])
    assert "   1 | # Board — Handoff from Backend Developer\n     |   ^^^^^" in capsys.readouterr().out


def test_what_a_document_says_cannot_steer_the_terminal(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "a-handoff.md", BAD.replace("compleet", "x\x1b[2J\x07\u202ey"))
    main(["check"])
    told = capsys.readouterr().out
    assert "   4 | x␛[2J␇\ufffdy\n     | ^^^^^^^^" in told
    assert not set(told) & {"\x1b", "\x07", "\u202e"}
    main(["check", "--output-format", "json"])
    told = capsys.readouterr().out
    assert not set(told) & {"\x1b", "\x07", "\u202e"}
    assert "x\x1b[2J\x07\u202ey" in json.loads(told)["findings"][0]["message"]
    main(["check", "\x1b[31m.md"])
    assert capsys.readouterr().err == "handoff-lsp: error: ␛[31m.md: no such file or folder\n"


def test_color(bad: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    main(["check"])
    assert "\x1b" not in capsys.readouterr().out
    main(["check", "--color", "always"])
    assert "\x1b[1;31merror[invalid-value]\x1b[0m" in capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    main(["check"])
    assert "\x1b[" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    main(["check"])
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "start", "end", "text", "before", "carets"),
    [
        ("abc def", 4, 7, "abc def", 4, 3),
        ("状態: 完了", 4, 6, "状態: 完了", 6, 4),  # each of these takes two cells
        ("🎉 x", 2, 3, "🎉 x", 3, 1),
        ("⚠️ x", 3, 4, "⚠️ x", 3, 1),  # a narrow sign made wide
        ("e\u0301 x", 3, 4, "e\u0301 x", 2, 1),  # a letter with an accent of its own
        ("👩\u200d💻 x", 4, 5, "👩\u200d💻 x", 3, 1),  # three characters that are one sign
        ("\tx", 1, 2, "    x", 4, 1),
        ("a\x1bb", 2, 3, "a␛b", 2, 1),
        ("", 0, 0, "", 0, 1),
        ("abc", 3, 3, "abc", 3, 1),
        ("abc", 9, 12, "abc", 3, 1),
    ],
)
def test_carets_are_under_their_range(line: str, start: int, end: int, text: str, before: int, carets: int) -> None:
    assert excerpt(line, start, end) == (text, before, carets)


@pytest.mark.parametrize("letter", ["x", "完", "\t", "e\u0301"])
@pytest.mark.parametrize("at", [0, 1, 50, 500, 998, 999, 5_000, 999_999])
def test_a_long_line_is_cut_around_the_finding(letter: str, at: int) -> None:
    line = letter * at + "WRONG" + letter * (1_000 if at < 1_000 else 1_000_000)
    shown, before, carets = excerpt(line, at * len(letter), at * len(letter) + 5)
    assert carets == 5
    assert "WRONG" in shown
    cells = widths(shown)
    assert sum(cells) <= 120
    assert before == sum(cells[: shown.index("WRONG")])
    assert shown.endswith("…")


def test_the_end_of_a_long_line() -> None:
    shown, before, carets = excerpt("x" * 500 + "WRONG", 500, 505)
    assert (shown[before:], carets, shown[0], len(shown)) == ("WRONG", 5, "…", 119)


def test_printable() -> None:
    assert printable("plain") == "plain"
    assert printable("a\nb\x7f\x9b\ud800") == "a b␡\ufffd\ufffd"


def test_the_summary() -> None:
    summary = Summary(files=12, handoffs=3, with_findings=1)
    assert summary_lines(summary) == ["No findings in 12 files (3 handoffs)."]
    summary.counts.update(error=2, warning=1)
    assert summary_lines(summary) == ["Found 2 errors and 1 warning in 1 of 12 files (3 handoffs)."]
    summary.counts.update(hint=1, information=2)
    found = "Found 2 errors, 1 warning, 2 infos and 1 hint in 1 of 12 files (3 handoffs)."
    assert summary_lines(summary) == [found]


def test_a_crash_of_the_engine_is_reported_and_the_others_are_checked(
    bad: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(source: Any, path: str, *rest: Any, **options: Any) -> Any:
        if path == "0.md":
            raise KeyError("oh")
        return analyze(source, path, *rest, **options)

    monkeypatch.setattr("handoff_lsp.engine.analyze", crash)
    write(bad.parent / "0.md", NOTES)
    assert main(["check"]) == 2
    told = capsys.readouterr()
    assert told.err == "handoff-lsp: error: 0.md: internal error, please report it (KeyError: 'oh')\n"
    assert "Found 1 error in 1 file" in told.out


def test_the_place_in_the_other_file_is_shown(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = here / "deep" / ".agent"
    times = '"started_at": "2026-03-02T08:00:00Z", "updated_at": "2026-03-02T08:05:00Z"'
    status = '{"agent_id": "a", "agent_type": "w", "task": "t", "progress": "p", "last_checkpoint": null, "notes": "", '
    write(folder / "status.json", f'{status}"status": "running", {times}}}\n')
    write(folder / "activity.log", "2026-03-02T08:01:00Z [START] t\n2026-03-02T08:10:00Z [STATUS] completed\n")
    assert main(["check", "--fail-on", "warning", "deep/.agent/status.json"]) == 1
    told = capsys.readouterr().out
    assert "warning[file-disagreement]" in told
    assert "= deep/.agent/activity.log:2:1: `2026-03-02T08:10:00Z [STATUS] completed` in activity.log\n" in told
    main(["check", "--output-format", "json", "deep/.agent/status.json"])
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert set(finding) == {
        "path", "rule", "check", "severity", "message", "note", "help", "contract", "profile", "mode", "field",
        "upstream", "range", "related", "fixable", "fix", "choices",
    }  # fmt: skip
    (other,) = finding["related"]
    assert (other["path"], other["range"]["start"]["line"]) == ("deep/.agent/activity.log", 2)
    write(folder / "activity.log", "2026-03-02T08:01:00Z [START] t\n2026-03-02T08:10:00Z [STATUS] running\n")
    assert main(["check", "--fail-on", "hint", "deep"]) == 0


# Paths that are no file to read


def test_an_empty_path_is_not_the_working_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", ""]) == 2
    assert capsys.readouterr().err == "handoff-lsp: error: empty path\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_read_and_one_that_nobody_writes_to_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("handoff_lsp.cli.run._PATIENCE", 0.1)
    monkeypatch.chdir(tmp_path)
    os.mkfifo("a-handoff.md")
    assert main(["check", "a-handoff.md"]) == 2
    assert capsys.readouterr().err == "handoff-lsp: error: a-handoff.md: a pipe without a writer\n"
    monkeypatch.setattr("handoff_lsp.cli.run._PATIENCE", 30)
    late = f"import time; time.sleep(0.2); open('a-handoff.md', 'w').write({HANDOFF!r})"
    with subprocess.Popen([sys.executable, "-c", late]):
        assert main(["check", "a-handoff.md"]) == 1
