"""The output that pages show below `$ handoff-lsp …` is the output of that command. A line with `…` is a gap."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/ci.md", "docs/index.md", "docs/command-line.md", "docs/languages.md", "docs/schemas.md")
_FENCE = re.compile(r"^(`{3,})[^`\n]*\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (?:echo '([^'\n]*)' \| )?handoff-lsp (.+)\n", re.MULTILINE)


def shown() -> list[tuple[str, str, str]]:
    """The commands of all pages with the shown output and, after `echo`, their standard input."""
    found = []
    for page in PAGES:
        for fence in _FENCE.finditer((ROOT / page).read_text(encoding="utf-8")):
            first, *rest = _COMMAND.split(fence[2])
            assert not rest or not first.strip(), f"{page}: output before the first command"
            found += [(command, output, said or "") for said, command, output in zip(*[iter(rest)] * 3, strict=True)]
    return found


@pytest.mark.parametrize(("command", "output", "said"), shown(), ids=[command for command, *_ in shown()])
def test_the_shown_output_is_the_output(command: str, output: str, said: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "handoff_lsp", *shlex.split(command)],
        cwd=ROOT,
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
