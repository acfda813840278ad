"""All known contracts: the built-in ones and those of a workspace."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from handoff_lsp.contracts.build import Built, Data, build_contract, completed
from handoff_lsp.contracts.defaults import filled_in
from handoff_lsp.contracts.demands import Demands
from handoff_lsp.contracts.model import Contract
from handoff_lsp.contracts.per_field import ContractPart
from handoff_lsp.contracts.schemas import schemas_folder as schemas_folder
from handoff_lsp.contracts.spec import NameTable, Spec
from handoff_lsp.contracts.texts import with_texts
from handoff_lsp.language import ENGLISH, in_language, language, translated
from handoff_lsp.text.named_tuple import NamedTuple


class UnreadContract(NamedTuple):
    """The text of a built-in contract, which is read only if a document may have a handoff of it."""

    name: str
    line: bytes
    language: str

    def read(self) -> Data:
        """Its data. Its texts are in its language, where that has a catalog with them."""
        data: Data = json.loads(self.line)
        if self.language == ENGLISH:
            return data
        with in_language(self.language):
            return with_texts(data, translated)


class ContractEntry(ContractPart):
    """One contract of a registry; its plain form and its profiles are built on demand.

    ``package``: the name of the package that it comes from, empty for none. ``replaces``: the contract of a package
    whose place it takes.
    """

    def __init__(self, data: Data | UnreadContract, origin: Path | None = None) -> None:
        self._given = data
        self.origin = origin
        self.package = ""
        self.replaces: ContractEntry | None = None
        self._specs: dict[tuple[str, Demands | None], Spec] = {}
        self._written: dict[str, bool] = {}  # the keys that the text of an unread contract was searched for

    @cached_property
    def data(self) -> Data:
        """Its data, as its file has them, with at least one profile."""
        return completed(self._given.read() if isinstance(self._given, UnreadContract) else self._given)

    @property
    def is_builtin(self) -> bool:
        """Whether it comes with this package."""
        return isinstance(self._given, UnreadContract)

    @property
    def is_unread(self) -> bool:
        """Whether nothing has asked for its data yet; only of a built-in contract."""
        return isinstance(self._given, UnreadContract) and "data" not in vars(self)

    def may_have(self, key: str) -> bool:
        """Whether its data has a key of a contract; for an unread one, whether it may have it."""
        if isinstance(self._given, UnreadContract) and self.is_unread:
            if key not in self._written:
                self._written[key] = f'"{key}": '.encode() in self._given.line
            return self._written[key]
        return bool(self.data.get(key))

    def part(self, key: str) -> Any:
        """The value of a key of its data; None without one. Of an unread contract, only that much is read."""
        if not isinstance(self._given, UnreadContract) or not self.is_unread or self._given.language != ENGLISH:
            return self.data.get(key)
        _, mark, value = self._given.line.partition(f'"{key}": '.encode())
        if not mark:
            return None
        # A key that is there twice may be one of a field.
        return self.data.get(key) if mark in value else json.JSONDecoder().raw_decode(value.decode())[0]

    @cached_property
    def filled(self) -> Data:
        """Its data with all defaults."""
        return filled_in(self.data)

    @cached_property
    def contract(self) -> Contract:
        """The contract with no profile applied."""
        return build_contract(self.filled)

    @cached_property
    def name(self) -> str:
        """The contract's name."""
        return self._given.name if isinstance(self._given, UnreadContract) else str(self._given["contract"])

    @cached_property
    def names(self) -> NameTable:
        """The root fields by their written names, while the profile is unknown."""
        return NameTable(self.contract.fields)

    @cached_property
    def checks(self) -> list[str]:
        """The names of all checks, those that only some profiles have included."""
        parts = (self.data, *self.data["profiles"].values())
        return list(dict.fromkeys(name for part in parts for name in part.get("checks") or ()))

    def spec_with(self, check: str) -> Spec | None:
        """The contract as the first profile with a check has it; None without one."""
        specs = map(self.spec, self.data["profiles"] if check in self.checks else ())
        return next((spec for spec in specs if check in spec.contract.checks), None)

    def spec(self, profile: str, demands: Demands | None = None) -> Spec:
        """The contract as a profile has it. Raises KeyError for a profile it does not have.

        ``demands``: those of the config on the agent that owes the handoff.
        """
        key = profile, demands
        if key not in self._specs:
            self._specs[key] = Spec(self.filled, profile, Built(self.filled, self.contract), demands)
        return self._specs[key]


class Registry:
    """Contracts by name, in the order in which they are tried."""

    def __init__(self, entries: Mapping[str, ContractEntry]) -> None:
        self._entries = dict(entries)
        self._having: dict[str, tuple[ContractEntry, ...]] = {}

    def __iter__(self) -> Iterator[ContractEntry]:
        return iter(self._entries.values())

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def __getitem__(self, name: str) -> ContractEntry:
        return self._entries[name]

    def having(self, key: str) -> tuple[ContractEntry, ...]:
        """The contracts that may have a key, in order."""
        if key not in self._having:
            self._having[key] = tuple(entry for entry in self if entry.may_have(key))
        return self._having[key]

    @property
    def names(self) -> list[str]:
        """The names of all contracts."""
        return list(self._entries)

    def with_entries(self, entries: list[ContractEntry]) -> Registry:
        """A registry with more contracts, tried first; one of the same name takes the place of the other."""
        return Registry(
            {
                **{entry.name: entry for entry in entries},
                **{k: v for k, v in self._entries.items() if k not in {e.name for e in entries}},
            }
        )


def builtin() -> Registry:
    """The contracts that come with handoff-lsp, from the validated form of ``schemas/contracts/*.yaml``.

    Their texts are in the language that was chosen, where its catalog has them.
    """
    return _builtin(language())


@lru_cache(maxsize=2)
def _builtin(code: str) -> Registry:
    # Between the brackets, each line is a contract; the first value is its name.
    lines = (schemas_folder() / "contracts.json").read_bytes().split(b"\n")[1:-2]
    unread = [UnreadContract(_name_in(line), line.rstrip(b","), code) for line in lines]
    return Registry({one.name: ContractEntry(one) for one in unread})


def _name_in(line: bytes) -> str:
    """The first value of an object of JSON, which is a text."""
    start = line.index(b'"', line.index(b":")) + 1
    return line[start : line.index(b'"', start)].decode()
