"""`check` of many files makes reports in other processes, and prints the same as alone, even if these fail."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").rglob("*.md"))

# Runs the command with processes from the third file on. Each line that they write to `seen` is a report of theirs.
RUN = """
import os, sys
from handoff_lsp.cli.checking import ahead
ahead.AFTER, ahead.FEWEST = 2, 3
ahead._processes = lambda: {processes}
used = []
get, proposal = ahead.Ahead.get, ahead.Ahead._proposal
def counted(self, number, text):
    found = get(self, number, text)
    used.append(found is not None)
    return found
ahead.Ahead.get = counted
{more}
from handoff_lsp.cli.main import main
code = main(["check", {cache}, "--output-format", "{form}", "."])
open({seen!r}, "w").write(str(sum(used)))
sys.exit(code)
"""
# What goes wrong in a process that works ahead: the fourth file that it has.
KILLED = """
def killed(self, target):
    if target.path.name == EXAMPLE and "feature-1" in str(target.path):
        os._exit(9)
    return proposal(self, target)
ahead.Ahead._proposal = killed
""".replace("EXAMPLE", repr(EXAMPLES[1].name))
# Each file is written again after its report was made.
CHANGED = """
from handoff_lsp.cli.run import Run
read = Run.read
def changed(self, target):
    text = read(self, target)
    return None if text is None else text.replace("##", "###")
Run.read = changed
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    for number in range(40):
        example = EXAMPLES[number % len(EXAMPLES)]
        path = folder / f"feature-{number:02}" / example.name
        path.parent.mkdir(parents=True)
        path.write_bytes(example.read_bytes())
    (folder / "feature-30" / "binary.md").write_bytes(b"a\0b")
    return folder


def run(
    files: Path, *, processes: int, more: str = "", form: str = "json", cache: str = ""
) -> tuple[int, str, str, int]:
    """The exit code, both outputs, and how many reports came from other processes."""
    seen = files.parent / "seen"
    arguments = repr(f"--cache-dir={cache}") if cache else repr("--no-cache")
    script = RUN.format(processes=processes, more=more, form=form, cache=arguments, seen=str(seen))
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=files, capture_output=True, text=True, check=False, timeout=300
    )
    assert seen.exists(), done.stderr
    return done.returncode, done.stdout, done.stderr, int(seen.read_text())


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")


@pytest.mark.parametrize("form", ["json", "text"])
def test_the_output_is_the_same(files: Path, form: str) -> None:
    alone = run(files, processes=0, form=form)
    ahead = run(files, processes=2, form=form)
    assert alone[3] == 0
    assert ahead[3] > 30
    assert ahead[:3] == alone[:3]


def test_a_process_that_is_killed_leaves_the_rest_to_the_run(files: Path) -> None:
    alone = run(files, processes=0)
    ahead = run(files, processes=2, more=KILLED)
    assert 0 < ahead[3] < 37
    assert ahead[:3] == alone[:3]


def test_a_report_of_an_earlier_text_is_not_used(files: Path) -> None:
    alone = run(files, processes=0, more=CHANGED)
    ahead = run(files, processes=2, more=CHANGED)
    assert ahead[:3] == alone[:3]
    assert ahead[3] < 20  # the reports of files without a heading of the second level are right


def test_the_cache_has_the_reports_that_were_made_ahead(files: Path, tmp_path: Path) -> None:
    alone = run(files, processes=0)
    first = run(files, processes=2, cache=str(tmp_path / "cache"))
    second = run(files, processes=2, cache=str(tmp_path / "cache"))
    assert first[:3] == second[:3] == alone[:3]
    assert first[3] > 30
    assert second[3] == 0
