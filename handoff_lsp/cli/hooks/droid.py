"""Factory Droid. "Hooks reference", docs.factory.ai/reference/hooks-reference."""

from __future__ import annotations

from handoff_lsp.cli.hooks.claude_form import answer, hooks, reader
from handoff_lsp.cli.hooks.event import Agent

_WRITES = ("Create", "Edit", "Write", "MultiEdit")

AGENT = Agent(
    title="Factory Droid",
    read=reader(_WRITES),
    answer=answer,
    config={"hooks": hooks("droid", "|".join(_WRITES), timeout=30)},
    config_file=".factory/settings.json",
)
