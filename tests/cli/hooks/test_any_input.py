"""No input keeps an agent from continuing: exit code 0, and at most a note on standard error."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli.hooks.conftest import ROOT
from cli.hooks.told import BROKEN, GOOD, INPUTS, NOT_CHECKED, PATH, recorded

from handoff_lsp.cli.hooks.agents import NAMES
from handoff_lsp.cli.main import main

ODD = (None, True, 1, -1.5, "", "a\0b", "\ud800", "x" * 5_000, [], [1, None], {}, {"file_path": 3}, "{", [["a"]])
EVERY = [(path.parent.name, path.stem) for path in sorted(INPUTS.glob("*/*.json"))]


def test_every_prefix_of_an_input(root: Path, hook: Callable[..., Any]) -> None:
    data = json.dumps(recorded("codex", "edit", root), ensure_ascii=False).encode()
    for end in range(len(data)):
        assert hook("codex", data[:end]) == (None, "handoff-lsp hook: the input is not JSON\n")


@pytest.mark.parametrize(("agent", "event"), EVERY)
def test_every_field_with_something_odd_in_it_or_gone(
    agent: str, event: str, root: Path, hook: Callable[..., Any]
) -> None:
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    whole = recorded(agent, event, root)
    for field in whole:
        for value in ODD:
            _, err = hook(agent, {**whole, field: value}, "--main-message")
            assert "internal error" not in err
        _, err = hook(agent, {name: whole[name] for name in whole if name != field}, "--main-message")
        assert "internal error" not in err


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "the input is not JSON"),
        (b"\xff\xfe{", "the input is not JSON"),
        (b"[" * 200_000, "the input is not JSON"),
        (b"[]", "the input is not a JSON object"),
        (b"null", "the input is not a JSON object"),
        (b"{}", ""),
        (
            json.dumps({"hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": "[" * 100_000}).encode(),
            "",
        ),
        (b"\xef\xbb\xbf{}", ""),
    ],
)
def test_what_is_no_input(data: bytes, told: str, hook: Callable[..., Any]) -> None:
    assert hook("claude-code", data) == (None, f"handoff-lsp hook: {told}\n" if told else "")


def test_a_file_that_cannot_be_checked(root: Path, hook: Callable[..., Any]) -> None:
    edit = recorded("claude-code", "edit", root)
    assert hook("claude-code", edit) == (None, f"handoff-lsp hook: {root / PATH}: no such file or folder\n")
    (root / PATH).write_bytes(b"\x00\x01binary")
    answer, err = hook("claude-code", edit)
    assert answer == {"systemMessage": NOT_CHECKED} and "binary (a NUL byte" in err
    (root / PATH).unlink()
    (root / PATH).mkdir()
    answer, err = hook("claude-code", edit)
    assert answer is None and "a folder, not a file" in err


def test_data_that_is_no_handoff_is_not_even_read(root: Path, hook: Callable[..., Any]) -> None:
    for name in ("trace.jsonl", "app.log", "package-lock.json"):
        (root / name).write_bytes(b"\x00" * 6_000_000)
        edit = recorded("claude-code", "edit", root, tool_input={"file_path": str(root / name)})
        assert hook("claude-code", edit) == (None, "")


@pytest.mark.skipif(os.name != "posix", reason="no such names there")
def test_what_is_printed_about_a_file_is_one_line_whatever_its_name(root: Path, hook: Callable[..., Any]) -> None:
    (root / "a\n# b\x1b-handoff.md").write_text(BROKEN, encoding="utf-8")
    edit = recorded("claude-code", "edit", root, tool_input={"file_path": "a\n# b\x1b-handoff.md"})
    assert hook("claude-code", edit)[0]["reason"].startswith("handoff-lsp: the handoff in `a # b␛-handoff.md` has 1 ")


def test_no_word_of_a_document_steers_a_terminal(root: Path, hook: Callable[..., Any]) -> None:
    status = "complete\x1b[2J\u202e\x9b"
    (root / PATH).write_text(GOOD.replace("## Status\n\ncomplete", f"## Status\n\n{status}"), encoding="utf-8")
    said = hook("claude-code", recorded("claude-code", "edit", root))[0]["reason"]
    assert "␛[2J" in said
    assert [char for char in said if not char.isprintable() and char != "\n"] == []


def test_a_file_outside_of_the_folder_and_a_folder_that_is_gone(
    root: Path, hook: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "a-handoff.md").write_text(BROKEN, encoding="utf-8")
    edit = recorded("claude-code", "edit", root, tool_input={"file_path": str(tmp_path / "a-handoff.md")})
    told, _ = hook("claude-code", edit)
    assert f"the handoff in `{tmp_path / 'a-handoff.md'}` has 1 error" in told["reason"]
    answer, err = hook("claude-code", {**edit, "cwd": str(root / "gone"), "session_id": "another"})
    assert answer is not None and err == ""


def test_paths_of_windows_have_no_file_here_and_are_judged_by_their_end(root: Path, hook: Callable[..., Any]) -> None:
    edit = recorded("claude-code", "edit", root)
    assert hook("claude-code", {**edit, "tool_input": {"file_path": "C:\\work\\main.py"}}) == (None, "")
    _, err = hook("claude-code", {**edit, "tool_input": {"file_path": "C:\\work\\A-HANDOFF.MD"}})
    assert ("no such file" in err) == (os.name == "posix")


def test_wrong_arguments_do_not_start_an_agent_again(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2 would: for an agent it is a decision to block."""
    for arguments in (["claud-code"], [], ["cursor", "--fail-onn"], ["cursor", "--fail-on", "x"]):
        assert main(["hook", *arguments]) == 1
        assert "handoff-lsp: error: " in capsys.readouterr().err
    assert main(["hook", "claud-code"]) == 1
    assert "did you mean `claude-code`?" in capsys.readouterr().err


_HEAVY = ("handoff_lsp.engine", "pydantic", "pygls", "lsprotocol", "markdown_it", "yaml", "cel_expr_python", "re2")
_SLOW = ("argparse", "dataclasses", "hashlib", "logging", "tempfile")
_PROGRAM = """\
import sys
from handoff_lsp.cli.main import main
assert main(["hook", "claude-code"]) == 0
print(*(name for name in sys.argv[1:] if name in sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("name", "text", "imported"),
    [("main.py", "x = 1\n", False), ("a.md", "# x\n", False), ("a.json", "{}", False), ("a.md", BROKEN, True)],
)
def test_what_is_imported_for_a_file(name: str, text: str, imported: bool, root: Path) -> None:
    """A hook runs after every edit: it imports nothing slow for most files, and it never imports the server."""
    (root / name).write_text(text, encoding="utf-8")
    edit = recorded("claude-code", "edit", root, tool_input={"file_path": str(root / name)})
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *_HEAVY, *_SLOW],
        input=json.dumps(edit).encode(),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=False,
    )
    assert (done.returncode, bool(done.stdout)) == (0, imported)
    seen = done.stderr.decode().split()
    assert ("handoff_lsp.engine" in seen) == imported
    assert not {"pygls", "lsprotocol"} & set(seen)
    assert imported or seen == []


@pytest.mark.parametrize("agent", NAMES)
def test_the_config_to_paste(agent: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hook", agent, "--print-config"]) == 0
    told = capsys.readouterr()
    assert f'handoff-lsp hook {agent}"' in told.out
    assert json.loads(told.out)["hooks"]
    assert told.err.startswith("This goes into .")


@pytest.mark.parametrize("config", ["x = " + "9" * 5_000, "x = " + "[" * 400 + "]" * 400, "x = " + "[" * 20_000])
def test_a_config_that_cannot_be_read_is_reported_once(config: str, root: Path, hook: Callable[..., Any]) -> None:
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    (root / ".handoff-lsp.toml").write_text(config + "\n", encoding="utf-8")
    edit = recorded("claude-code", "edit", root)
    told, err = hook("claude-code", edit)
    assert told == {"systemMessage": NOT_CHECKED}
    assert err.startswith("handoff-lsp: error: .handoff-lsp.toml:") and err.count("\n") == 1
    assert hook("claude-code", edit)[0] is None


@pytest.mark.parametrize("agent", NAMES)
def test_an_engine_that_cannot_be_loaded_is_reported_once(agent: str, root: Path, tmp_path: Path) -> None:
    (root / PATH).write_text(GOOD, encoding="utf-8")
    broken = tmp_path / "libraries"
    broken.mkdir()
    (broken / "markdown_it.py").write_text("raise ImportError('built for another machine')\n", encoding="utf-8")
    path = os.pathsep.join([str(broken), str(ROOT)])

    def run(event: str) -> Any:
        done = subprocess.run(
            [sys.executable, "-m", "handoff_lsp", "hook", agent],
            input=json.dumps(recorded(agent, event, root)).encode(),
            capture_output=True,
            env={**os.environ, "PYTHONPATH": path},
            timeout=60,
            check=False,
        )
        assert done.returncode == 0
        assert b"Traceback" not in done.stderr
        return json.loads(done.stdout) if done.stdout else None, done.stderr.decode()

    event = "stop" if agent == "cursor" else "edit"  # Cursor's event after an edit takes no answer
    if agent == "cursor":
        run("edit")
    told, err = run(event)
    # If an agent's format has no message for the user, standard error is used.
    assert told == (None if agent in ("copilot", "cursor") else {"systemMessage": NOT_CHECKED})
    assert err == (
        "handoff-lsp hook: not checked: the engine cannot be loaded (ImportError: built for another machine)\n"
    )
    assert run(event) == (None, err)


def test_the_printed_setup_has_the_options_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    options = [
        "--fail-on",
        "warning",
        "--main-message",
        "--retries",
        "2",
        "--config",
        "a b.toml",
        "--no-log",
        "--lang",
        "ja",
    ]
    assert main(["hook", "claude-code", "--print-config", *options]) == 0
    (command, *others) = {
        hook["command"]
        for entries in json.loads(capsys.readouterr().out)["hooks"].values()
        for entry in entries
        for hook in entry["hooks"]
    }
    assert shlex.split(command) == ["handoff-lsp", "hook", "claude-code", *options]
    assert not others
