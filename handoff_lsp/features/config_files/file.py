"""A config file that is open in an editor, and the contracts that it may name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handoff_lsp.contracts.problems import KeyPath
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.features.contract_files.file import ContractFile, contract_file
from handoff_lsp.features.diagnostics import Diagnostic
from handoff_lsp.text import Source, Span
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.workspace.config.config_file import (
    OWN_NAME,
    SHARED_NAME,
    TABLE,
    ConfigError,
    LoadedConfig,
    has_table,
    read_config,
)
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.memo import Reads

if TYPE_CHECKING:
    from handoff_lsp.workspace.agents.known import AgentOwed
    from handoff_lsp.workspace.agents.owed import Agents
    from handoff_lsp.workspace.config.toml_places import TomlPlaces


@lazy_dataclass(frozen=True, eq=False)
class ConfigFile:
    """A text that is a config. ``in_force``: the config that counts in its folder, as it was last saved.

    ``agents``: the agents of the workspace, of which the saved config counts.
    """

    source: Source
    path: Path
    in_force: LoadedConfig
    agents: Agents
    contract: Callable[[Path], ContractFile | None] = lambda _path: None

    @property
    def text(self) -> str:
        """The text."""
        return self.source.text

    def equals(self, other: ConfigFile) -> bool:
        """Whether the text and the config in force are equal, and no file that the text names has changed."""
        same = (self.source, self.path) == (other.source, other.path) and self.in_force is other.in_force
        return same and self._reads.hold()

    @property
    def prefix(self) -> tuple[str, ...]:
        """The keys that lead to the config from the root of the file."""
        return TABLE if self.path.name == SHARED_NAME else ()

    @cached_property
    def read(self) -> LoadedConfig:
        """The config that the text holds, with its problems."""
        before = self.in_force if self.in_force.config.path == self.path else None
        text = self.text.removeprefix("\ufeff")
        return read_config(self.path, None, before, reads=self._reads, text=text, beside=self.in_force)

    @cached_property
    def _reads(self) -> Reads:
        return Reads()

    @property
    def registry(self) -> Registry:
        """The contracts that it may name."""
        return self.read.registry

    @cached_property
    def places(self) -> TomlPlaces:
        """The places of keys and values."""
        from handoff_lsp.workspace.config.toml_places import toml_places

        return toml_places(self.text)

    @property
    def agent_names(self) -> list[str]:
        """The names of the agents that the workspace defines."""
        return self.agents.names(self.path)

    def known(self, agent: str) -> AgentOwed:
        """What an agent owes by the text, and from where that is known."""
        return self.agents.known(agent, self.path, self.read.config)

    def by_contract(self, path: KeyPath) -> KeyPath:
        """A path of the config, below the table of an agent with the contract that it owes in place of its name."""
        if len(path) < len(("agents", "name", "key")) or path[0] != "agents":
            return path
        returned = (*self.prefix, *path[:2], "returns")
        written = next((one for one in self.places.tokens if one.path == returned and one.kind == "value"), None)
        if written is not None:
            return (path[0], written.span.of(self.text), *path[2:])
        owed = self.known(str(path[1])).owed
        return (path[0], owed[0].contract if owed else "", *path[2:])

    def inner(self, path: KeyPath) -> KeyPath | None:
        """A path of the file as the config has it; None outside of it."""
        return path[len(self.prefix) :] if path[: len(self.prefix)] == self.prefix else None


def config_file(
    source: Source, path: Path | None, resolver: Resolver, read: Callable[[Path], Source | None]
) -> ConfigFile | None:
    """A document as a config: by its name, or because the config of its folder is it or extends it."""
    if path is None or path.suffix != ".toml":
        return None
    if path.name not in {OWN_NAME, SHARED_NAME} and resolver.origin(path).path != path:
        if path not in resolver.config(path).extended:
            return None

    def contract(full: Path) -> ContractFile | None:
        text = read(full)
        return contract_file(text, full, resolver, read) if text is not None else None

    return ConfigFile(source, path, resolver.loaded(path), resolver.agents, contract)


def problems(file: ConfigFile) -> list[Diagnostic]:
    """The problems of a config, in the order of the text; none in a ``pyproject.toml`` without our table."""
    if file.prefix and not has_table(file.text):
        return []
    found = (_diagnostic(file.text, error) for error in file.read.problems if error.path == file.path)
    return sorted(found, key=lambda item: item.span)


def _diagnostic(text: str, error: ConfigError) -> Diagnostic:
    fixable = "did you mean" in error.message
    data: dict[str, Any] = {"field": None, "upstream": [], "fixable": fixable}
    return Diagnostic(_span(text, error), "error", error.rule, error.message, "", (), (), data)


def _span(text: str, error: ConfigError) -> Span:
    first = 1 if text.startswith("\ufeff") else 0
    if error.line is None:
        return Span(first, first)
    start = first
    for _ in range(error.line - 1):
        start = text.find("\n", start) + 1
    return Span(*(min(start + column - 1, len(text)) for column in error.columns))
