"""``handoff-lsp completion``: the script, run by the shell itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from handoff_lsp.cli.arguments.commands import SHELLS
from handoff_lsp.cli.main import main
from handoff_lsp.cli.usage import SEVERITIES

# Completes the words of the arguments as a press of Tab behind the last one does.
COMPLETE = """
source "$SCRIPT"
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
$(complete -p handoff-lsp | sed 's/.*-F \\([^ ]*\\).*/\\1/')
echo "${COMPREPLY[*]}"
"""


@pytest.fixture
def script(run: Any, tmp_path: Path) -> Path:
    path = tmp_path / "completion.bash"
    path.write_bytes(run("completion", "bash").stdout)
    return path


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("che", "check"),
        ("check --stat", "--statistics"),
        ("check --fail-on w", "warning"),
        ("check --select missing-s", "missing-section missing-status"),
        ("check --select missing-field,missing-s", ""),  # only the first of a list
        ("check --output-format js", "json jsonl"),
        ("check --severity invalid-v", " ".join(f"invalid-value={level}" for level in (*SEVERITIES, "off"))),
        ("config show --severity missing-status=o", "missing-status=off"),
        ("monitor --fail-on un", "unmerged unread"),
        ("new status-block --profile doc-r", "doc-reviewer"),
        ("explain status-b", "status-block"),
        ("new agent-c", "agent-contract"),
        ("contract le", "learn"),
        ("contract new agent-c", ""),  # a name of one's own
        ("schema con", "config contract"),
        ("config sh", "show"),
        ("contract new --form se", "section"),
        ("check --config completion.b", "completion.bash"),
        ("check completion.b", "completion.bash"),
        ("completion z", "zsh"),
    ],
)
def test_bash_completes_commands_options_values_and_files(script: Path, typed: str, offered: str) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    done = subprocess.run(
        [bash, "--norc", "-c", COMPLETE, "bash", "handoff-lsp", *typed.split(" ")],
        cwd=script.parent,
        env={"PATH": "/usr/bin:/bin", "SCRIPT": str(script)},
        capture_output=True,
        timeout=60,
    )
    assert (done.stdout.decode().strip(), done.stderr) == (offered, b"")


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_has_a_script_with_our_commands(shell: str, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["completion", shell]) == 0
    script = capsysbinary.readouterr().out.decode()
    assert "statistics" in script
    assert "clientProcessId" not in script


def test_an_unknown_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "fisch"]) == 2
    assert "unknown value `fisch`; did you mean `fish`?" in capsys.readouterr().err
