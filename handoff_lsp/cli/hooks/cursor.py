"""Cursor. "Hooks", cursor.com/docs/agent/hooks.

Hooks after an edit or an answer cannot address the agent: both are remembered until it stops. The event at the end of a
subagent has a summary of its last words, and not these.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handoff_lsp.cli.hooks.event import Agent, EventKind, HookEvent, Reaction, text_at, text_or_none

_KINDS: dict[str, EventKind] = {
    "afterFileEdit": "noted",
    "afterAgentResponse": "noted",
    "subagentStop": "stop",
    "stop": "stop",
}


def _read(data: Mapping[str, Any]) -> HookEvent:
    name = text_at(data, "hook_event_name")
    kind = _KINDS.get(name, "other")
    if kind == "stop" and data.get("status") not in (None, "completed"):
        kind = "other"  # it was stopped, or failed
    roots = data.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    path = text_at(data, "file_path")
    is_subagent = name == "subagentStop"
    files = data.get("modified_files") if is_subagent else [path]
    loops = data.get("loop_count")
    return HookEvent(
        kind=kind,
        name=name,
        session=text_at(data, "conversation_id"),
        cwd=first,
        subagent=text_at(data, "subagent_id") or "subagent" if is_subagent else "",
        agent=text_at(data, "subagent_type") if is_subagent else "",
        files=tuple(file for file in files if isinstance(file, str) and file) if isinstance(files, list) else (),
        message=text_or_none(data, "text") if kind == "noted" else None,
        again=loops > 0 if isinstance(loops, int) else None,
    )


def _answer(event: HookEvent, reaction: Reaction) -> dict[str, Any]:
    return {"followup_message": reaction.complaint} if event.kind == "stop" and reaction.complaint else {}


_RUN = {"command": "handoff-lsp hook cursor"}

AGENT = Agent(
    title="Cursor",
    read=_read,
    answer=_answer,
    config={"version": 1, "hooks": {name: [_RUN] for name in _KINDS}},
    config_file=".cursor/hooks.json",
)
