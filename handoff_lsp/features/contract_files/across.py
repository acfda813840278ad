"""The uses of a name of a contract in all files that know it: contracts that extend it or read it, and the config."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from handoff_lsp.contracts.registry import schemas_folder
from handoff_lsp.features.contract_files.file import ALONE, ContractFile
from handoff_lsp.features.contract_files.uses import Use, uses
from handoff_lsp.text import Source
from handoff_lsp.text.named_tuple import NamedTuple


class UseAt(NamedTuple):
    """A use in a file. ``path`` is None for the file that is asked about, if it has no path."""

    path: Path | None
    source: Source
    use: Use


class Family:
    """The contract files around one, by the names of their contracts, with the uses in each."""

    def __init__(self, file: ContractFile) -> None:
        self._file = file
        self.own: str = str(file.data.get("contract", ""))
        self._files: dict[str, ContractFile | None] = {self.own: file}
        self._uses: dict[str, list[Use]] = {}

    def file(self, name: str) -> ContractFile | None:
        """The file of a contract; None if it cannot be read."""
        if name not in self._files:
            self._files[name] = self._read(name)
        return self._files[name]

    def _read(self, name: str) -> ContractFile | None:
        entry, around = self._file.others.get(name), self._file.around
        if entry is None:
            return None
        path = entry.origin or schemas_folder() / "contracts" / f"{name}.yaml"
        source = around.read(path) if entry.origin is not None else ALONE.read(path)
        return ContractFile(source, path, self._file.others, True, around) if source is not None else None

    def is_builtin(self, name: str) -> bool:
        """Whether a contract comes with handoff-lsp."""
        entry = self._file.others.get(name)
        return name != self.own and entry is not None and entry.origin is None

    def chain(self, name: str) -> list[str]:
        """A contract, the one that it extends, and so on; the built-in one of the same name has no place in it."""
        found: list[str] = []
        while name not in found:
            found.append(name)
            file = self.file(name)
            base = file.data.get("extends") if file is not None else None
            if not isinstance(base, str) or base == name:
                break
            name = base
        return found

    @cached_property
    def names(self) -> list[str]:
        """The contracts of the workspace, the one that is asked about first."""
        mine = self._file.path
        others = (name for name, one in self._file.others.items() if one is not None and one.origin not in {None, mine})
        return [self.own, *(name for name in others if name != self.own)]

    def uses(self, name: str) -> list[Use]:
        """The uses in the file of a contract."""
        if name not in self._uses:
            file = self.file(name)
            self._uses[name] = uses(file) if file is not None else []
        return self._uses[name]

    def home(self, use: Use) -> str | None:
        """The contract that declares a name: the outermost of those that extend one another. None without one."""
        return next((name for name in reversed(self.chain(use.of or self.own)) if self._declares(name, use)), None)

    def _declares(self, name: str, use: Use) -> bool:
        return any(
            one.declares and not one.changed and not one.of and (one.kind, one.name) == (use.kind, use.name)
            for one in self.uses(name)
        )

    def places(self, use: Use) -> Iterator[UseAt]:
        """The uses of a name in the file itself, the other contracts of the workspace and the config."""
        home = self.home(use)
        for name in self.names:
            file = self.file(name)
            for one in self.uses(name) if file is not None else ():
                if file is not None and self._is_same(one, use, home, one.of or name):
                    yield UseAt(file.path, file.source, one)
        yield from self._in_config(use, home)

    def _in_config(self, use: Use, home: str | None) -> Iterator[UseAt]:
        from handoff_lsp.features.config_files.uses import config_uses

        path = self._file.around.config
        source = self._file.around.read(path) if path is not None else None
        for one in config_uses(source, path) if source is not None and path is not None else ():
            if source is not None and self._is_same(one, use, home, one.of):
                yield UseAt(path, source, one)

    def _is_same(self, one: Use, use: Use, home: str | None, contract: str) -> bool:
        if (one.kind, one.name) != (use.kind, use.name):
            return False
        if use.kind == "contract":
            return True
        if home is None:
            return contract == (use.of or self.own)
        return contract == home or home in self.chain(contract)
