"""Factory Droid. "Hooks reference", docs.factory.ai/reference/hooks-reference."""

from __future__ import annotations

from handoff_lsp.cli.hooks.claude_form import answer, hooks, reader
from handoff_lsp.cli.hooks.event import Agent

AGENT = Agent(
    title="Factory Droid",
    read=reader(("Write", "Edit", "MultiEdit", "Create")),
    answer=answer,
    config={"hooks": hooks("droid", "Create|Edit|Write|MultiEdit", timeout=30)},
    config_file=".factory/settings.json",
)
