"""The contracts to choose from, as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from handoff_lsp.contracts.registry import Registry


class ToldProfile(NamedTuple):
    """A profile of a contract; ``default``: it applies without evidence for another one."""

    name: str
    about: str
    default: bool


class ToldContract(NamedTuple):
    """A contract and its profiles."""

    name: str
    title: str
    about: str
    profiles: tuple[ToldProfile, ...]


def contracts(registry: Registry) -> Iterator[ToldContract]:
    """The contracts of a registry."""
    for entry in registry:
        contract = entry.contract
        profiles = (
            ToldProfile(name, profile.about, name == contract.default_profile)
            for name, profile in contract.profiles.items()
        )
        yield ToldContract(entry.name, contract.title, contract.about, tuple(profiles))
