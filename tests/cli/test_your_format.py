"""The page `docs/your-format.md`, replayed: its files are written and its commands run, in the order of the page.

A fence with a path behind its tag is a file; one tagged `console` holds commands with their whole output; one tagged
`editor` shows what a real server sends a client that opens the file.
`PYTHONPATH=tests python tests/cli/test_your_format.py` writes the outputs into the page again; read the changes.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from server.client import LspClient

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "your-format.md"
_FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (.+)\n", re.MULTILINE)


def test_the_page_is_what_happens(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(_COMMAND.findall(page)) == 4
    assert replayed(page, tmp_path) == page


def replayed(page: str, folder: Path) -> str:
    """The page with the outputs that its commands have in a folder."""
    (folder / "contracts").mkdir()

    def again(fence: re.Match[str]) -> str:
        tag, path, body = fence.groups()
        if tag == "editor":
            return f"```editor {path}\n{_seen(folder / path)}```"
        if path:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(body, encoding="utf-8")
        elif tag == "console":
            commands = _COMMAND.findall(body)
            return "```console\n" + "".join(f"$ {command}\n{_said(command, folder)}" for command in commands) + "```"
        return fence[0]

    return _FENCE.sub(again, page)


def _seen(path: Path) -> str:
    """The diagnostics of a document in a client of the server, below their lines."""
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    shown = []
    with LspClient() as client:
        client.open(text, path.as_uri())
        for found in client.diagnostics(1, path.as_uri()):
            start, end = found["range"]["start"], found["range"]["end"]
            waves = "~" * (end["character"] - start["character"])
            shown.append(f"{start['line'] + 1:>4} | {lines[start['line']]}\n")
            shown.append(f"     | {' ' * start['character']}{waves} {found['message']}\n")
    return "".join(shown)


def _said(command: str, folder: Path) -> str:
    """The output of a command of the page."""
    name, *arguments = command.split()
    if name == "cat":
        return (folder / arguments[0]).read_text(encoding="utf-8")
    assert name == "handoff-lsp"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    call = [sys.executable, "-m", "handoff_lsp", *arguments]
    done = subprocess.run(call, capture_output=True, cwd=folder, env=environment, timeout=60)
    return (done.stdout + done.stderr).decode("utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        PAGE.write_text(replayed(PAGE.read_text(encoding="utf-8"), Path(made)), encoding="utf-8")
