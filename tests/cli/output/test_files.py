"""``-o FORMAT:FILE``: several outputs of one run, each file whole or as it was."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli.documents import BAD

from handoff_lsp.cli.main import main

ROOT = Path(__file__).parents[3]


def test_several_at_once(bad: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "-o", "json:a.json", "--output", "concise:b.txt", "-o", "sarif:c.sarif"]) == 1
    assert "   4 | compleet\n" in capsys.readouterr().out
    assert len(json.loads((here / "a.json").read_text(encoding="utf-8"))["findings"]) == 1
    assert (here / "b.txt").read_text(encoding="utf-8").startswith("a-handoff.md:4:1: error[invalid-value] ")
    assert json.loads((here / "c.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert sorted(os.listdir(here)) == ["a-handoff.md", "a.json", "b.txt", "c.sarif"]


def test_a_file_is_what_standard_output_would_be(bad: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("json", "sarif", "gitlab", "junit", "github"):
        main(["check", "--output-format", name])
        assert main(["check", "-o", f"{name}:out", "-q"]) == 1
        told = capsys.readouterr().out
        assert told.startswith((here / "out").read_text(encoding="utf-8"))


def test_a_text_in_a_file_has_the_failures_and_no_color(bad: Path, here: Path) -> None:
    assert main(["check", "a-handoff.md", "missing.md", "--color", "always", "-o", "text:out.txt"]) == 2
    text = (here / "out.txt").read_text(encoding="utf-8")
    assert "handoff-lsp: error: missing.md: no such file or folder\n1 file could not be checked.\n" in text
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("nowhere/a.sarif", "cannot write `nowhere/a.sarif`: no such folder"),
        ("a-handoff.md/a.sarif", "cannot write `a-handoff.md/a.sarif`: no such folder"),
        (".", "cannot write `.`: it is a folder"),
        (".handoff-lsp.toml", "cannot write `.handoff-lsp.toml`: it is a config"),
        ("", "names no file"),
        ("-", "names no file"),
        ("x\0y", "cannot write `x"),
    ],
)
def test_a_file_that_cannot_be_written_is_an_error_before_the_run(
    given: str, told: str, bad: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "-o", "json:first.json", "-o", f"sarif:{given}"]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert told in out.err
    assert sorted(os.listdir(here)) == ["a-handoff.md"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux's")
def test_a_folder_that_takes_no_file(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "-o", "sarif:/proc/a.sarif"]) == 2
    assert "cannot write `/proc/a.sarif`" in capsys.readouterr().err


def test_one_file_takes_one_output(bad: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "-o", "json:a", "-o", "sarif:./a"]) == 2
    assert "two outputs to the same file `./a`" in capsys.readouterr().err
    assert main(["check", "-o", "a.json"]) == 2
    assert "`a.json` is not FORMAT:FILE, such as sarif:findings.sarif" in capsys.readouterr().err


def test_a_link_and_a_mode_stay(bad: Path, here: Path) -> None:
    (here / "real.json").write_text("old", encoding="utf-8")
    (here / "real.json").chmod(0o640)
    (here / "link.json").symlink_to("real.json")
    main(["check", "-o", "json:link.json"])
    assert (here / "link.json").is_symlink()
    assert json.loads((here / "real.json").read_text(encoding="utf-8"))["findings"]
    assert (here / "real.json").stat().st_mode & 0o777 == 0o640


def test_a_new_file_can_be_read_by_others(bad: Path, here: Path) -> None:
    before = os.umask(0o022)
    try:
        main(["check", "-o", "json:new.json"])
    finally:
        os.umask(before)
    assert (here / "new.json").stat().st_mode & 0o777 == 0o644


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_is_an_error(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--exit-zero", "-o", "json:/dev/full"]) == 2
    assert "handoff-lsp: error: /dev/full: No space left on device" in capsys.readouterr().err


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no /dev/stdout")
def test_a_device_is_written(run: object, bad: Path) -> None:
    done = run("check", "-o", "jsonl:/dev/stdout", "-q")  # type: ignore[operator]
    assert b'"type": "summary"' in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_an_interrupted_run_leaves_the_old_file(bad: Path, here: Path) -> None:
    (here / "a.json").write_text("old", encoding="utf-8")
    os.mkfifo(here / "pipe.md")  # the run waits for its writer
    run = subprocess.Popen(
        [sys.executable, "-m", "handoff_lsp", "check", "a-handoff.md", "pipe.md", "-o", "json:a.json"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    )
    until = time.monotonic() + 30
    while not any(name.endswith(".tmp") for name in os.listdir(here)) and time.monotonic() < until:
        time.sleep(0.02)
    writer = os.open(here / "pipe.md", os.O_RDWR)  # so that it waits for as long as we like
    until = time.monotonic() + 30
    while run.poll() is None and time.monotonic() < until:
        run.send_signal(signal.SIGINT)  # Python drops one that comes while it runs a finalizer
        with contextlib.suppress(subprocess.TimeoutExpired):
            run.communicate(timeout=15)  # a second one would interrupt the removal of the temporary file
    run.kill()
    os.close(writer)
    assert run.returncode == 130
    assert (here / "a.json").read_text(encoding="utf-8") == "old"
    assert not [name for name in os.listdir(here) if name.endswith(".tmp")]


@pytest.mark.parametrize(
    ("option", "environment", "colored"),
    [
        ("always", {"NO_COLOR": "1"}, True),
        ("never", {"FORCE_COLOR": "1"}, False),
        ("auto", {"FORCE_COLOR": "1"}, True),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("auto", {"FORCE_COLOR": ""}, False),
        ("auto", {}, False),
    ],
)
def test_color(
    option: str, environment: dict[str, str], colored: bool, bad: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    for name in ("text", "concise", "grouped"):
        main(["check", "--color", option, "--output-format", name])
        assert ("\x1b[" in capsys.readouterr().out) is colored


def test_a_checked_handoff_is_never_replaced_by_a_report(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (bad.parent / "report.md").write_text("# An earlier report\n", encoding="utf-8")
    assert main(["check", "-o", f"json:{bad.name}", "-o", "concise:report.md", "."]) == 2
    assert f"{bad.name}: it holds a handoff that was checked" in capsys.readouterr().err
    assert bad.read_text(encoding="utf-8") == BAD
    assert "error[invalid-value]" in (bad.parent / "report.md").read_text(encoding="utf-8")
