"""Claude Code. "Hooks reference", code.claude.com/docs/en/hooks."""

from __future__ import annotations

from handoff_lsp.cli.hooks.claude_form import answer, hooks, reader
from handoff_lsp.cli.hooks.event import Agent
from handoff_lsp.cli.hooks.transcript import WRITES

AGENT = Agent(
    title="Claude Code",
    read=reader(WRITES, transcripts=True),
    answer=answer,
    config={"hooks": hooks("claude-code", "|".join(WRITES), timeout=30)},
    config_file=".claude/settings.json",
)
