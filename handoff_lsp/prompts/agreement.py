"""What the prompts of a workspace say about one field: who lists its values, who writes and who reads them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from handoff_lsp.contracts.names import key_name
from handoff_lsp.prompts.statement import Enumeration, ListedBy, PromptStatements, SaidBy, Speaker
from handoff_lsp.text.named_tuple import NamedTuple

# The path of a document, and who of it speaks.
Voice: TypeAlias = tuple[str, Speaker]

# A list of so many values of a field is one, if they are so great a part of it.
_ENOUGH = 2


class ValueList(NamedTuple):
    """One who lists the values of a field: the longest list, and all values that the same one has anywhere.

    ``values`` as they are compared; without those that are never to be written.
    """

    by: PromptStatements
    enumeration: Enumeration
    values: frozenset[str]

    @property
    def voice(self) -> Voice:
        """Who lists them."""
        return self.by.path, self.enumeration.speaker


class FieldInPack:
    """One field in all prompts. ``known``: the values of the contract, for there is no list without them."""

    def __init__(self, said: Sequence[SaidBy], listed: Sequence[ListedBy], known: Collection[str]) -> None:
        self._said = said
        self._listed = listed
        self._known = frozenset(known)

    @cached_property
    def _values(self) -> Mapping[Voice, frozenset[str]]:
        """The values by those who have them."""
        found: dict[Voice, set[str]] = {}
        for by, one in self._said:
            if one.value and one.act != "forbids":
                found.setdefault((by.path, one.speaker), set()).add(key_name(one.value))
        for by, enumeration in self._listed:
            if is_list(enumeration, self._known):
                found.setdefault((by.path, enumeration.speaker), set()).update(map(key_name, enumeration.values))
        return {voice: frozenset(values) for voice, values in found.items()}

    @cached_property
    def lists(self) -> Mapping[Voice, ValueList]:
        """The lists of the values, by those who have them."""
        found: dict[Voice, ListedBy] = {}
        for one in self._listed:
            if is_list(one.enumeration, self._known):
                voice = (one.by.path, one.enumeration.speaker)
                other = found.get(voice)
                if other is None or len(set(one.enumeration.values)) > len(set(other.enumeration.values)):
                    found[voice] = one
        return {voice: ValueList(*one, self._values[voice]) for voice, one in found.items()}

    @cached_property
    def descriptions(self) -> Sequence[ValueList]:
        """Those of them that describe what is written: of pages, skills and templates."""
        return [one for one in self.lists.values() if describes(one.enumeration)]

    def is_own(self, value: str) -> bool:
        """Whether a description lists a value and a document of another name has it, too, both as it is written.

        Skills are all named ``SKILL.md``: their folders count as well. Copies for several tools are one document.
        """
        having = {_end(by.path) for by, one in self._said if one.value == value and one.act != "forbids"}
        lists = [each for each in self._listed if value in each.enumeration.values]
        having.update(_end(each.by.path) for each in lists)
        return len(having) > 1 and any(
            describes(each.enumeration) and is_list(each.enumeration, self._known) for each in lists
        )

    @cached_property
    def reactions(self) -> Sequence[ValueList]:
        """Those of them that read it: orchestrators and commands."""
        lists = (one for one in self.lists.values() if one.enumeration.speaker.kind == "orchestrator")
        return [one for one in lists if one.enumeration.act != "emits"]

    @cached_property
    def readers(self) -> Sequence[ValueList]:
        """Those of them that are no agents."""
        return [one for one in self.lists.values() if one.enumeration.speaker.kind != "agent"]

    @cached_property
    def handled(self) -> frozenset[str]:
        """The values that any orchestrator has, or another prompt reads, as they are compared."""
        read = (key_name(one.value) for _, one in self._said if one.value and one.act == "handles")
        return self._values_of("orchestrator").union(read)

    @cached_property
    def written(self) -> frozenset[str]:
        """The values that any agent, skill or template has, as they are compared."""
        return self._values_of("agent", "skill", "template")

    @cached_property
    def lists_of_agents(self) -> Mapping[frozenset[str], Sequence[ValueList]]:
        """The lists of what agents write, by their values as these are compared."""
        found: dict[frozenset[str], list[ValueList]] = {}
        for one in self.lists.values():
            if one.enumeration.speaker.kind == "agent" and one.enumeration.act == "emits":
                found.setdefault(frozenset(map(key_name, one.enumeration.values)), []).append(one)
        return found

    def _values_of(self, *kinds: str) -> frozenset[str]:
        return frozenset().union(*(values for (_, speaker), values in self._values.items() if speaker.kind in kinds))


def _end(path: str) -> str:
    return "/".join(path.split("/")[-2:])


def describes(one: Enumeration) -> bool:
    """Whether a list says what others may write."""
    return one.speaker.kind in {"page", "skill", "template"}


def is_list(one: Enumeration, known: Collection[str]) -> bool:
    """Whether an enumeration lists values of a field: two known ones or more, and half of it."""
    values = set(one.values)
    number = sum(value in known for value in values)
    # A notation that shows several values at once shows which ones there are, also beside words of warning.
    return number >= _ENOUGH and 2 * number >= len(values) and (one.act != "forbids" or one.notation == "skeleton")
