"""What the agents of a workspace owe, and from where that is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from handoff_lsp.contracts.owed import Owed
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.workspace.agents.known import AgentOwed
from handoff_lsp.workspace.config.resolver import Resolver


@lazy_dataclass(frozen=True, slots=True)
class AgentReport:
    """What an agent owes. ``definition``: the path of its definition from the root, None without one.

    ``disagreements``: where the config, the definition and the contracts differ, and which of them counts.
    """

    agent: str
    definition: str | None
    owes: tuple[Owed, ...]
    disagreements: tuple[str, ...]


def agent_reports(
    resolver: Resolver, files: Sequence[Path | None], folders: Sequence[Path | None], agents: Sequence[str]
) -> Iterator[AgentReport]:
    """The agents that files define, and those of folders by name; with ``agents`` only these, known or not."""
    found: dict[tuple[str, str | None], AgentReport] = {}
    for path in files:
        definition = resolver.agents.defined_in(path) if path is not None else None
        if definition is not None:
            _add(found, resolver.agents.known(definition.agent, path))
    for folder in folders if folders or not agents else [None]:
        for name in agents or resolver.agents.names(folder):
            _add(found, resolver.agents.known(name, folder))
    yield from found.values()


def _add(found: dict[tuple[str, str | None], AgentReport], known: AgentOwed) -> None:
    definition = known.definition.path if known.definition is not None else None
    report = AgentReport(known.agent, definition, known.owed, known.disagreements)
    found.setdefault((known.agent, definition), report)
