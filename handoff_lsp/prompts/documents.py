"""Which documents are prompts, and who speaks in them."""

from __future__ import annotations

import re

from handoff_lsp.contracts.owed import agent_name
from handoff_lsp.prompts.statement import Speaker
from handoff_lsp.prompts.wording import coordinates

# Globs of the documents whose statements count, from the root.
PROMPT_FILES = (
    "**/agents/**/*.md",
    "**/agent/**/*.md",
    "**/droids/**/*.md",
    "**/commands/**/*.md",
    "**/prompts/**/*.md",
    "**/skills/**/*.md",
    "**/_shared/**/*.md",
    "**/rules/**/*.md",
    "**/instructions/**/*.md",
    "**/protocols/**/*.md",
    "**/templates/**/*.md",
    "**/wiki/**/*.md",
    "**/concepts/**/*.md",
    "**/docs/*.md",
    "**/*.agent.md",
    "**/*.prompt.md",
    "**/*.instructions.md",
    "**/*orchestrator*.md",
    "**/AGENTS.md",
    "**/CLAUDE.md",
    "**/GEMINI.md",
)

_IS_PROMPT = re.compile(
    r"(?i)(?:^|/)(?:agents?|droids|commands|prompts|skills|_shared|rules|instructions|protocols|templates|wiki|concepts)"
    r"/[^\n]*\.(?:md|markdown)$"
    r"|(?:^|/)docs/[^/]*\.md$"
    r"|\.(?:agent|prompt|instructions)\.md$"
    r"|(?:^|/)[^/]*orchestrator[^/]*\.md$"
    r"|(?:^|/)(?:agents|claude|gemini)\.md$"
)
# Documents about the past, about plans, and material of tests.
_ASIDE = re.compile(
    r"(?i)(?:^|[/_.-])(?:archived?|changelog|history|design-notes|adr|adrs|rfcs?|proposals?|issues?|fixtures?|testdata|tests?"
    r"|golden|goldens|examples?|evals?|node_modules|openspec/(?:changes|specs))(?:[/_.-]|$)"
)
_AGENT = re.compile(r"(?i)(?:^|/)(?:agents?|droids)/[^\n]*\.(?:md|markdown)$|\.agent\.md$")
_COMMAND = re.compile(r"(?i)(?:^|/)commands?/[^\n]*\.md$|\.prompt\.md$")
_SKILL = re.compile(r"(?i)(?:^|/)skills/(?!_)[^\n]*\.md$")
_TEMPLATE = re.compile(r"(?i)(?:^|/)templates?/[^\n]*\.md$|[-_.]template\.md$")
_NO_AGENTS = re.compile(r"(?i)(?:^|/)(?:readme|agents|claude|gemini|changelog|index)\.md$")


def is_prompt(path: str) -> bool:
    """Whether the statements of a document count, by its path from the root, with ``/``."""
    return bool(_IS_PROMPT.search(path)) and not _ASIDE.search(path)


def speaker_of(path: str, text: str) -> Speaker:
    """Who speaks in a document."""
    name = agent_name(path)
    if _TEMPLATE.search(path):
        return Speaker("template", name)
    if _NO_AGENTS.search(path):
        return Speaker("orchestrator" if coordinates("", text) else "page", "")
    if _AGENT.search(path):
        return Speaker("orchestrator" if coordinates(name, text) else "agent", name)
    if _COMMAND.search(path) or coordinates(name, text):
        return Speaker("orchestrator", name)
    return Speaker("skill" if _SKILL.search(path) else "page", name)
