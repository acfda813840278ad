"""The definitions of agents in a workspace: files in which an agent's program finds its prompt."""

from __future__ import annotations

import os

from handoff_lsp.contracts.owed import agent_name

# Folders of definitions, from the root of the workspace, one file for each agent.
_FOLDERS = (
    ".claude/agents",
    "agents",
    ".codex/agents",
    ".gemini/agents",
    ".opencode/agent",
    ".opencode/agents",
    ".cursor/agents",
    ".github/agents",
    ".qwen/agents",
    ".factory/droids",
    ".kiro/agents",
)
_SUFFIXES = (".md", ".markdown", ".toml", ".json", ".yaml", ".yml")


def definitions_below(root: str) -> dict[str, str]:
    """The absolute paths of the definitions in a workspace, by the agents' names; the first folder with one counts."""
    found: dict[str, str] = {}
    for folder in _FOLDERS:
        try:
            with os.scandir(os.path.join(root, folder)) as entries:
                files = sorted(entry.path for entry in entries if entry.name.lower().endswith(_SUFFIXES))
        except OSError:
            continue
        for file in files:
            found.setdefault(agent_name(os.path.basename(file)).removesuffix("-agent"), file)
    return found
