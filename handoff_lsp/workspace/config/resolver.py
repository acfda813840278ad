"""The config that applies to a document, with its options, its contracts and the document's name."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from handoff_lsp.contracts.model import Severity
from handoff_lsp.contracts.options import Options
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.recognition.paths import is_data_file, may_be_handoff
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.config.config_file import (
    Config,
    ConfigError,
    LoadedConfig,
    RootedPattern,
    config_in,
    folders_upward,
    read_config,
    relative_to,
)
from handoff_lsp.workspace.config.contract_files import names_contract
from handoff_lsp.workspace.config.given import GivenSettings
from handoff_lsp.workspace.config.search import absolute
from handoff_lsp.workspace.disk.walking import SUFFIXES, why_passed_over
from handoff_lsp.workspace.memo import MAX_LOOKS, Memo, Reads, Result

if TYPE_CHECKING:
    from handoff_lsp.workspace.agents.owed import Agents

# How much of a path counts where no root is known: `handoffs/<feature>/<file>`.
PARTS_THAT_COUNT = 3


class Resolver:
    """The config of each document, the options and contracts that follow from it, looked up at every keystroke.

    ``explicit`` is a config file that counts for all documents (``--config``), ``examples`` switches examples on
    whatever the config says, and ``overrides`` are settings, in the shape of a config file, that go before it; for the
    folders that an editor has open, ``set_overrides`` gives each its own. ``given`` are the settings of one run.
    """

    def __init__(
        self,
        *,
        explicit: Path | None = None,
        examples: bool = False,
        overrides: Mapping[str, Any] | None = None,
        given: GivenSettings | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.memo: Memo = Memo(clock) if clock is not None else Memo()
        self._explicit = Path(os.path.abspath(explicit)) if explicit is not None else None
        self.examples = examples
        self.given: GivenSettings = given or GivenSettings()
        self._overrides: dict[str | None, dict[str, Any]] = {None: dict(overrides or {})}  # by folder, None: elsewhere
        # The last one is needed where the next one is broken.
        self._loaded: dict[tuple[Path | None, str | None], Result[LoadedConfig]] = {}
        self.workspaces: tuple[str, ...] = ()  # the absolute folders that an editor has open

    def config(self, path: Path | None) -> Config:
        """The config of a file (None: of the working folder); where it is broken the last good one, or the defaults."""
        return self._of(path).config

    def naming_baseline(self, path: Path | None) -> Config | None:
        """The nearest config, from the file's own upward, that names a baseline: that covers all folders below it."""
        config = self.config(path)
        while config.baseline is None and config.path is not None:
            inner, config = config, self.config(config.folder.parent / "_")
            if config.path == inner.path:  # one for all files, or in the topmost folder
                break
        return config if config.baseline is not None else None

    def options(self, path: Path | None) -> Options:
        """The settings of a file: the same object until they change."""
        loaded = self._of(path)
        full = str(path) if path is not None and path.is_absolute() else None
        options = loaded.options_of.get(full) if full is not None else None
        if options is None:
            matching = loaded.config.matching(path) if path is not None else ()
            options = loaded.options.get(matching)
            if options is None:
                options = loaded.options[matching] = _options(
                    loaded.config, matching, self.given.severities, self.examples
                )
            if full is not None and len(loaded.options_of) < MAX_LOOKS:
                loaded.options_of[full] = options
        returned = self.agents.returned_in(path) if path is not None else None
        return options if returned is None else loaded.returned_in(options, returned)

    @cached_property
    def agents(self) -> Agents:
        """What the agents of the workspace owe."""
        from handoff_lsp.workspace.agents.owed import Agents

        return Agents(self)

    def registry(self, path: Path | None) -> Registry:
        """The contracts known for a file: the same object as long as they do not change."""
        return self._of(path).registry

    def loaded(self, path: Path | None) -> LoadedConfig:
        """The config of a file as it was read, with its contracts: the same object until one of its files changes."""
        return self._of(path)

    def names_contract_file(self, path: Path) -> bool:
        """Whether the config of a file names it as a contract."""
        config = self.config(path)
        return any(names_contract(one.folder, one.pattern, path) for one in config.contract_files)

    def contracts_around(self, path: Path | None) -> Mapping[str, ContractEntry | None]:
        """The contracts that a contract file may name; None for one that cannot be read."""
        loaded = self._of(path)
        unread = loaded.contracts.unread if loaded.contracts is not None else []
        return {**dict.fromkeys(unread), **{entry.name: entry for entry in loaded.registry}}

    def problems(self, path: Path | None) -> list[ConfigError]:
        """The problems of the config and the contract files that apply to a file."""
        return list(self._of(path).problems)

    def require(self, path: Path | None) -> Config:
        """The config of a file. Raises ConfigError where it is broken; contract files may still have ``problems``."""
        loaded = self._of(path)
        for problem in loaded.problems:
            if problem.rule == "invalid-config":
                raise problem
        return loaded.config

    def excluded(self, path: Path) -> bool:
        """Whether the config of the folder that a file or folder is in passes it over when folders are walked."""
        return self.excluding(path) is not None

    def excluding(self, path: Path) -> RootedPattern | None:
        """The pattern by which a file or folder is passed over, None if it is not."""
        own = self.config(path).excluding(path) if self.given.exclude is None else None
        return own or self.given.excluding(path)

    def why_left_out(self, path: Path, folder: Path | None = None) -> str:
        """Why a walk of a folder (default: the root) leaves out a file or folder in it; empty if it does not."""
        folder = folder or self.root(path) or path.parent
        inside = [each for each in (path, *path.parents) if each.is_relative_to(folder) and each != folder]
        for each in inside:
            if (pattern := self.excluding(each)) is not None:
                return f"excluded by `{pattern.pattern}`"
        is_folder = os.path.isdir(path)
        if why := why_passed_over(folder, path / "_" if is_folder else path):
            return why
        for each in inside:
            if os.path.islink(each):
                return f"`{each.name}` is a symbolic link"
        if is_folder or path.name.lower().endswith(SUFFIXES) or self.is_data_file(path):
            return ""
        return f"only {' and '.join(SUFFIXES)} and the data files of contracts and the config are checked"

    def is_data_file(self, path: Path) -> bool:
        """Whether a file may be a handoff as a whole, such as a status file, by the contracts or the config.

        Or it may define agents, whose prompts are read.
        """
        from handoff_lsp.prompts.documents import is_prompt  # a hook never asks
        from handoff_lsp.prompts.embedded import embeds

        if embeds(path.as_posix()) and is_prompt(self.name(path)):
            return True
        if not is_data_file(path.name) or path == self.config(path).baseline:
            return False
        return self.options(path).contract is not None or may_be_handoff(self.name(path), self.registry(path))

    def is_named(self, path: Path) -> bool:
        """Whether the config assigns a contract to a file, or a contract names its path."""
        name = f"/{self.name(path)}"
        places = (place for entry in self.registry(path) for place in entry.contract.locations)
        return self.options(path).contract is not None or any(name.endswith(f"/{place}") for place in places)

    def name(self, path: Path | None) -> str:
        """A file's path as contracts see it, with ``/``: from its root, so that no folder above counts.

        Without a root the last folders count, as many as contracts look at. Empty for None.
        """
        if path is None:
            return ""
        full = absolute(path)
        root = self.root_of(full)
        name = relative_to(full, root) if root is not None else None
        return name if name is not None else "/".join(Path(full).parts[-PARTS_THAT_COUNT:])

    def root(self, path: Path) -> Path | None:
        """The root of the workspace around a file; None outside any.

        The nearest folder with a ``.git``, else the config's, else the one that the editor has open, else the working
        folder (unless that is the file system's root, where editors may start a server).
        """
        root = self.root_of(absolute(path))
        return Path(root) if root is not None else None

    def root_of(self, full: str) -> str | None:
        """The same for an absolute path."""
        return self.memo.look(self._root_in, os.path.dirname(full), self.workspaces, patience=0)

    def _root_in(self, folder: str, workspaces: tuple[str, ...]) -> str | None:
        config = self._load(folder).config
        here = os.getcwd()
        roots = (
            self._nearest(_git_in, folder),
            str(config.folder) if config.path is not None else None,
            *workspaces,
            here if os.path.dirname(here) != here else None,
        )
        return next((root for root in roots if root is not None and _within(folder, root)), None)

    def set_overrides(self, elsewhere: Mapping[str, Any], folders: Mapping[str, Mapping[str, Any]]) -> bool:
        """Set the settings of absolute folders, the innermost of which decides. Returns whether they have changed.

        ``elsewhere`` are the settings of all files outside these folders.
        """
        now: dict[str | None, dict[str, Any]] = {None: dict(elsewhere)}
        now.update((name, dict(folders[name])) for name in sorted(folders, key=len, reverse=True))
        before, self._overrides = self._overrides, now
        self._keep(lambda _, scope: scope in now and now[scope] == before[scope])
        self.memo.disk_changed()
        return now != before

    def disk_changed(self) -> None:
        """Files, configs or settings may have changed. A config that was deleted is no last good one any more."""
        self.memo.disk_changed()
        self._keep(lambda path, _: path is None or os.path.exists(path))

    @property
    def places(self) -> list[Path | None]:
        """A path in each open folder, the outer folders first, to ask for its config by; None where none is open."""
        return [Path(folder) / "_" for folder in reversed(self.workspaces)] or [None]

    def origin(self, path: Path | None) -> Origin:
        """Where the config of a file (None: of the working folder) comes from."""
        return self._source(_folder_of(path))

    def overrides(self, path: Path | None) -> Mapping[str, Any]:
        """The settings that go over the config of a file."""
        return self._overrides[self._scope(_folder_of(path))]

    def _of(self, path: Path | None) -> LoadedConfig:
        return self._load(_folder_of(path))

    def _scope(self, name: str) -> str | None:
        """The innermost of the folders with settings of their own that a folder is in."""
        return next((folder for folder in self._overrides if folder is not None and _within(name, folder)), None)

    def _source(self, name: str) -> Origin:
        if self.given.isolated:
            return Origin("command line", None)
        if self._explicit is not None:
            return Origin("command line", self._explicit)
        scope = self._scope(name)
        named = self._overrides[scope].get("config")
        if isinstance(named, str):
            return Origin("settings", Path(os.path.abspath(os.path.join(scope or "", os.path.expanduser(named)))))
        found = self._nearest(config_in, name)
        return Origin("search", Path(found) if found is not None else None)

    def _nearest(self, question: Callable[[str], str | None], folder: str) -> str | None:
        """The first answer of a folder and those above it. The folders in one share the answer for that."""
        return self.memo.look(question, folder) or self.memo.look(
            self._nearest_above, question, os.path.dirname(folder), patience=0
        )

    def _nearest_above(self, question: Callable[[str], str | None], folder: str) -> str | None:
        return next((found for each in folders_upward(folder) if (found := self.memo.look(question, each))), None)

    def _load(self, folder: str) -> LoadedConfig:
        """The config of a folder."""
        loaded = self.memo.look(self._loaded_in, folder, patience=0)
        assert loaded is not None
        return loaded

    def _loaded_in(self, folder: str) -> LoadedConfig:
        scope, source = self._scope(folder), self._source(folder).path
        around = Path(scope) if scope is not None else None
        known = self._loaded.get((source, scope))
        if known is None or not known.reads.hold():
            reads = Reads()
            before = known.value if known is not None else None
            loaded = read_config(source, self._overrides[scope], before, around, reads)
            known = self._loaded[source, scope] = Result(loaded, source, reads)
            if before is not None and before.registry is not loaded.registry:
                self._drop_outdated()
        return known.value

    def _keep(self, wanted: Callable[[Path | None, str | None], bool]) -> None:
        """Drop the configs, by file and folder with settings, that are not wanted."""
        kept = {key: loaded for key, loaded in self._loaded.items() if wanted(*key)}
        is_fewer, self._loaded = len(kept) < len(self._loaded), kept
        if is_fewer:
            self._drop_outdated()

    def _drop_outdated(self) -> None:
        """Drop the results by contracts that are no longer in force."""
        in_force = [loaded.value.registry for loaded in self._loaded.values()]
        self.memo.drop(lambda part: isinstance(part, Registry) and part not in in_force)


class Origin(NamedTuple):
    """The origin of a config: named on the command line or in an editor's settings, or found by the search.

    ``path`` is its file, None without one, or with ``--isolated``.
    """

    by: Literal["command line", "settings", "search"]
    path: Path | None


def _options(config: Config, matching: tuple[int, ...], given: Mapping[str, Severity], examples: bool) -> Options:
    severities = dict(config.rules)
    contract: str | None = None
    mode: str | None = None
    for index in matching:
        rule = config.files[index]
        severities.update(rule.rules)
        contract, mode = rule.contract or contract, rule.mode or mode
    return Options(
        severities={**severities, **given},
        profiles=config.profiles,
        settings=config.settings,
        disabled=config.disable,
        examples=examples or config.examples,
        contract=contract,
        mode=mode,
        allowed=config.allowed,
    )


def _folder_of(path: Path | None) -> str:
    if path is None:
        return os.getcwd()
    full = absolute(path)
    folder = full.rpartition(os.sep)[0]  # four times as fast as `dirname`, which knows about roots
    return folder if folder and not folder.endswith(":") else os.path.dirname(full)


def _within(name: str, folder: str) -> bool:
    return name == folder or relative_to(name, folder) is not None


def _git_in(folder: str) -> str | None:
    """The folder, if it has a ``.git``."""
    return folder if os.path.lexists(os.path.join(folder, ".git")) else None
