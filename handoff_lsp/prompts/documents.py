"""Which documents are prompts, and who speaks in them."""

from __future__ import annotations

from functools import lru_cache

from handoff_lsp.contracts.owed import agent_name
from handoff_lsp.prompts.embedded import embedded, embeds
from handoff_lsp.prompts.statement import Speaker
from handoff_lsp.prompts.wording import coordinates
from handoff_lsp.text.lazy import lazy_pattern

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

_IS_PROMPT = lazy_pattern(
    r"(?i)(?:^|/)(?:agents?|droids|commands|prompts|skills|_shared|rules|instructions|protocols|templates|wiki|concepts)"
    r"/[^\n]*\.(?:md|markdown)$"
    r"|(?:^|/)docs/[^/]*\.md$"
    r"|\.(?:agent|prompt|instructions)\.md$"
    r"|(?:^|/)[^/]*orchestrator[^/]*\.md$"
    r"|(?:^|/)(?:agents|claude|gemini)\.md$"
)
# Documents about the past, about plans, and material of tests.
_ASIDE = lazy_pattern(
    r"(?i)(?:^|[/_.-])(?:archived?|changelog|history|design-notes|adr|adrs|rfcs?|proposals?|issues?|fixtures?|testdata|tests?"
    r"|golden|goldens|examples?|evals?|node_modules|openspec/(?:changes|specs))(?:[/_.-]|$)"
)
# Pages for people, which show mistakes, too; a folder of rules in it has none for agents.
_DOCUMENTATION = lazy_pattern(r"(?i)(?:^|/)(?:docs?|wiki|concepts)/")
_PAGES_OF_RULES = lazy_pattern(r"(?i)(?:^|/)docs?/(?:[^/]+/)*rules/")
_AGENT = lazy_pattern(r"(?i)(?:^|/)(?:agents?|droids)/[^\n]*\.(?:md|markdown)$|\.agent\.md$")
_COMMAND = lazy_pattern(r"(?i)(?:^|/)commands?/[^\n]*\.md$|\.prompt\.md$")
_SKILL = lazy_pattern(r"(?i)(?:^|/)skills/(?!_)[^\n]*\.md$")
_TEMPLATE = lazy_pattern(r"(?i)(?:^|/)templates?/[^\n]*\.md$|[-_.]template\.md$")
_DEFINITION = lazy_pattern(rf"{_AGENT.pattern}|{_COMMAND.pattern.removeprefix('(?i)')}|(?:^|/)skills/[^/]+/SKILL\.md$")
_ASIDE_FOLDER = lazy_pattern(_ASIDE.pattern.replace("[/_.-]", "/").replace("(?:/|$)", "/"))
_FRONT_NAME = lazy_pattern(r"\ufeff?---[ \t]*\r?\n(?:[^\n]*\n)*?name:[ \t]*[\"']?([^\r\n\"'#]+)")
_OPENING = 2_000
_NO_AGENTS = lazy_pattern(r"(?i)(?:^|/)(?:readme|agents|claude|gemini|changelog|index)\.md$|/_shared/")


def names_defined(path: str, text: str) -> frozenset[str]:
    """The names by which a prompt can be called, as they are compared: those of an agent, a command or a skill.

    That of its file, or of a skill's folder, and that of its front matter.
    """
    if embeds(path):
        return frozenset(one.agent for one in embedded(path, text)) - {""}
    if not is_definition(path) or _NO_AGENTS.search(path):
        return frozenset()
    folder, _, file = path.rpartition("/")
    written = _FRONT_NAME.match(text[:_OPENING])
    names = (agent_name(folder if file.lower() == "skill.md" else path), agent_name(written[1]) if written else "")
    return frozenset(names) - {""}


def is_agent(path: str) -> bool:
    """Whether a prompt defines an agent."""
    return bool(_AGENT.search(path)) and not _NO_AGENTS.search(path)


def is_definition(path: str) -> bool:
    """Whether a document defines an agent, a command or a skill."""
    return _DEFINITION.search(path) is not None


@lru_cache(maxsize=4_096)
def is_prompt(path: str) -> bool:
    """Whether the statements of a document count, by its path from the root, with ``/``."""
    # An agent may be called `sdd-archive` or `test-writer`.
    aside = _ASIDE_FOLDER if is_definition(path) else _ASIDE
    if aside.search(path) or _PAGES_OF_RULES.search(path):
        return False
    return bool(_IS_PROMPT.search(path) or embeds(path))


def is_documentation(path: str) -> bool:
    """Whether a prompt is a page for people, in which only the lists of values and fields are for agents as well."""
    return bool(_DOCUMENTATION.search(path)) and not is_definition(path)


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
