"""Each agent's input in, the exact answer in its format out: a broken handoff comes back, the corrected one passes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cli.hooks.told import AFTER_EDIT, AT_END, BROKEN, GOOD, INPUTS, LET_GO, PATH, recorded

from handoff_lsp.cli.hooks.agents import NAMES


class Answers(NamedTuple):
    """The answers to an agent after an edit, at its end, and when it may end; None for no output."""

    edit: dict[str, Any] | None
    end: dict[str, Any]
    let_go: dict[str, Any] | None


_CLAUDE = Answers(
    {"decision": "block", "reason": AFTER_EDIT}, {"decision": "block", "reason": AT_END}, {"systemMessage": LET_GO}
)
_ANSWERS = {
    "claude-code": _CLAUDE,
    "codex": _CLAUDE,
    "copilot": Answers({"additionalContext": AFTER_EDIT}, {"decision": "block", "reason": AT_END}, None),
    "cursor": Answers(None, {"followup_message": AT_END}, None),
    "droid": _CLAUDE,
    "gemini": Answers(
        {"hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": AFTER_EDIT}},
        {"decision": "deny", "reason": AT_END},
        {"systemMessage": LET_GO},
    ),
    "qwen": _CLAUDE,
}

# Claude Code's edit is recorded in a subagent.
_STOP = {"claude-code": "subagent-stop"}


def test_there_are_inputs_of_every_agent() -> None:
    assert {path.name for path in INPUTS.iterdir() if path.is_dir()} == set(NAMES) == set(_ANSWERS)


def test_as_a_process_the_handoff_without_status_comes_back_once_and_passes_when_it_is_corrected(
    root: Path, command: Callable[..., Any]
) -> None:
    edit, stop = recorded("claude-code", "edit", root), recorded("claude-code", "subagent-stop", root)
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    assert command("claude-code", edit) == _CLAUDE.edit
    (root / PATH).write_text(GOOD, encoding="utf-8")
    assert command("claude-code", edit) is None
    assert command("claude-code", stop) is None


@pytest.mark.parametrize("agent", NAMES)
def test_a_handoff_without_status_comes_back_once_and_passes_when_it_is_corrected(
    agent: str, root: Path, hook: Callable[..., Any]
) -> None:
    edit, stop = recorded(agent, "edit", root), recorded(agent, _STOP.get(agent, "stop"), root)
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    assert hook(agent, edit) == (_ANSWERS[agent].edit, "")
    (root / PATH).write_text(GOOD, encoding="utf-8")
    assert hook(agent, edit) == hook(agent, stop) == (None, "")


@pytest.mark.parametrize("agent", NAMES)
def test_what_is_left_broken_comes_back_at_the_end_once_and_then_a_person_is_notified(
    agent: str, root: Path, hook: Callable[..., Any]
) -> None:
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    stop = recorded(agent, _STOP.get(agent, "stop"), root)
    hook(agent, recorded(agent, "edit", root))
    answers = [hook(agent, stop) for _ in range(3)]
    expected = _ANSWERS[agent]
    assert answers == [(expected.end, ""), (expected.let_go, ""), (None, "")]


@pytest.mark.parametrize("agent", NAMES)
def test_other_files_and_other_events_are_not_answered(agent: str, root: Path, hook: Callable[..., Any]) -> None:
    (root / PATH).write_text("# Notes\n\n## Status\n\nfine\n", encoding="utf-8")
    edit, stop = recorded(agent, "edit", root), recorded(agent, _STOP.get(agent, "stop"), root)
    assert hook(agent, edit) == hook(agent, stop) == (None, "")
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    name = "hookEventName" if agent == "droid" else "hook_event_name"
    assert hook(agent, {**edit, name: "SomethingElse"}) == (None, "")
    if "tool_name" in edit:
        assert hook(agent, {**edit, "tool_name": "Read"}) == (None, "")


def test_a_subagent_has_a_memory_of_its_own(root: Path, hook: Callable[..., Any]) -> None:
    """A handoff that a subagent left broken does not keep its parent agent from ending."""
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    hook("claude-code", recorded("claude-code", "edit", root))
    assert hook("claude-code", recorded("claude-code", "stop", root)) == (None, "")
    told, _ = hook("claude-code", recorded("claude-code", "subagent-stop", root))
    assert told == _CLAUDE.end
    (root / PATH).write_text(GOOD, encoding="utf-8")
    assert hook("claude-code", recorded("claude-code", "subagent-stop-again", root)) == (None, "")


def test_codex_names_its_files_in_a_patch(root: Path, hook: Callable[..., Any]) -> None:
    moved = (
        "*** Begin Patch\n*** Update File: old.md\n*** Move to: {}\n@@\n-a\n+b\n*** Delete File: gone.md\n*** End Patch"
    )
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    edit = recorded("codex", "edit", root, tool_input={"command": moved.format(PATH)})
    told, err = hook("codex", edit)
    assert told == _CLAUDE.edit
    assert "old.md: no such file" in err


def test_cursor_is_left_alone_where_it_was_stopped(root: Path, hook: Callable[..., Any]) -> None:
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    hook("cursor", recorded("cursor", "edit", root))
    assert hook("cursor", recorded("cursor", "stop", root, status="aborted")) == (None, "")


def test_cursor_shows_its_last_words_beforehand(root: Path, hook: Callable[..., Any]) -> None:
    hook("cursor", recorded("cursor", "response", root, text=BROKEN), "--main-message")
    told, _ = hook("cursor", recorded("cursor", "stop", root), "--main-message")
    assert told["followup_message"].startswith("handoff-lsp: the handoff in your final message has 1 error. Send the ")
    hook("cursor", recorded("cursor", "response", root, text=GOOD), "--main-message")
    assert hook("cursor", recorded("cursor", "stop", root), "--main-message") == (None, "")
