"""What the command is started in: a full disk, closed streams, a folder that is gone, names that are too long."""

from __future__ import annotations

import gc
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli.conftest import ROOT, Run

from handoff_lsp.cli.main import main

LONG = "x" * 5000


def shell(script: str, here: Path) -> subprocess.CompletedProcess[str]:
    """Run a script of sh, in which `$lsp` is the command."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "lsp": f"{sys.executable} -m handoff_lsp"}
    return subprocess.run(["sh", "-c", script], cwd=here, env=env, capture_output=True, text=True, timeout=60)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("command", ["check", "check --output-format json", "parse a-handoff.md", "schema config"])
def test_a_full_disk_is_a_failure_and_no_finding(bad: Path, command: str) -> None:
    ran = shell(f"$lsp {command} > /dev/full", bad.parent)
    assert (ran.returncode, ran.stderr) == (2, "handoff-lsp: error: standard output: No space left on device\n")


@pytest.mark.skipif(os.name == "nt", reason="sh")
@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("$lsp check >&-", 1),
        ("$lsp check >&- 2>&-", 1),
        ("$lsp check <&-", 1),
        ("$lsp check nowhere.md 2>&-", 2),
        ("$lsp explain --list >&-", 0),
        ("$lsp --help >&-", 0),
    ],
)
def test_a_closed_stream_changes_no_exit_code(bad: Path, script: str, code: int) -> None:
    ran = shell(script, bad.parent)
    assert ran.returncode == code
    assert "Traceback" not in ran.stderr


@pytest.mark.skipif(os.name == "nt", reason="sh")
def test_a_terminal_that_knows_only_ascii(bad: Path) -> None:
    bad.write_text(bad.read_text(encoding="utf-8").replace("compleet", "日本"), encoding="utf-8")
    ran = shell("LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 $lsp check --output-format text", bad.parent)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert '`Status` is "??"' in ran.stdout


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps the working folder")
@pytest.mark.parametrize("command", ["check", "check -", "parse a.md", "doctor", "init", "baseline", "contract lint"])
def test_a_working_folder_that_is_gone(tmp_path: Path, command: str) -> None:
    ran = shell(f"mkdir gone; cd gone; rmdir ../gone; $lsp {command} < /dev/null", tmp_path)
    assert (ran.returncode, ran.stderr) == (2, "handoff-lsp: error: the working folder is gone\n")


def test_a_name_that_is_too_long_does_not_stop_the_others(bad: Path, run: Run) -> None:
    ran = run("check", LONG, bad.name)
    assert ran.returncode == 2
    assert f"handoff-lsp: error: {LONG}: File name too long".encode() in ran.stderr
    assert b"a-handoff.md:4:1: error[invalid-value]" in ran.stdout


@pytest.mark.parametrize("command", ["doctor", "config show", "init", "new -o", "contract learn", "contract test"])
def test_no_command_crashes_over_a_long_name(run: Run, command: str) -> None:
    ran = run(*command.split(), LONG)
    assert b"Traceback" not in ran.stderr


def test_a_contract_name_that_is_too_long(run: Run) -> None:
    ran = run("contract", "new", LONG)
    assert ran.returncode == 2
    assert b"a contract name has at most 100 characters" in ran.stderr


@pytest.mark.parametrize("given", ["a-handoff.md", "./a-handoff.md"])
def test_no_report_is_written_over_a_checked_file(bad: Path, run: Run, given: str) -> None:
    before = bad.read_bytes()
    ran = run("check", "-o", f"json:{given}", "a-handoff.md")
    assert ran.returncode == 2
    assert f"cannot write `{given}`: it is one of the checked files".encode() in ran.stderr
    assert bad.read_bytes() == before


def test_standard_input_is_read_once(bad: Path, run: Run) -> None:
    assert b"in 1 file (1 handoff)" in run("check", "-", "-", stdin=bad.read_bytes()).stdout


@pytest.mark.parametrize("option", ["--diff", "--fix-only"])
def test_statistics_need_findings(bad: Path, run: Run, option: str) -> None:
    ran = run("check", "--statistics", option)
    assert ran.returncode == 2
    assert b"`--statistics` needs findings" in ran.stderr


@pytest.mark.parametrize("arguments", [["check"], ["hook", "claude-code"]])
def test_another_program_keeps_its_garbage_collector(
    bad: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(bad.parent)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"{}")))
    before = gc.isenabled(), gc.get_threshold()
    try:
        main(arguments)
    except SystemExit:
        pass
    finally:
        capsys.readouterr()
    assert (gc.isenabled(), gc.get_threshold()) == before
