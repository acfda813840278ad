"""Handoffs that an agent does not write to a file but returns as its final message."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli.hooks.told import BROKEN, GOOD, recorded

RESULT = """\
I am done.

AGENT_RESULT: developer
STATUS: {status}
PHASE: 3
COMMITS: 2
FILES_CHANGED: 4
ACCEPTANCE_CHECK: pass
NEXT: test-designer
"""


def test_a_broken_one_is_to_be_sent_again(root: Path, hook: Callable[..., Any]) -> None:
    stop = recorded("claude-code", "subagent-stop", root)
    told, err = hook("claude-code", {**stop, "last_assistant_message": RESULT.format(status="succes")})
    assert (told["decision"], err) == ("block", "")
    first, *rest = told["reason"].split("\n")
    assert first == (
        "handoff-lsp: the handoff in your final message has 1 error. "
        "Send the whole message again, corrected: the orchestrator reads only what you return."
    )
    assert any("1. line 4 of the message [invalid-value] `STATUS` is" in line for line in rest)
    told_fix = rest.index("Replace line 4:")
    assert rest[told_fix : told_fix + 8] == [
        "Replace line 4:",
        *("```", "STATUS: succes", "```"),
        "with:",
        *("```", "STATUS: success", "```"),
    ]
    again = recorded("claude-code", "subagent-stop-again", root)
    assert hook("claude-code", {**again, "last_assistant_message": RESULT.format(status="success")}) == (None, "")


def test_ordinary_words_are_none(root: Path, hook: Callable[..., Any]) -> None:
    stop = recorded("claude-code", "subagent-stop", root)
    assert hook("claude-code", {**stop, "last_assistant_message": "Done.\n\n## Status\n\nAll is fine."}) == (None, "")


def test_that_of_the_main_agent_is_for_a_person_unless_it_is_asked_for(root: Path, hook: Callable[..., Any]) -> None:
    stop = recorded("claude-code", "stop", root, last_assistant_message=BROKEN)
    assert hook("claude-code", stop) == (None, "")
    told, _ = hook("claude-code", stop, "--main-message")
    assert told["decision"] == "block"


def test_what_gemini_said_before_is_not_judged_again(root: Path, hook: Callable[..., Any]) -> None:
    stop = recorded("gemini", "stop", root, prompt_response=BROKEN)
    options = ("--main-message", "--retries", "2")
    told, _ = hook("gemini", stop, *options)
    assert told["decision"] == "deny"
    told, _ = hook("gemini", stop, *options)
    assert told["decision"] == "deny"  # its words are the same
    assert hook("gemini", {**stop, "prompt_response": BROKEN + GOOD}, *options) == (None, "")


def test_what_others_say_again_is(root: Path, hook: Callable[..., Any]) -> None:
    stop = recorded("claude-code", "subagent-stop", root, last_assistant_message=BROKEN)
    assert hook("claude-code", stop)[0]["decision"] == "block"
    again = recorded("claude-code", "subagent-stop-again", root, last_assistant_message=f"{BROKEN}\nNow it is right.\n")
    assert hook("claude-code", again)[0]["systemMessage"].startswith("handoff-lsp: the agent did not correct 1 finding")


def _transcript(path: Path, *messages: Any, cut: bytes = b"") -> str:
    lines = [json.dumps({"type": "assistant", "message": {"role": "assistant", "content": each}}) for each in messages]
    path.write_bytes(cut + "".join(f"{line}\n" for line in lines).encode())
    return str(path)


def test_files_and_last_words_are_read_from_the_transcript(root: Path, hook: Callable[..., Any]) -> None:
    (root / "a-handoff.md").write_text(BROKEN, encoding="utf-8")
    written = {"type": "tool_use", "name": "Write", "input": {"file_path": str(root / "a-handoff.md")}}
    seen = {"type": "tool_use", "name": "Read", "input": {"file_path": str(root / "b-handoff.md")}}
    (root / "b-handoff.md").write_text(BROKEN, encoding="utf-8")
    stop = recorded("claude-code", "subagent-stop", root, last_assistant_message=None)
    stop["agent_transcript_path"] = _transcript(
        root / "t.jsonl",
        [written, seen],
        [{"type": "text", "text": RESULT.format(status="succes")}],
        cut=b'{"type": "assistant", "message": {"content": [{"ty\n\xff\xfe\n',
    )
    told, err = hook("claude-code", stop)
    assert err == ""
    assert "the handoff in `a-handoff.md` has 1 error" in told["reason"]
    assert "the handoff in your final message has 1 error" in told["reason"]
    assert "b-handoff.md" not in told["reason"]


def test_only_the_end_of_a_huge_transcript_is_read(root: Path, hook: Callable[..., Any]) -> None:
    (root / "a-handoff.md").write_text(BROKEN, encoding="utf-8")
    written = {"type": "tool_use", "name": "Write", "input": {"file_path": str(root / "a-handoff.md")}}
    stop = recorded("claude-code", "subagent-stop", root)
    huge = root / "huge.jsonl"
    _transcript(huge, [written], cut=b'{"type": "assistant"}\n' * 400_000)
    told, _ = hook("claude-code", {**stop, "agent_transcript_path": str(huge)})
    assert told["decision"] == "block"
    _transcript(huge, [written])
    with huge.open("ab") as file:
        file.write(b'{"type": "user"}\n' * 400_000)
    told, _ = hook("claude-code", {**stop, "agent_id": "another", "agent_transcript_path": str(huge)})
    assert told is None


def test_a_transcript_that_cannot_be_read_is_none(root: Path, hook: Callable[..., Any]) -> None:
    stop = recorded("claude-code", "subagent-stop", root)
    for path in (str(root), str(root / "absent.jsonl"), "~nobody/x", "a\0b", ""):
        assert hook("claude-code", {**stop, "agent_transcript_path": path}) == (None, "")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize("waiting", [False, True])
def test_a_pipe_in_the_place_of_a_transcript_is_none(root: Path, hook: Callable[..., Any], waiting: bool) -> None:
    os.mkfifo(root / "pipe")
    writer = os.open(root / "pipe", os.O_RDWR | os.O_NONBLOCK) if waiting else None
    stop = recorded("claude-code", "subagent-stop", root)
    assert hook("claude-code", {**stop, "agent_transcript_path": str(root / "pipe")}) == (None, "")
    if writer is not None:
        os.close(writer)


@pytest.mark.parametrize("content", [5, {"parts": ["Done."]}, [{"type": "output_text", "text": "Done."}], ["Done."]])
def test_words_in_an_unknown_form_are_not_called_empty(content: Any, root: Path, hook: Callable[..., Any]) -> None:
    """The transcript of another version: what cannot be read is not checked, and the agent may end."""
    stop = recorded("claude-code", "subagent-stop", root, last_assistant_message=None, agent_type="sdd-apply")
    stop["agent_transcript_path"] = _transcript(root / "t.jsonl", content)
    told, err = hook("claude-code", stop)
    assert (set(told), err) == ({"systemMessage"}, "")
    assert told["systemMessage"].startswith("handoff-lsp: what `sdd-apply` returned was not checked")
