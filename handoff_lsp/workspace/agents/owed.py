"""What the agents of a workspace owe: by the config, else by their definitions and the contracts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from handoff_lsp.contracts.owed import Owed, Returned, agent_name, owed_by_contracts, returns_of
from handoff_lsp.workspace.agents.definitions import definitions_below
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text
from handoff_lsp.workspace.disk.globs import Glob

if TYPE_CHECKING:
    from handoff_lsp.workspace.config.config_file import AgentSettings
    from handoff_lsp.workspace.config.resolver import Resolver


class Agents:
    """Answers what agents owe. A path is that of a file in the workspace, None for the working folder."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    def owed_by(self, agent: str, path: Path | None = None) -> tuple[Owed, ...]:
        """What an agent owes; empty if nothing is known about it, or if the config says that it owes nothing."""
        name = agent_name(agent)
        settings = self._resolver.config(path).agents.get(name)
        known = tuple(owed_by_contracts(self._resolver.registry(path), name, partial(self._definition, name, path)))
        if settings is None:
            return known
        return _by_config(name, settings, known)

    def returned(self, agent: str, path: Path | None = None, *, earlier: tuple[str, ...] = ()) -> Returned | None:
        """The return of an agent; None if it owes nothing."""
        owed = self.owed_by(agent, path)
        return Returned(agent_name(agent), owed, earlier) if owed else None

    def returned_in(self, path: Path) -> Returned | None:
        """The agent that writes a file, by the paths that agents owe; None if none does."""
        name = self._resolver.name(path)
        for agent in self._writers(path):
            owed = tuple(
                one
                for one in self.owed_by(agent, path)
                if one.where != "message" and any(Glob(pattern).matches(name) for pattern in one.files)
            )
            if owed:
                return Returned(owed[0].agent, owed)
        return None

    def _writers(self, path: Path) -> Iterator[str]:
        """The agents that may owe files: those of the config, then those that contracts name."""
        yield from self._resolver.config(path).agents
        for entry in self._resolver.registry(path):
            for returned in returns_of(entry):
                if returned.files:
                    yield from (agent for agent in returned.agents if "*" not in agent)

    def _definition(self, name: str, path: Path | None) -> str | None:
        """The text of an agent's definition in the workspace, None without one."""
        root = self._resolver.root(path if path is not None else Path.cwd() / "_")
        found = (self._resolver.memo.look(definitions_below, str(root)) or {}) if root is not None else {}
        file = found.get(name) or found.get(name.removesuffix("-agent"))
        return self._resolver.memo.look(_text, file) if file is not None else None


def _text(file: str) -> str | None:
    try:
        return read_text(Path(file))
    except UnreadableFile:
        return None


def _by_config(name: str, settings: AgentSettings, known: tuple[Owed, ...]) -> tuple[Owed, ...]:
    """What the config says that an agent owes; what it leaves out is as the contracts have it."""
    if settings.returns is False:
        return ()
    contract = settings.returns or next((one.contract for one in known), "")
    if not contract:
        return ()
    base = next((one for one in known if one.contract == contract), Owed(name, contract))
    owed = replace(
        base,
        profiles=(settings.profile,) if settings.profile else base.profiles,
        where=settings.where or base.where,
        files=settings.files or base.files,
        must=settings.must,
        never=settings.never,
        known_from="the config",
    )
    return (owed, *(one for one in known if not settings.returns and one.contract != contract))
