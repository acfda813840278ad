"""`handoff-lsp mcp` as a command: without its extra, by hand, and apart from the other commands."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from handoff_lsp.cli.main import main

ROOT = Path(__file__).parents[2]

_WITHOUT = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"mcp", "mcp_types", "anyio"}:
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)
sys.meta_path.insert(0, Absent())
from handoff_lsp.cli.main import main
sys.exit(main(["mcp"]))
"""


def test_without_the_extra_it_says_what_to_install() -> None:
    done = subprocess.run([sys.executable, "-c", _WITHOUT], cwd=ROOT, input="", capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    message = "handoff-lsp: error: the MCP server needs the package `mcp`, version 2: pip install 'handoff-lsp[mcp]'"
    assert done.stderr.splitlines()[0] == message
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    (wanted,) = extras["mcp"]
    assert wanted.startswith("mcp>=2") and wanted in extras["dev"]


def test_a_person_at_a_terminal_gets_a_hint(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    assert main(["mcp"]) == 2
    assert "an MCP client runs this and writes to its standard input" in capsys.readouterr().err


def test_a_root_must_be_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--root", "no-such-folder"]) == 2
    assert "the root is not a folder: no-such-folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", [["check", "--help"], ["check", "README.md"], ["explain", "status-block"], ["mcp", "--help"]]
)
def test_no_other_command_loads_it(command: list[str]) -> None:
    script = f"""
import sys
from handoff_lsp.cli.main import main
main({command!r})
print([name for name in sys.modules if name.partition(".")[0] in ("mcp", "mcp_types", "anyio", "starlette")])
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
