"""Qwen Code. "Qwen Code Hooks", QwenLM/qwen-code, docs/users/features/hooks.md."""

from __future__ import annotations

from handoff_lsp.cli.hooks.claude_form import answer, hooks, reader
from handoff_lsp.cli.hooks.event import Agent

_WRITES = ("write_file", "edit")

AGENT = Agent(
    title="Qwen Code",
    read=reader(_WRITES),
    answer=answer,
    config={"hooks": hooks("qwen", f"^({'|'.join(_WRITES)})$", timeout=30_000)},
    config_file=".qwen/settings.json",
)
