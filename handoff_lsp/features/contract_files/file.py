"""A contract file that is open in an editor, and the contracts around it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from handoff_lsp.contracts.build import Data
from handoff_lsp.contracts.load import MAX_BYTES, MAX_VALUES, data_of
from handoff_lsp.contracts.registry import ContractEntry, builtin
from handoff_lsp.syntax.limits import too_deep_yaml
from handoff_lsp.text import Source
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.workspace.config.contract_files import SUFFIXES
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text

if TYPE_CHECKING:
    from handoff_lsp.contracts.load import ContractFileProblem

# The first key of a contract, behind comments such as a modeline.
_FIRST = lazy_pattern(r"\ufeff?(?:(?:[ \t]*(?:#[^\r\n]*)?|---[ \t]*)(?:\r\n|\r|\n))*contract:[ \t]+[\"']?[\w.-]+")
# A second sign for a file that no config names: other tools have files with a key `contract`.
_KEYS = lazy_pattern(r"^(?:fields|extends)[ \t]*:", re.MULTILINE)


@lazy_dataclass(frozen=True, eq=False)
class FilesAround:
    """The other files of a workspace: the config, and the text of each, as it is open in an editor or on disk."""

    config: Path | None
    read: Callable[[Path], Source | None]


def _from_disk(path: Path) -> Source | None:
    try:
        return Source(read_text(path, limit=MAX_BYTES))
    except UnreadableFile:
        return None


# Without a config, and without an editor.
ALONE = FilesAround(None, _from_disk)


@lazy_dataclass(frozen=True, eq=False)
class ContractFile:
    """A text that is a contract, or becomes one.

    ``others``: the contracts that it may name, None for one that is broken. ``named``: whether the config names the
    file, so that its contract is in force.
    """

    source: Source
    path: Path | None
    others: Mapping[str, ContractEntry | None]
    named: bool
    around: FilesAround = ALONE

    @property
    def text(self) -> str:
        """The text."""
        return self.source.text

    def equals(self, other: ContractFile) -> bool:
        """Whether another one has the same text and the same contracts around it."""
        mine, its = (self.source, self.path, self.named), (other.source, other.path, other.named)
        return mine == its and self.others == other.others

    @property
    def judged(self) -> bool:
        """Whether its problems are reported."""
        return self.named or _KEYS.search(self.text) is not None

    @cached_property
    def data(self) -> Data:
        """What the text says, checked or not; nothing where it is no YAML."""
        return read_data(self.text)

    def base(self, name: str) -> ContractEntry | None:
        """The contract that it extends by a name; for its own name that is the built-in one, or a package's."""
        entry = self.others.get(name)
        if entry is not None and entry.origin == self.path and entry.replaces is not None:
            return entry.replaces
        return builtin()[name] if entry is not None and entry.origin == self.path and name in builtin() else entry

    @cached_property
    def read(self) -> tuple[ContractEntry | None, list[ContractFileProblem]]:
        """The contract, or None and the problems."""
        from handoff_lsp.contracts.load import read_contract

        if self.text.startswith("\ufeff"):
            entry, problems = read_contract(self.text[1:], self.path, self.others)
            return entry, [problem._replace(span=problem.span.shift(1)) for problem in problems]
        return read_contract(self.text, self.path, self.others)


def read_data(text: str) -> Data:
    """The mapping that a text holds as YAML; empty where it holds none."""
    if len(text) > MAX_BYTES or too_deep_yaml(text) is not None:
        return {}
    try:
        found = data_of(text)
        small = _size(found, {}) <= MAX_VALUES
    except (yaml.YAMLError, ValueError, TypeError, RecursionError, AttributeError):
        return {}
    return found if isinstance(found, dict) and small else {}


def _size(data: Any, known: dict[int, int]) -> int:
    """The number of values in some data with aliases expanded; above the limit if it contains itself."""
    if not isinstance(data, (dict, list)):
        return 1
    if id(data) not in known:
        known[id(data)] = MAX_VALUES + 1
        known[id(data)] = 1 + sum(_size(part, known) for part in (data.values() if isinstance(data, dict) else data))
    return known[id(data)]


def contract_file(
    source: Source, path: Path | None, resolver: Resolver, read: Callable[[Path], Source | None] = _from_disk
) -> ContractFile | None:
    """A document as a contract file: one that the config names, or YAML that begins with ``contract: NAME``."""
    named = path is not None and resolver.names_contract_file(path)
    if not named and (path is None or path.suffix.lower() not in SUFFIXES or _FIRST.match(source.text) is None):
        return None
    if not named and path is not None and _KEYS.search(source.text) is None and resolver.is_data_file(path):
        return None  # a handoff that has a key `contract`
    around = FilesAround(resolver.origin(path).path, read)
    return ContractFile(source, path, resolver.contracts_around(path), named, around)
