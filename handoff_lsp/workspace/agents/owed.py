"""What the agents of a workspace owe: by the config, else by their definitions and the contracts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from handoff_lsp.contracts.owed import Owed, Returned, agent_name, owed_by_contracts, returns_of
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.agents.definitions import AgentDefinition, definitions_in
from handoff_lsp.workspace.agents.known import AgentOwed, against_config, by_definition
from handoff_lsp.workspace.agents.said import Said, may_write, what_it_says
from handoff_lsp.workspace.config.search import absolute
from handoff_lsp.workspace.disk.globs import Glob

if TYPE_CHECKING:
    from handoff_lsp.workspace.config.config_file import AgentSettings, Config, LoadedConfig
    from handoff_lsp.workspace.config.resolver import Resolver


class Agents:
    """Answers what agents owe. A path is that of a file in the workspace, None for the working folder."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    def owed_by(self, agent: str, path: Path | None = None) -> tuple[Owed, ...]:
        """What an agent owes; empty if nothing is known about it, or if the config says that it owes nothing."""
        return self.known(agent, path).owed

    def known(self, agent: str, path: Path | None = None, config: Config | None = None) -> AgentOwed:
        """What an agent owes, and from where that is known. ``config`` counts in place of the saved one."""
        place = self._place(path)
        return self._known(agent, place if config is None else place._replace(config=config))

    def _known(self, agent: str, place: _AgentPlace) -> AgentOwed:
        config, registry, root = place
        name, definitions = agent_name(agent), self._definitions_below(root)
        settings = config.agents.get(name)
        definition = definitions.get(name) or definitions.get(name.removesuffix("-agent"))
        text = definition.text if definition is not None else None
        by_contracts = tuple(owed_by_contracts(registry, name, lambda: text))
        said = self._said(definition, registry, root) if definition is not None else ()
        owed, told = by_definition(name, by_contracts, definition, said, registry)
        if settings is None:
            return AgentOwed(name, owed, definition, None, told)
        counting = _by_config(name, settings, owed, self._config_name(config))
        return AgentOwed(name, counting, definition, settings, (*against_config(settings, owed, counting), *told))

    def definitions(self, path: Path | None = None) -> Mapping[str, AgentDefinition]:
        """The definitions of agents in the workspace, by their names; the same object until one changes."""
        return self._definitions_below(self._root(path))

    def _definitions_below(self, root: str | None) -> Mapping[str, AgentDefinition]:
        return definitions_in(root, self._resolver.memo) if root is not None else {}

    def defined_in(self, path: Path) -> AgentDefinition | None:
        """The definition in a file; None if the file is none."""
        name = self._resolver.name(path)
        return next((one for one in self.definitions(path).values() if name in (one.path, one.prompt_path)), None)

    def names(self, path: Path | None = None) -> list[str]:
        """The names of the agents that the workspace defines or its config lists, in order."""
        defined = (one.agent for one in self.definitions(path).values())
        return sorted({*defined, *self._resolver.config(path).agents})

    def _said(self, definition: AgentDefinition, registry: Registry, root: str | None) -> tuple[Said, ...]:
        """The statements of a definition: computed once for each version of it."""
        about = self._resolver.memo.about(str(root))
        key, revision = ("said", definition.path, definition.agent), (definition, registry)
        return about.for_revision(key, revision, lambda: what_it_says(definition, registry))

    def _root(self, path: Path | None) -> str | None:
        return self._resolver.root_of(absolute(path if path is not None else Path("_")))

    def _config_name(self, config: Config) -> str:
        return f"the config (`{self._resolver.name(config.path)}`)" if config.path is not None else "the config"

    def returned(self, agent: str, path: Path | None = None, *, earlier: tuple[str, ...] = ()) -> Returned | None:
        """The return of an agent; None if it owes nothing."""
        owed = self.owed_by(agent, path)
        return Returned(agent_name(agent), owed, earlier) if owed else None

    def returned_in(self, path: Path) -> Returned | None:
        """The agent that writes a file, by the paths that agents owe; None if none does."""
        loaded, root = self._resolver.loaded(path), self._root(path)
        owing = self._resolver.memo.look(self._owing_at, loaded, root, patience=0)
        if owing is None or owing.names.match(path.name) is None:
            return None
        full = str(path)
        if full not in owing.answers:
            owing.answers[full] = self._returned_in(path)
        return owing.answers[full]

    def _owing_at(self, loaded: LoadedConfig, root: str | None) -> _Owing:
        """The files that agents owe, as far as they are known: one object for all folders with the same settings."""
        place, definitions = _AgentPlace(loaded.config, loaded.registry, root), self._definitions_below(root)

        def make() -> _Owing:
            # To find who owes them takes long, and few files have such names.
            if not place.config.agents and not definitions:
                return _Owing(_names_of(_files_of_contracts(place.registry)), {})
            globs = (glob for debt in self._file_debts(place) for _, globs in debt.owed for glob in globs)
            return _Owing(_names_of(globs), {})

        about = self._resolver.memo.about(str(root))
        return about.for_revision(("returned", place.config.path), (*place, definitions), make)

    def _returned_in(self, path: Path) -> Returned | None:
        name = self._resolver.name(path)
        for debt in self._file_debts(self._place(path)):
            owed = tuple(one for one, globs in debt.owed if any(glob.matches(name) for glob in globs))
            if owed:
                return Returned(owed[0].agent, owed)
        return None

    def _file_debts(self, place: _AgentPlace) -> Sequence[_FileDebts]:
        """The files that agents owe, by agent: computed once for each version."""
        config, registry, root = place
        definitions = self._definitions_below(root)

        def make() -> list[_FileDebts]:
            found = []
            for agent in dict.fromkeys(_writers(config, registry, definitions)):
                owed = [
                    (one, [Glob(file) for file in one.files])
                    for one in self._known(agent, place).owed
                    if one.where != "message"
                ]
                found += [_FileDebts(owed)] if owed else []
            return found

        about = self._resolver.memo.about(str(root))
        return about.for_revision(("files of agents", config.path), (config, registry, definitions), make)

    def _place(self, path: Path | None) -> _AgentPlace:
        loaded = self._resolver.loaded(path)
        return _AgentPlace(loaded.config, loaded.registry, self._root(path))


class _AgentPlace(NamedTuple):
    """What decides about agents at a place: the config, the contracts and the root of the workspace."""

    config: Config
    registry: Registry
    root: str | None


class _Owing(NamedTuple):
    """The agents that write files, by absolute path. ``names``: a pattern for the names of all files that are owed."""

    names: re.Pattern[str]
    answers: dict[str, Returned | None]


def _names_of(globs: Iterable[Glob]) -> re.Pattern[str]:
    """A pattern for the names of the files that match globs; one for no name without globs."""
    lasts = {last.pattern if last is not None else "" for glob in globs for last in glob.parts[-1:]}
    return re.compile("|".join(sorted(lasts)) if lasts else "(?!)")


def _files_of_contracts(registry: Registry) -> list[Glob]:
    """The files that contracts expect of any agent."""
    files = (file for entry in registry for returned in returns_of(entry) for file in returned.files)
    return [Glob(file) for file in dict.fromkeys(files)]


class _FileDebts(NamedTuple):
    """What an agent owes in files, with the globs of these."""

    owed: list[tuple[Owed, list[Glob]]]


def _writers(config: Config, registry: Registry, definitions: Mapping[str, AgentDefinition]) -> Iterator[str]:
    """The agents that may owe files: those of the config, those that contracts name, those whose prompts name files."""
    yield from config.agents
    for entry in registry:
        for returned in returns_of(entry):
            if returned.files:
                yield from (agent for agent in returned.agents if "*" not in agent)
    for definition in dict.fromkeys(definitions.values()):
        if may_write(definition):
            yield definition.agent


def _by_config(name: str, settings: AgentSettings, known: tuple[Owed, ...], config: str) -> tuple[Owed, ...]:
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
        known_from=config,
    )
    return (owed, *(one for one in known if not settings.returns and one.contract != contract))
