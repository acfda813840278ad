"""No good return is touched: not by `check - --agent`, and not by the hook."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from returns.reading import Return, read_returns
from returns.shapes import shaped_returns

from handoff_lsp.cli.main import main


def _good() -> Iterator[Return]:
    """All good returns; those written by hand in each dress."""
    yield from shaped_returns()
    for one in read_returns("good"):
        yield one


GOOD = list(_good())
BY_ID = {one.id: one for one in GOOD}


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of an agent, with a `.git`; the hook's memory is outside of it."""
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "caches"))
    folder = tmp_path / "work"
    (folder / ".git").mkdir(parents=True)
    return folder


def _put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _run(arguments: list[str], text: str) -> tuple[int, str, str]:
    out, err, before = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode()), newline="")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main(arguments)
    finally:
        sys.stdin = before
    return code, out.getvalue(), err.getvalue()


@pytest.mark.parametrize("name", BY_ID)
def test_it_is_clean_and_not_sent_back(name: str, workspace: Path) -> None:
    one = BY_ID[name]
    _put(workspace, {**one.beside, **one.wrote})
    with chdir(workspace):
        code, out, err = _run(["check", "--output-format", "concise", "-", "--agent", one.agent], one.message)
        assert (code, err) == (0, ""), out
        for file in one.wrote:
            code, out, err = _run(["check", "--output-format", "concise", file], "")
            assert (code, err) == (0, ""), out
            assert "1 handoff" in out
    base = {"session_id": "s1", "cwd": str(workspace), "transcript_path": "", "permission_mode": "default"}
    events = [
        {
            **base,
            "hook_event_name": "PostToolUse",
            "tool_name": "Write",
            "tool_input": {"file_path": str(workspace / file)},
        }
        for file in one.wrote
    ]
    stop = {"hook_event_name": "SubagentStop", "stop_hook_active": False, "agent_id": "a1", "agent_type": one.agent}
    for event in [*events, {**base, **stop, "last_assistant_message": one.message}]:
        assert _run(["hook", "claude-code"], json.dumps(event)) == (0, "", "")
