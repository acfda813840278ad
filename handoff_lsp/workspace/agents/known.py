"""The debts of one agent by contracts, definition and config, and the statements that they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from handoff_lsp.contracts.owed import Owed, is_excepted
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.workspace.agents.definitions import AgentDefinition
from handoff_lsp.workspace.agents.said import Said

if TYPE_CHECKING:
    from handoff_lsp.workspace.config.config_file import AgentSettings


@lazy_dataclass(frozen=True, slots=True)
class AgentOwed:
    """The debts of an agent, and the statements that they come from.

    ``owed`` is what counts. ``disagreements`` say in words where the config, the definition and the contracts differ,
    and which of them counts.
    """

    agent: str
    owed: tuple[Owed, ...]
    definition: AgentDefinition | None = None
    settings: AgentSettings | None = None
    disagreements: tuple[str, ...] = ()


def by_definition(
    name: str,
    by_contracts: Sequence[Owed],
    definition: AgentDefinition | None,
    said: Sequence[Said],
    registry: Registry,
) -> tuple[tuple[Owed, ...], tuple[str, ...]]:
    """What an agent owes by contracts and definition, and where the two disagree, in words.

    A contract that names the agent decides which handoffs it owes, and in which profiles: its definition may show
    blocks for some cases only. The definition may add a place, so that neither version is refused.
    """
    if not by_contracts:
        return _by_definition_alone(name, definition, said, registry) if definition is not None else (), ()
    owed, told = [], []
    for one in by_contracts:
        mine = [each for each in said if each.contract == one.contract]
        elsewhere = [each for each in mine if each.only_file and one.where == "message"]
        source = f"{one.known_from} and its definition ({mine[0].place})" if mine else one.known_from
        if elsewhere:
            told.append(
                f"its definition ({elsewhere[0].place}) writes the handoff to {_listed(elsewhere[0].files)}, the "
                f"contract `{one.contract}` expects it in the final message: either is accepted"
            )
            one = replace(one, where="either", files=(*one.files, *elsewhere[0].files))
        owed.append(replace(one, known_from=source))
    return tuple(owed), tuple(told)


def _by_definition_alone(
    name: str, definition: AgentDefinition, said: Sequence[Said], registry: Registry
) -> tuple[Owed, ...]:
    """What a definition says. Of several handoffs in the final message, any one will do."""
    of_contract: dict[str, list[Said]] = {}
    for one in said:
        if one.contract in registry and not is_excepted(registry[one.contract], name, definition.text):
            of_contract.setdefault(one.contract, []).append(one)
    owed = [_owed(name, contract, mine, registry) for contract, mine in of_contract.items()]
    in_message = [one for one in owed if one.where != "file"]
    others = tuple(one.contract for one in in_message[1:])
    return tuple(
        replace(one, instead=others) if in_message and one is in_message[0] else one
        for one in owed
        if one not in in_message[1:]
    )


def _owed(name: str, contract: str, said: Sequence[Said], registry: Registry) -> Owed:
    unread = str(registry[contract].data.get("unread") or "")
    profiles = tuple(dict.fromkeys(one.profile for one in said if one.profile))
    files = tuple(dict.fromkeys(path for one in said for path in one.files))
    only_file = all(one.only_file for one in said)
    return Owed(
        name,
        contract,
        profiles,
        "file" if only_file else "either" if files else "message",
        files,
        because=unread[:1].upper() + unread[1:],
        known_from=f"its definition ({said[0].place})",
    )


def against_config(settings: AgentSettings, before: Sequence[Owed], after: Sequence[Owed]) -> tuple[str, ...]:
    """Where the config disagrees with the other sources, ``before``; ``after`` is what counts."""
    if settings.returns is False:
        return tuple(f"the config says that it owes nothing, which counts; {_wanted(one)}" for one in before)
    told: list[str] = []
    counting = {one.contract: one for one in after}
    for one in before:
        mine = counting.get(one.contract)
        if mine is None:
            told.append(f"the config says that it owes `{settings.returns}`, which counts; {_wanted(one)}")
        elif settings.profile and one.profiles and settings.profile not in one.profiles:
            told.append(
                f"the profile `{settings.profile}` of the config counts; {_wanted(one)} as {_listed(one.profiles)}"
            )
        elif settings.where and settings.where != one.where:
            told.append(f"the place `{settings.where}` of the config counts; {_wanted(one)} in `{one.where}`")
    return tuple(told)


def _wanted(owed: Owed) -> str:
    return f"{owed.known_from} asks for `{owed.contract}`"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
