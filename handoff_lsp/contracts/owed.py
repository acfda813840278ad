"""What an agent owes its orchestrator, and who returned a text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase

from handoff_lsp.contracts.demands import Demands
from handoff_lsp.contracts.model import Return, ReturnPlace, ReturnTaken
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.lazy_dataclass import lazy_dataclass

# The folder or plug-in before an agent's name, and the suffixes of its definition.
_BEFORE = lazy_pattern(r".*[:/\\]")
_SUFFIX = lazy_pattern(r"(?:\.(?:agent|chatmode))?\.(?:md|markdown|toml|json|ya?ml)$")
# A name without the signs of a pattern.
_PLAIN = lazy_pattern(r"[\w-]*")


@lazy_dataclass(frozen=True, slots=True)
class Owed:
    """A handoff that an agent owes: its contract and profiles, and where its reader looks for it.

    ``if_written``: its run may end without the file. ``accepts``: a pattern of other messages that pay the debt.
    ``known_from`` says in words where that is known, such as ``the contract `result-envelope```. ``must`` and
    ``never`` are the paths of fields that the agent must and must not fill in, beyond the contract's own requirements.
    """

    agent: str
    contract: str
    profiles: tuple[str, ...] = ()
    where: ReturnPlace = "message"
    files: tuple[str, ...] = ()
    if_written: bool = False
    takes: ReturnTaken = "any"
    at_end: bool = False
    instead: tuple[str, ...] = ()
    accepts: str = ""
    must: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    because: str = ""
    known_from: str = ""

    @property
    def contracts(self) -> tuple[str, ...]:
        """The contracts of which a handoff pays the debt, the owed one first."""
        return (self.contract, *self.instead)

    @property
    def demands(self) -> Demands | None:
        """The config's demands on the handoff; None without any."""
        return Demands(self.agent, self.must, self.never) if self.must or self.never else None

    @property
    def in_message(self) -> bool:
        """Whether the final message must have it."""
        return self.where in {"message", "both"}

    @property
    def in_file(self) -> bool:
        """Whether a file must have it."""
        return self.where in {"file", "both"}


@lazy_dataclass(frozen=True, slots=True)
class Returned:
    """An agent that returned a text, and what it owes there.

    ``earlier``: its earlier messages, where its reader does not look, the oldest first. ``cut_off``: the text is known
    to end before its agent was done.
    """

    agent: str
    owed: tuple[Owed, ...]
    earlier: tuple[str, ...] = ()
    cut_off: bool = False

    def profiles(self, contract: str) -> tuple[str, ...]:
        """The profiles among which the evidence decides for handoffs of a contract; empty for all of them."""
        return next((one.profiles for one in self.owed if one.contract == contract), ())

    def demands(self, contract: str) -> Demands | None:
        """The config's demands on handoffs of a contract; None without any."""
        return next((one.demands for one in self.owed if one.contract == contract), None)


def agent_name(name: str) -> str:
    """An agent's name as it is compared: without a plug-in's name, a folder or the suffix of its definition."""
    bare = _BEFORE.sub("", name.strip().casefold())
    return _SUFFIX.sub("", bare).replace("_", "-").replace(" ", "-")


def owed_by_contracts(
    registry: Registry, agent: str, definition: Callable[[], str | None] = lambda: None
) -> Iterator[Owed]:
    """What an agent owes by the contracts. ``definition`` returns the text of its definition, None without one."""
    name = agent_name(agent)
    if not name:
        return
    for entry in registry:
        for returned in returns_of(entry):
            if _is_named(name, returned.agents) and not _is_named(name, returned.unless):
                if _is_defined(returned, definition):
                    yield owed_of(returned, entry, name)


@once_per_field
def returns_of(entry: ContractEntry) -> tuple[Return, ...]:
    """The entries of ``returns`` of a contract, without building the rest of it."""
    return tuple(Return(**data) for data in (entry.part("returns") or {}).values())


def owed_of(returned: Return, entry: ContractEntry, agent: str) -> Owed:
    """What one of the agents of an entry owes."""
    own = tuple(name for name in (agent, agent.removesuffix("-agent")) if name in (entry.data.get("profiles") or ()))
    return Owed(
        agent,
        entry.name,
        profiles=tuple(returned.profiles) or own[:1],
        where=returned.where,
        files=tuple(returned.files),
        if_written=returned.if_written,
        takes=returned.takes,
        at_end=returned.at_end,
        instead=tuple(returned.instead),
        accepts=returned.accepts,
        because=returned.because,
        known_from=f"the contract `{entry.name}`",
    )


def is_excepted(entry: ContractEntry, agent: str, definition: str) -> bool:
    """Whether a contract says that an agent owes nothing, by its name or by the text of its definition."""
    name = agent_name(agent)
    return any(
        _is_named(name, returned.unless)
        or bool(returned.unless_definition and search(returned.unless_definition, definition))
        for returned in returns_of(entry)
    )


def _is_defined(returned: Return, definition: Callable[[], str | None]) -> bool:
    """Whether an agent's definition, which is read only if it matters, is one of those that owe a return."""
    if not returned.definition and not returned.unless_definition:
        return True
    text = definition()
    if text is None:
        return not returned.definition
    wanted = not returned.definition or search(returned.definition, text)
    return bool(wanted) and not (returned.unless_definition and search(returned.unless_definition, text))


def _is_named(name: str, patterns: list[str]) -> bool:
    folded = [pattern.casefold().replace("_", "-").replace(" ", "-") for pattern in patterns]
    return name in folded or any(fnmatchcase(name, one) for one in folded if not _PLAIN.fullmatch(one))
