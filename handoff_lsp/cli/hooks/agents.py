"""The agents with hooks that the command answers, by their names on the command line."""

from __future__ import annotations

TYPE_CHECKING = False  # as of `typing`
if TYPE_CHECKING:
    from handoff_lsp.cli.hooks.event import Agent

NAMES = ("claude-code", "codex", "copilot", "cursor", "droid", "gemini", "qwen")


def agent(name: str) -> Agent:
    """The agent of one of the ``NAMES``; only its module is imported."""
    from importlib import import_module

    found: Agent = import_module(f"handoff_lsp.cli.hooks.{name.replace('-', '_')}").AGENT
    return found
