"""A contract and its profile as an argument: ``CONTRACT[@PROFILE]``."""

from __future__ import annotations

from handoff_lsp.cli.usage import UsageError, did_you_mean
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.text.named_tuple import NamedTuple


class Named(NamedTuple):
    """A contract with one of its profiles."""

    entry: ContractEntry
    profile: str

    @property
    def spec(self) -> Spec:
        """The contract as the profile has it."""
        return self.entry.spec(self.profile)


def named(registry: Registry, name: str, command: str, others: tuple[str, ...] = ()) -> Named:
    """The contract and profile of an argument. Raises UsageError for an unknown one.

    ``others``: what the argument may name besides contracts.
    """
    contract, at, profile = name.partition("@")
    if contract not in registry:
        known = [*others, *registry.names]
        meant = did_you_mean(contract, known) or f"; known are {', '.join(known)}"
        raise UsageError(f"unknown contract `{contract}`{meant}", command)
    entry = registry[contract]
    profiles = entry.contract.profiles
    if at and profile not in profiles:
        meant = did_you_mean(profile, profiles) or f"; it has {', '.join(profiles)}"
        raise UsageError(f"the contract `{contract}` has no profile `{profile}`{meant}", command)
    return Named(entry, profile or entry.contract.default_profile)
