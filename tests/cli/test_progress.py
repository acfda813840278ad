"""The line of progress, and the end of a run that is interrupted."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli.conftest import ROOT

from handoff_lsp.cli.checking.progress import FileProgress


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def screen(text: str) -> str:
    """What a terminal shows of a text on one line."""
    cells: list[str] = []
    at = 0
    for char in text:
        if char == "\r":
            at = 0
        else:
            cells[at : at + 1] = char
            at += 1
    return "".join(cells).rstrip()


def test_a_long_run_shows_how_far_it_is(clock: Clock) -> None:
    terminal = io.StringIO()
    progress = FileProgress(terminal, clock)
    for number in progress.over(range(10_000)):
        clock.now = (number + 1) / 1000
        if number == 2000:  # the item before it ended at 2.0 seconds
            assert screen(terminal.getvalue()) == "checked 2,000 of 10,000 files (1,000/s, 8 s left)"
        elif number < 2000:
            assert terminal.getvalue() == ""
    assert screen(terminal.getvalue()) == ""
    assert terminal.getvalue().count("checked") == 80  # ten a second, for eight seconds


def test_the_line_is_removed_before_other_output(clock: Clock) -> None:
    terminal = io.StringIO()
    progress = FileProgress(terminal, clock)
    write = progress.writing(terminal.write)
    for number in progress.over(range(3)):
        if number == 0:
            clock.now = 5
        if number == 1:
            assert screen(terminal.getvalue()) == "checked 1 of 3 files (0/s, 10 s left)"
            write("a finding")
            assert screen(terminal.getvalue()) == "a finding"


def test_the_line_fits_the_terminal(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    terminal = io.StringIO()
    for _ in FileProgress(terminal, clock).over(range(2)):
        clock.now += 3
    assert "\rchecked 1 of 2 file" in terminal.getvalue()
    assert "files" not in terminal.getvalue()


def test_no_line_without_a_terminal(run: object, bad: Path, capfd: pytest.CaptureFixture[str]) -> None:
    progress = FileProgress(None, Clock())
    assert list(progress.over([1, 2])) == [1, 2]
    assert (progress.done, progress.total) == (2, 2)
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
@pytest.mark.parametrize(("form", "shown"), [("text", True), ("json", False)])
def test_ctrl_c_keeps_the_findings_and_says_how_far_it_came(bad: Path, form: str, shown: bool) -> None:
    pipe = bad.parent / "z.md"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "handoff_lsp", "check", bad.name, pipe.name, "--output-format", form]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    with pipe.open("w"):  # opens once the command reads the pipe, and it reads until this is closed
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert err == b"handoff-lsp: interrupted: 1 of 2 files were checked\n"
    assert out.startswith(b"a-handoff.md:4:1: error[invalid-value]") is shown
    assert (out == b"") is not shown
