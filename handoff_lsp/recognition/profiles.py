"""The choice of a handoff's profile."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from handoff_lsp.contracts.model import Contract, Form, Sign
from handoff_lsp.contracts.patterns import search
from handoff_lsp.recognition.signs import is_said
from handoff_lsp.text.named_tuple import NamedTuple


class Facts(NamedTuple):
    """The facts about a handoff for evidence: its document's path, its title, its form, its names and its values.

    ``has`` answers whether a key or section is present; ``value`` returns a root field's text (None: absent).
    """

    path: str
    title: str
    form: Form
    has: Callable[[str], bool]
    value: Callable[[str], str | None]


def choose_profile(contract: Contract, given: str | None, seen: Mapping[str, int], among: Sequence[str] = ()) -> str:
    """The profile of a handoff: by evidence in it, then as given by config, then the contract's default.

    If the evidence is divided, the config's profile wins as soon as any of it is for that profile. ``among``: the
    only possible profiles, if these are known; the first one without any evidence. A handoff that names a profile in
    words, as `profile_in` says, has that one all the same: it is the wrong handoff.
    """
    if among:
        named = next((name for name in seen if contract.names_profile(name)), None)
        if named is not None:
            return named
        seen = {name: seen.get(name, 0) for name in among if name in contract.profiles}
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
        total = sum(sign.weight for sign in profile.evidence if _is_evident(sign, facts, contract))
        if name == named and contract.names_profile(name):
            total = 1
        if total:
            sums[name] = total
    return sums


def _is_evident(sign: Sign, facts: Facts, contract: Contract) -> bool:
    """Whether all that a sign names is so."""
    return (
        (sign.form is None or sign.form == facts.form)
        and (not sign.has or facts.has(sign.has))
        and (not sign.path or bool(facts.path and search(sign.path, facts.path)))
        and (not sign.title or bool(facts.title and search(sign.title, facts.title)))
        and all(
            (text := facts.value(name)) is not None and is_said(_bare(text), pattern, contract.fields.get(name))
            for name, pattern in sign.value.items()
        )
    )


def _bare(found: str) -> str:
    return found.strip(" `*_\"'")
