"""The contracts to choose from, as plain data."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.contracts.registry import Registry
from handoff_lsp.text.named_tuple import NamedTuple


class ListedProfile(NamedTuple):
    """A profile of a contract; ``default``: it applies without evidence for another one."""

    name: str
    about: str
    default: bool


class ListedContract(NamedTuple):
    """A contract and its profiles."""

    name: str
    title: str
    about: str
    profiles: tuple[ListedProfile, ...]


def contracts(registry: Registry) -> Iterator[ListedContract]:
    """The contracts of a registry."""
    for entry in registry:
        contract = entry.contract
        profiles = (
            ListedProfile(name, profile.about, name == contract.default_profile)
            for name, profile in contract.profiles.items()
        )
        yield ListedContract(entry.name, contract.title, contract.about, tuple(profiles))
