"""``handoff-lsp doctor``: the report as text and as JSON, and its exit codes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from cli.conftest import Run

import handoff_lsp
from handoff_lsp.cli import doctor as command
from handoff_lsp.cli.main import main

UTF8 = {"PYTHONUTF8": "1"}


def test_a_handoff_is_reported_with_its_signs(run: Run, bad: Path) -> None:
    done = run("doctor", "a-handoff.md", **UTF8)
    out = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b""), "what is wrong with a handoff is no problem of the installation"
    assert out.startswith("HANDOFF-LSP DOCTOR\n\nNo problems with the installation or config.\n\nINSTALLATION\n")
    assert f"- handoff-lsp {handoff_lsp.__version__} in " in out
    assert "\n`a-handoff.md`\n" in out
    assert "- Recognized in line 1: `status-block`, profile `developer`, handoff (document), with 1 error" in out
    assert "  - a section `Status` (1), line 3\n" in out


def test_without_a_file_the_config_of_the_folder_is_reported(run: Run, here: Path) -> None:
    (here / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (here / ".git").mkdir()
    done = run("doctor", **UTF8)
    out = done.stdout.decode()
    assert done.returncode == 0
    assert f"FOLDER `{here}`" in out
    assert "- `pyproject.toml` has no table `[tool.handoff-lsp]`" in out


def test_a_broken_config_is_first_and_is_the_exit_code(run: Run, bad: Path) -> None:
    (bad.parent / ".handoff-lsp.toml").write_text("[rules]\nmissing-stats = 'error'\n")
    done = run("doctor", "a-handoff.md", **UTF8)
    lines = done.stdout.decode().split("\n")
    assert done.returncode == 1
    assert lines[2] == "PROBLEMS"
    assert lines[4].startswith("- `.handoff-lsp.toml`, line 2: ")


def test_a_file_that_cannot_be_read(run: Run, here: Path) -> None:
    done = run("doctor", "nothing.md", **UTF8)
    assert done.returncode == 2
    assert "- `nothing.md`: cannot be read: no such file" in done.stdout.decode()


def test_for_programs(run: Run, bad: Path) -> None:
    (bad.parent / "sub").mkdir()
    done = run("doctor", "--output-format", "json", "a-handoff.md", "sub", **UTF8)
    told = json.loads(done.stdout)
    assert done.returncode == 0
    assert set(told) == {"problems", "server", "folders", "files", "agents"}
    assert told["server"]["version"] == handoff_lsp.__version__
    (file,) = told["files"]
    assert file["path"] == str(bad)
    assert file["recognised"][0]["contract"] == "status-block"
    assert [folder["folder"] for folder in told["folders"]] == [str(bad.parent / "sub")]


def test_a_text_that_is_in_no_file(run: Run, bad: Path) -> None:
    (bad.parent / "notes.md").write_text("# Notes\n")
    done = run("doctor", "-", "--stdin-filename", "notes.md", "--output-format", "json", stdin=bad.read_bytes(), **UTF8)
    (file,) = json.loads(done.stdout)["files"]
    assert (done.returncode, file["path"], file["name"]) == (0, str(bad.parent / "notes.md"), "notes.md")
    assert file["recognised"][0]["contract"] == "status-block"
    assert file["relevant"] is True
    done = run("doctor", "-", stdin=b"\0\1", **UTF8)
    assert (done.returncode, b"cannot be read: " in done.stdout) == (2, True)
    assert b"needs `-` as the path" in run("doctor", "--stdin-filename", "notes.md").stderr


def test_a_terminal_that_lacks_signs(run: Run, here: Path) -> None:
    done = run("doctor", PYTHONIOENCODING="cp1252", PYTHONUTF8="0")
    assert done.returncode == 1
    assert b"- Standard output is cp1252, which lacks characters" in done.stdout
    told = json.loads(run("doctor", "--output-format", "json", PYTHONIOENCODING="cp1252", PYTHONUTF8="0").stdout)
    assert "cp1252" in told["problems"][0]["message"]


def test_a_python_that_is_too_old(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "_OLDEST", (99, 0))
    assert main(["doctor"]) == 2
    assert "is too old: 99.0 is needed" in capsys.readouterr().err


def test_a_config_that_is_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "other.toml").write_text("examples = true\n")
    main(["doctor", "--config", "other.toml"])
    assert "- Config: `other.toml`, named on the command line" in capsys.readouterr().out


def test_names_of_files_steer_no_terminal(run: Run, here: Path) -> None:
    name = "a\x1b[31m.md"
    (here / name).write_text("# Notes\n")
    done = run("doctor", name, **UTF8)
    assert b"\x1b" not in done.stdout
    assert "\x1b" not in json.loads(run("doctor", "--output-format", "json", **UTF8).stdout)["server"]["version"]
    assert os.path.exists(here / name)


def agents(here: Path) -> None:
    """Two agents in a workspace; the config contradicts the definition of one."""
    folder = here / ".claude" / "agents"
    folder.mkdir(parents=True)
    (here / ".git").mkdir(exist_ok=True)
    (folder / "builder.md").write_text("## Output\n\nEmit an `AGENT_RESULT` block.\n")
    (folder / "tester.md").write_text("Runs the tests.\n")
    (here / ".handoff-lsp.toml").write_text('[agents.builder]\nreturns = "status-block"\n')


def test_the_agents_of_a_folder_with_what_they_owe(run: Run, here: Path) -> None:
    agents(here)
    out = " ".join(run("doctor", **UTF8).stdout.decode().split())
    assert (
        "AGENTS - `builder` owes `status-block` in its final message. Known from the config (`.handoff-lsp.toml`) "
        "- Disagreement: the config says that it owes `status-block`, which counts; its definition "
        "(`.claude/agents/builder.md`, line 3) asks for `agent-result` - Nothing is known that these owe: `tester`"
    ) in out


def test_one_agent(run: Run, here: Path) -> None:
    agents(here)
    done = run("doctor", "--agent", "tester", "--agent", "nobody", **UTF8)
    out = done.stdout.decode()
    assert done.returncode == 0
    assert out.endswith("AGENTS\n\n- Nothing is known that these owe: `tester`, `nobody`\n")
    assert "INSTALLATION" not in out


def test_the_definition_of_an_agent_as_the_file(run: Run, here: Path) -> None:
    agents(here)
    done = run("doctor", "--output-format", "json", ".claude/agents/builder.md", **UTF8)
    (agent,) = json.loads(done.stdout)["agents"]
    assert (agent["agent"], agent["definition"]) == ("builder", ".claude/agents/builder.md")
    assert [one["contract"] for one in agent["owes"]] == ["status-block"]
    assert len(agent["disagreements"]) == 1
