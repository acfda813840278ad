"""Qwen Code. "Qwen Code Hooks", QwenLM/qwen-code, docs/users/features/hooks.md."""

from __future__ import annotations

from handoff_lsp.cli.hooks.claude_form import answer, hooks, reader
from handoff_lsp.cli.hooks.event import Agent

AGENT = Agent(
    title="Qwen Code",
    read=reader(("write_file", "edit")),
    answer=answer,
    config={"hooks": hooks("qwen", "^(write_file|edit)$", timeout=30_000)},
    config_file=".qwen/settings.json",
)
