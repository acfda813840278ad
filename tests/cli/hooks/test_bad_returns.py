"""Bad returns, as people report them: the hook sends each back once, and what it asks for passes on the second try."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli.hooks.correcting import corrected, path_of, understood
from cli.hooks.told import recorded
from returns.reading import Return, read_returns

BAD = read_returns("bad")


def test_the_set_has_what_was_promised() -> None:
    """At least 60 returns of every row of the field's pains about returns, for agents of five packs."""
    assert len(BAD) >= 60
    assert {one.row for one in BAD} == set("abchi")
    assert len({(one.pack, one.agent) for one in BAD}) >= 6
    assert len({one.pack for one in BAD} - {"own"}) >= 4
    assert any(one.pack == "own" for one in BAD)
    assert all(one.source and one.rules for one in BAD)
    assert max(Counter(one.id for one in BAD).values()) == 1


@pytest.mark.parametrize("bad", BAD, ids=lambda one: one.id)
def test_it_is_sent_back_once(bad: Return, root: Path, hook: Callable[..., Any]) -> None:
    transcript = settle(root, bad)
    stop = recorded("claude-code", "subagent-stop", root, agent_type=bad.agent, agent_transcript_path=str(transcript))
    answer, err = hook("claude-code", {**stop, "last_assistant_message": bad.message})
    assert err == ""
    assert answer is not None, "the hook says nothing"
    assert answer["decision"] == "block"
    told = understood(answer["reason"])
    rules = {rule for about in told.values() for rule in about.rules}
    assert rules == set(bad.rules), answer["reason"]

    message = corrected(bad.message, told[""]) if "" in told else bad.message
    written = {path_of(name): corrected(bad.wrote.get(name, ""), about) for name, about in told.items() if name}
    write(root, transcript, written)
    tell(transcript, message)
    again = {**stop, "last_assistant_message": message, "stop_hook_active": True}
    second, err = hook("claude-code", again)
    assert (second, err) == (None, ""), "\n\n".join((answer["reason"], message, *written.values()))


@pytest.mark.parametrize("bad", {one.pack: one for one in BAD}.values(), ids=lambda one: one.id)
def test_it_is_sent_back_by_a_process_of_its_own(bad: Return, root: Path, command: Callable[..., Any]) -> None:
    transcript = settle(root, bad)
    stop = recorded("claude-code", "subagent-stop", root, agent_type=bad.agent, agent_transcript_path=str(transcript))
    stop["last_assistant_message"] = bad.message
    answer = command("claude-code", stop)
    assert answer["decision"] == "block"
    assert all(f"[{rule}]" in answer["reason"] for rule in bad.rules)


def settle(root: Path, returned: Return) -> Path:
    """The workspace of a return, and the transcript of its agent, which is returned."""
    for path, text in returned.beside.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    transcript = root.parent / "agent.jsonl"
    for message in returned.earlier:
        tell(transcript, message)
    write(root, transcript, returned.wrote)
    tell(transcript, returned.message)
    return transcript


def write(root: Path, transcript: Path, files: dict[str, str]) -> None:
    """Write files as the agent does."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
        tell(transcript, {"type": "tool_use", "name": "Write", "input": {"file_path": str(root / path)}})


def tell(transcript: Path, said: str | dict[str, Any]) -> None:
    """Add a message of the agent to its transcript, as Claude Code does; one without a text is not written."""
    if said:
        part = {"type": "text", "text": said} if isinstance(said, str) else said
        entry = {"type": "assistant", "isSidechain": True, "message": {"role": "assistant", "content": [part]}}
        with transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
