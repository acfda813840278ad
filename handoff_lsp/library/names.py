"""Names that a program gives: contracts, profiles, rules, modes and severities. An unknown one is an error at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import get_args

from handoff_lsp.contracts.model import Mode, Severity
from handoff_lsp.contracts.names import nearest
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.rules.registry import all_rules


class UnknownNameError(ValueError):
    """A name that a program gave, of something that does not exist.

    ``kind``: contract, profile, rule, mode, severity, schema or maker. ``name``: as given. ``nearest``: the known name
    most like it, None if none is similar. ``known``: all names that exist.
    """

    def __init__(self, kind: str, name: str, known: tuple[str, ...]) -> None:
        self.kind = kind
        self.name = name
        self.known = known
        self.nearest: str | None = nearest(name, known, cutoff=0.6) if isinstance(name, str) else None
        meant = f"did you mean `{self.nearest}`?" if self.nearest else f"known are {', '.join(known)}"
        super().__init__(f"unknown {kind} `{name}`; {meant}")

    def __reduce__(self) -> tuple[type[UnknownNameError], tuple[str, str, tuple[str, ...]]]:
        return type(self), (self.kind, self.name, self.known)


def require(kind: str, name: str, known: Iterable[str]) -> None:
    """Raise UnknownNameError if a name is not among the known ones."""
    names = tuple(known)
    if name not in names:
        raise UnknownNameError(kind, name, names)


def entry_of(registry: Registry, contract: str) -> ContractEntry:
    """The contract of a name. Raises UnknownNameError."""
    require("contract", contract, registry.names)
    return registry[contract]


def require_mode(mode: str) -> None:
    """Raise UnknownNameError for a mode that does not exist."""
    require("mode", mode, get_args(Mode))


def profiles_of(registry: Registry, contract: str | None, profile: str) -> dict[str, str]:
    """The profile for the contract, or for each contract that has it if none is named. Raises UnknownNameError."""
    entries = [entry_of(registry, contract)] if contract is not None else list(registry)
    having = [entry for entry in entries if profile in entry.contract.profiles]
    if not having:
        require("profile", profile, dict.fromkeys(name for entry in entries for name in entry.contract.profiles))
    return {entry.name: profile for entry in having}


def severities_of(registry: Registry, rules: Mapping[str, Severity]) -> dict[str, Severity]:
    """Severities by the names of rules and of contracts' own checks. Raises UnknownNameError."""
    if not set(rules) <= all_rules().keys():
        known = tuple(_rule_names(registry))
        for name in rules:
            require("rule", name, known)
    for severity in rules.values():
        require("severity", severity, get_args(Severity))
    return dict(rules)


def _rule_names(registry: Registry) -> Iterator[str]:
    yield from all_rules()
    for entry in registry:
        yield from (f"{entry.name}/{check}" for check in entry.checks)
