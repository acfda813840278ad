"""Codex CLI. "Hooks", developers.openai.com/codex/hooks, and its schemas in openai/codex, codex-rs/hooks/schema."""

from __future__ import annotations

import re

from handoff_lsp.cli.hooks.claude_form import BEGINS, answer, hooks, reader
from handoff_lsp.cli.hooks.event import Agent, text_at

# The lines of a patch that name the files that exist afterward.
_FILE = re.compile(r"^\*\*\* (?:Add File|Update File|Move to): (.+?)[ \t\r]*$", re.MULTILINE)


def _patched(arguments: object) -> tuple[str, ...]:
    """The files of a patch, which is the tool's argument."""
    return tuple(_FILE.findall(text_at(arguments, "command"))) if isinstance(arguments, dict) else ()


AGENT = Agent(
    title="Codex CLI",
    read=reader(("apply_patch",), paths=_patched),
    answer=answer,
    config={"hooks": hooks("codex", "^apply_patch$", timeout=30, begins=BEGINS)},
    config_file=".codex/hooks.json",
)
