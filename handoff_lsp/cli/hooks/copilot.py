"""GitHub Copilot CLI and cloud agent. "GitHub Copilot hooks reference",
docs.github.com/en/copilot/reference/hooks-reference.

Events are named in Pascal case, so that the input names its event.
"""

from __future__ import annotations

from typing import Any

from handoff_lsp.cli.hooks import claude_form
from handoff_lsp.cli.hooks.event import Agent, HookEvent, Reaction

# By their own names, and by those of Claude Code that they may be reported under.
_WRITES = ("create", "edit", "str_replace_editor", "Write", "Edit")


def _answer(event: HookEvent, reaction: Reaction) -> dict[str, Any]:
    if event.kind == "edit":
        told = reaction.complaint or reaction.advice
        return {"additionalContext": told} if told else {}
    return {"decision": "block", "reason": reaction.complaint} if reaction.complaint else {}


_RUN = {"type": "command", "command": "handoff-lsp hook copilot", "timeoutSec": 30}

AGENT = Agent(
    title="GitHub Copilot",
    read=claude_form.reader(_WRITES),
    answer=_answer,
    config={
        "version": 1,
        "hooks": {
            "PostToolUse": [{**_RUN, "matcher": "|".join(_WRITES)}],
            **{event: [_RUN] for event in ("UserPromptSubmit", *claude_form.STOPS)},
        },
    },
    config_file=".github/hooks/handoff-lsp.json",
)
