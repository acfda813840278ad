"""No good return is touched: `check - --agent` finds nothing in it, and the hook says nothing."""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from returns.reading import Return, read_returns
from returns.shapes import shaped_returns

from handoff_lsp.cli.main import main
from handoff_lsp.contracts.owed import Owed, Returned, agent_name, owed_by_contracts
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.text import Source

GOOD = {one.id: one for one in [*shaped_returns(), *read_returns("good")]}


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of an agent, with a `.git`; the hook's memory is outside of it."""
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "caches"))
    folder = tmp_path / "work"
    (folder / ".git").mkdir(parents=True)
    return folder


@pytest.mark.parametrize("name", GOOD)
def test_it_is_clean_and_not_sent_back(name: str, workspace: Path) -> None:
    one = GOOD[name]
    _put(workspace, one.beside | one.wrote)
    with chdir(workspace):
        for arguments, text in [(["-", "--agent", one.agent], one.message), *(([file], "") for file in one.wrote)]:
            code, out, err = _run(["check", "--output-format", "concise", *arguments], text)
            unknown = arguments[0] == "-" and not _owed(one)
            note = (
                f"warning: nothing says what `{one.agent}` owes; `handoff-lsp doctor` lists the agents of this folder"
            )
            assert (code, err) == (0, f"handoff-lsp: {note}\n" if unknown else ""), out
            # Nothing about paths of the shape's own project, which is not here.
            assert [line for line in out.splitlines() if ": " in line and "[path-not-found]" not in line] == []
    for event in _events(one, workspace):
        assert _run(["hook", "claude-code"], json.dumps(event)) == (0, "", "")


def test_there_are_enough_of_agents_that_owe_something() -> None:
    owing = [one for one in GOOD.values() if _owed(one)]
    packs = Counter(one.pack for one in owing)
    assert len(owing) >= 300
    assert set(packs) == {"ai-standards", "aphelion", "gaia", "gentle-ai", "orchestrator"}
    assert len({one.agent for one in owing}) >= 60


def test_what_is_owed_is_there() -> None:
    """The same returns with a story in their place are missing something, so the test above can fail."""
    for one in {one.agent: one for one in GOOD.values() if any(owed.in_message for owed in _owed(one))}.values():
        assert _missing(one, "I did all of it, and every test is green."), one.agent


def _missing(one: Return, message: str) -> bool:
    options = Options(returned=Returned(one.agent, _owed(one)))
    found = analyze(Source(message), "", builtin(), options).findings
    return [finding.code for finding in found] == ["missing-handoff"]


def _owed(one: Return) -> tuple[Owed, ...]:
    """What the agent of a return owes by the contracts."""
    name = agent_name(one.agent).removesuffix("-agent")
    defined = {agent_name(path).removesuffix("-agent"): text for path, text in one.beside.items()}
    return tuple(owed_by_contracts(builtin(), one.agent, lambda: defined.get(name)))


def _events(one: Return, workspace: Path) -> list[dict[str, object]]:
    """The inputs of a hook of Claude Code: an event for each file that the agent wrote, and its end."""
    always = {"session_id": "s1", "cwd": str(workspace), "transcript_path": "", "permission_mode": "default"}
    wrote = [
        {"hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": {"file_path": str(workspace / file)}}
        for file in one.wrote
    ]
    end = {"hook_event_name": "SubagentStop", "stop_hook_active": False, "agent_id": "a1", "agent_type": one.agent}
    return [always | event for event in [*wrote, {**end, "last_assistant_message": one.message}]]


def _put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _run(arguments: list[str], text: str) -> tuple[int, str, str]:
    """The exit code, the output and the errors of the command, in this process."""
    out, err, before = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode()), newline="")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            return main(arguments), out.getvalue(), err.getvalue()
    finally:
        sys.stdin = before
