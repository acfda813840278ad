"""An edit of files that hold no handoff, by their names, ends a hook before anything is loaded."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cli.hooks.told import INPUTS, PATH, recorded

from handoff_lsp.cli.hooks.agents import NAMES
from handoff_lsp.cli.hooks.other_files import is_about_other_files

# What Python takes longer to load than itself, or what reads events.
HEAVY = {"typing", "re", "enum", "json", "collections", "contextlib", "pathlib", "handoff_lsp.cli.hook"}
EVERY = [(path.parent.name, path.stem) for path in sorted(INPUTS.glob("*/*.json"))]
NAMED = ("src/main.py", "a.MD", "a.md/b.py", "a.py/", ".", "notes.md", "x.jsonl", "Makefile", "C:\\a\\b.py", "")


def _ends(data: object, monkeypatch: pytest.MonkeyPatch) -> bool:
    text = data if isinstance(data, bytes) else json.dumps(data).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    arguments: Any = SimpleNamespace()
    found = is_about_other_files(arguments)
    assert arguments.input == text, "the input is lost for the reader of events"
    return found


def _edit(name: str, **given: object) -> dict[str, Any]:
    return {"hook_event_name": name, "session_id": "one", "tool_name": "Write", "tool_input": given}


@pytest.mark.parametrize("path", ["src/main.py", "/a/b.c", "C:\\a\\b.py", "Makefile"])
def test_an_edit_of_another_file_ends_at_once(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _ends(_edit("PostToolUse", file_path=path, content="see notes.md"), monkeypatch)
    assert _ends(_edit("PostToolUse", command=f"*** Update File: {path}\n+1"), monkeypatch)
    assert _ends({"hook_event_name": "afterFileEdit", "file_path": path}, monkeypatch)
    assert _ends(b"\xef\xbb\xbf" + json.dumps(_edit("AfterTool", file_path=path)).encode() + b"\r\n", monkeypatch)


@pytest.mark.parametrize(
    "data",
    [
        _edit("PostToolUse", file_path="notes.md"),
        _edit("PostToolUse", file_path="NOTES.JSON"),
        _edit("PostToolUse", file_path="a.py", path="a.yml"),
        _edit("PostToolUse", files=["a.py"]),
        _edit("PostToolUse", command="*** Add File: a.md"),
        _edit("PostToolUse", file_path=["a.py"]),
        _edit("SubagentStop"),
        {"hook_event_name": "PostToolUse", "tool_input": '{"path": "a.md"}'},
        {"hook_event_name": "PostToolUse", "tool_input": "a.py"},
        {"hook_event_name": "afterFileEdit"},
        {},
        [],
        b"",
        b"{",
        b"{} {}",
        b"\xff",
        b"[" * 100_000,
    ],
)
def test_anything_else_is_left_to_the_reader_of_events(data: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not _ends(data, monkeypatch)


@pytest.mark.parametrize(("agent", "event"), EVERY)
def test_the_reader_of_events_would_have_done_nothing(
    agent: str, event: str, root: Path, hook: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    text, ended = json.dumps(recorded(agent, event, root)), 0
    for path in NAMED:
        data = json.loads(text, object_hook=lambda found, path=path: _with_path(found, path))
        if _ends(data, monkeypatch):
            ended += 1
            before = sorted(root.parent.rglob("*"))
            with monkeypatch.context() as whole:
                whole.setattr("handoff_lsp.cli.main.is_about_other_files", lambda _: False)
                assert hook(agent, data) == (None, "")
            assert sorted(root.parent.rglob("*")) == before
    assert ended or event != "edit"


def _with_path(found: dict[str, Any], path: str) -> dict[str, Any]:
    """An object of an input with another path, also where it is within a text: that of a patch, or of JSON."""
    named = {key: path for key in ("file_path", "filePath", "path") if key in found}
    inside = {key: value.replace(PATH, path) for key, value in found.items() if isinstance(value, str)}
    return {**found, **inside, **named}


@pytest.mark.parametrize("agent", NAMES)
def test_it_loads_next_to_nothing(agent: str) -> None:
    code = (
        "import sys\nfrom handoff_lsp.cli.main import main\n"
        f"assert main(['hook', {agent!r}]) == 0\nprint(*sys.modules, sep='\\n')"
    )
    data = json.dumps(_edit("PostToolUse", file_path="main.py"))
    found = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys\nsys.path[:0] = {sys.path!r}\n{code}"],
        input=data,
        capture_output=True,
        text=True,
        check=True,
    )
    assert not HEAVY & set(found.stdout.split())
