"""The choice of a handoff's profile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from handoff_lsp.contracts.model import Contract, Form, ProfileEvidence
from handoff_lsp.contracts.patterns import match_whole, search


class Facts(NamedTuple):
    """The facts about a handoff for evidence: its document's path, its title, its form, its names and its values.

    ``has`` answers whether a key or section is present; ``value`` returns a root field's text (None: absent).
    """

    path: str
    title: str
    form: Form
    has: Callable[[str], bool]
    value: Callable[[str], str | None]


def choose_profile(contract: Contract, given: str | None, seen: Mapping[str, int]) -> str:
    """The profile of a handoff: by evidence in it, then as given by config, then the contract's default.

    If the evidence is divided, the config's profile wins as soon as any of it is for that profile.
    """
    if given in contract.profiles and (not seen or seen.get(given, 0) > 0):
        return given
    if seen:
        return max(seen, key=lambda name: seen[name])
    return contract.default_profile


def evidence(contract: Contract, facts: Facts) -> dict[str, int]:
    """For each profile, the sum of the evidence for it."""
    sums: dict[str, int] = {}
    said = facts.value(contract.profile_in) if contract.profile_in else None
    named = _bare(said) if said is not None else ""
    for name, profile in contract.profiles.items():
        total = sum(item.weight for item in profile.evidence if _is_evident(item, facts))
        if name == named and contract.names_profile(name):
            total = 1
        if total:
            sums[name] = total
    return sums


def _is_evident(item: ProfileEvidence, facts: Facts) -> bool:
    """Whether all conditions of a piece of evidence hold."""
    return (
        (item.form is None or item.form == facts.form)
        and (not item.has or facts.has(item.has))
        and (not item.path or bool(facts.path and search(item.path, facts.path)))
        and (not item.title or bool(facts.title and search(item.title, facts.title)))
        and (not item.value or all(_says(facts.value(name), pattern) for name, pattern in item.value.items()))
    )


def _says(found: str | None, pattern: str) -> bool:
    return found is not None and match_whole(pattern, _bare(found)) is not None


def _bare(found: str) -> str:
    return found.strip(" `*_\"'")
