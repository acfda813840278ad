"""Hooks that run at the same time, as real processes: each thing is said once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from cli.hooks.conftest import ROOT
from cli.hooks.told import BROKEN, PATH, recorded

from handoff_lsp.cli.hooks.memory import Memory

_CLAIMS = """\
import sys
from handoff_lsp.cli.hooks.memory import Memory
print(sum(Memory("claude-code", "s", "").claim("a", f"x{number}", 1) == 0 for number in range(50)))
"""


def _at_once(root: Path, *events: dict[str, Any]) -> list[Any]:
    """The answers of processes that got their input only when all were running."""
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "handoff_lsp", "hook", "claude-code"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for _ in events
    ]
    for process, event in zip(running, events, strict=True):
        assert process.stdin is not None
        process.stdin.write(json.dumps(event).encode())
        process.stdin.close()
    answers = []
    for process in running:
        assert process.stdout is not None
        text = process.stdout.read()
        process.stdout.close()
        assert process.wait(timeout=60) == 0
        answers.append(json.loads(text) if text else None)
    return answers


def test_a_hook_that_is_set_up_twice_complains_once_about_an_edit(root: Path) -> None:
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    answers = _at_once(root, *[recorded("claude-code", "edit", root)] * 4)
    assert sum(answer is not None for answer in answers) == 1


def test_subagents_that_write_one_file_get_one_complaint(root: Path) -> None:
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    edits = [recorded("claude-code", "edit", root, agent_id=f"a{number}") for number in range(4)]
    answers = _at_once(root, *edits)
    assert sum(answer is not None for answer in answers) == 1


def test_no_report_is_claimed_twice(root: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    running = [
        subprocess.Popen([sys.executable, "-c", _CLAIMS], stdout=subprocess.PIPE, text=True, env=env) for _ in range(4)
    ]
    claimed = [int(process.communicate(timeout=60)[0]) for process in running]
    assert sum(claimed) == 50
    memory = Memory("claude-code", "s", "")
    assert [memory.times("a", f"x{number}") for number in range(50)] == [1] * 50


def test_an_event_at_the_end_belongs_to_one_process(root: Path) -> None:
    first, second = (Memory("claude-code", "s", "") for _ in range(2))
    assert first.is_first("stop", within=60.0)
    assert not second.is_first("stop", within=60.0)
    assert second.is_first("stop", within=0.0)
    assert second.is_first("another stop", within=60.0)
