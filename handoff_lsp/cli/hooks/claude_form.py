"""The form of hooks that Claude Code introduced and others adopted: the common part.

The agents' modules hold the differences: the names of the writing tools and of events, and the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from handoff_lsp.cli.hooks.event import HookEvent, Reaction, flag_at, text_at, text_or_none, written_paths

STOPS = ("Stop", "SubagentStop")
BEGINS = ("UserPromptSubmit", "SubagentStart")


def reader(
    writes: Collection[str],
    *,
    edit: str = "PostToolUse",
    stops: Collection[str] = STOPS,
    begins: Collection[str] = BEGINS,
    said: str = "last_assistant_message",
    paths: Callable[[object], tuple[str, ...]] = written_paths,
    transcripts: bool = False,
) -> Callable[[Mapping[str, Any]], HookEvent]:
    """A reader of an agent's input. ``transcripts``: `transcript.py` can read its transcripts."""

    def read(data: Mapping[str, Any]) -> HookEvent:
        name = text_at(data, "hook_event_name", "hookEventName")
        is_edit = name == edit and text_at(data, "tool_name") in writes
        # At a subagent's end, `transcript_path` is the transcript of its parent agent.
        agent_id = text_at(data, "agent_id", "agentId")
        own = "agent_transcript_path" if name == "SubagentStop" else "transcript_path"
        return HookEvent(
            kind="edit" if is_edit else "stop" if name in stops else "began" if name in begins else "other",
            name=name,
            session=text_at(data, "session_id", "sessionId"),
            subagent=agent_id or ("subagent" if name == "SubagentStop" else ""),
            agent=text_at(data, "agent_name", "agentName", "agent_type", "agentType"),
            ids=(agent_id,) if agent_id else (),
            cwd=text_at(data, "cwd"),
            files=paths(data.get("tool_input")) if is_edit else (),
            message=text_or_none(data, said),
            transcript=text_at(data, own) if transcripts else "",
            again=flag_at(data, "stop_hook_active", "stopHookActive"),
        )

    return read


def answer(event: HookEvent, reaction: Reaction) -> dict[str, Any]:
    """The answer: a complaint is a decision to block, with a reason that the agent reads."""
    told: dict[str, Any] = {}
    if reaction.complaint:
        told |= {"decision": "block", "reason": reaction.complaint}
    if reaction.advice:
        told["hookSpecificOutput"] = added(event, reaction.advice)
    if reaction.note:
        told["systemMessage"] = reaction.note
    return told


def added(event: HookEvent, text: str) -> dict[str, Any]:
    """An answer that adds to the agent's context."""
    return {"hookEventName": event.name, "additionalContext": text}


def hooks(
    name: str,
    writes: str,
    *,
    timeout: int,
    edit: str = "PostToolUse",
    stops: Collection[str] = STOPS,
    begins: Collection[str] = (),
) -> Any:
    """The ``hooks`` of a settings file; ``writes`` matches the writing tools, ``timeout`` is in the agent's unit.

    ``begins``: the events of prompts, for an agent whose transcripts are not read.
    """
    run = [{"type": "command", "command": f"handoff-lsp hook {name}", "timeout": timeout}]
    return {edit: [{"matcher": writes, "hooks": run}], **{event: [{"hooks": run}] for event in (*begins, *stops)}}
