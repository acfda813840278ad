"""All known contracts: the built-in ones and those of a workspace."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path

from handoff_lsp.contracts.build import Built, Data, build_contract, completed
from handoff_lsp.contracts.defaults import filled_in
from handoff_lsp.contracts.demands import Demands
from handoff_lsp.contracts.model import Contract
from handoff_lsp.contracts.spec import NameTable, Spec
from handoff_lsp.contracts.texts import with_texts
from handoff_lsp.language import ENGLISH, language, translated


def schemas_folder() -> Path:
    """The folder of the contracts and schemas: inside the installed package, or beside it in a clone."""
    packed = Path(__file__).parent.parent / "_schemas"
    return packed if packed.is_dir() else Path(__file__).parent.parent.parent / "schemas"


class ContractEntry:
    """One contract of a registry; its plain form and its profiles are built on demand.

    ``package``: the name of the package that it comes from, empty for none. ``replaces``: the contract of a package
    whose place it takes.
    """

    def __init__(self, data: Data, origin: Path | None = None) -> None:
        self.data: Data = completed(data)
        self.origin = origin
        self.package = ""
        self.replaces: ContractEntry | None = None
        self._specs: dict[tuple[str, Demands | None], Spec] = {}

    @cached_property
    def filled(self) -> Data:
        """Its data with all defaults."""
        return filled_in(self.data)

    @cached_property
    def contract(self) -> Contract:
        """The contract with no profile applied."""
        return build_contract(self.filled)

    @property
    def name(self) -> str:
        """The contract's name."""
        return str(self.data["contract"])

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

    def __iter__(self) -> Iterator[ContractEntry]:
        return iter(self._entries.values())

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def __getitem__(self, name: str) -> ContractEntry:
        return self._entries[name]

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
    data = json.loads((schemas_folder() / "contracts.json").read_text(encoding="utf-8"))
    if code != ENGLISH:
        data = [with_texts(entry, translated) for entry in data]
    return Registry({entry["contract"]: ContractEntry(entry) for entry in data})
