"""Gemini CLI. "Hooks reference", google-gemini/gemini-cli, docs/hooks/reference.md.

Seen in 0.61: ``stop_hook_active`` is false even if the agent continues because of a hook, so it is not read; and
``prompt_response`` then begins with the agent's earlier words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handoff_lsp.cli.hooks import claude_form
from handoff_lsp.cli.hooks.event import Agent, HookEvent, Reaction

_EDIT, _STOPS, _BEGINS = "AfterTool", ("AfterAgent",), ("BeforeAgent",)
_WRITES = ("write_file", "replace")

_event_of = claude_form.reader(_WRITES, edit=_EDIT, stops=_STOPS, begins=_BEGINS, said="prompt_response")


def _read(data: Mapping[str, Any]) -> HookEvent:
    return _event_of(data)._replace(again=None, repeats=True)


def _answer(event: HookEvent, reaction: Reaction) -> dict[str, Any]:
    if event.kind == "edit":
        # A denial would hide from the agent that the file was written, so the complaint is added to the result.
        result = claude_form.answer(event, Reaction(advice=reaction.complaint or reaction.advice, note=reaction.note))
    else:
        result = claude_form.answer(event, reaction)
        if reaction.complaint:
            result["decision"] = "deny"
    return result


AGENT = Agent(
    title="Gemini CLI",
    read=_read,
    answer=_answer,
    config={
        "hooks": claude_form.hooks(
            "gemini", f"^({'|'.join(_WRITES)})$", timeout=30_000, edit=_EDIT, stops=_STOPS, begins=_BEGINS
        )
    },
    config_file=".gemini/settings.json",
)
