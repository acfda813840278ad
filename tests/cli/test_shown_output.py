"""The output that pages show below `$ handoff-lsp …` is the output of that command. A line with `…` is a gap."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md",
    "docs/ci.md",
    "docs/index.md",
    "docs/command-line.md",
    "docs/languages.md",
    "docs/prompts.md",
    "docs/schemas.md",
)
_FENCE = re.compile(r"^(`{3,})[^`\n]*\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (?:echo '([^'\n]*)' \| )?handoff-lsp (.+)\n", re.MULTILINE)


# A fence that begins so is about a copy of a folder, which is a workspace of its own.
_COPIED = re.compile(r"\$ cp -r (\S+) (\S+) && cd \2\n")


def shown() -> list[tuple[str, str, str, str]]:
    """The commands of all pages with the shown output, after `echo` their standard input, and the copied folder."""
    found = []
    for page in PAGES:
        for fence in _FENCE.finditer((ROOT / page).read_text(encoding="utf-8")):
            copied = _COPIED.match(fence[2])
            first, *rest = _COMMAND.split(fence[2][copied.end() if copied else 0 :])
            folder = copied[1] if copied else ""
            assert not rest or not first.strip(), f"{page}: output before the first command"
            found += [
                (command, output, said or "", folder) for said, command, output in zip(*[iter(rest)] * 3, strict=True)
            ]
    return found


@pytest.mark.parametrize(("command", "output", "said", "folder"), shown(), ids=[command for command, *_ in shown()])
def test_the_shown_output_is_the_output(tmp_path: Path, command: str, output: str, said: str, folder: str) -> None:
    here = ROOT if not folder else Path(shutil.copytree(ROOT / folder, tmp_path / "copy"))
    ran = subprocess.run(
        [sys.executable, "-m", "handoff_lsp", *shlex.split(command)],
        cwd=here,
        input=f"{said}\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    printed, at = " ".join(ran.stdout.split()), 0
    for part in re.split(r"^…$", output, flags=re.MULTILINE):
        words = " ".join(part.split())
        at = printed.find(words, at)
        assert at >= 0, f"not in the output: {words}"


def test_pages_show_output() -> None:
    assert len(shown()) >= 5
