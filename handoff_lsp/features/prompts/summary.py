"""What a prompt does with the values of a contract, and who does the other half: for its lens and its page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.features.context import Context
from handoff_lsp.features.prompts.pack_around import InPack
from handoff_lsp.prompts.statement import Act, SaidBy
from handoff_lsp.prompts.vocabulary import vocabulary_of
from handoff_lsp.text.lazy_dataclass import lazy_dataclass


@lazy_dataclass(frozen=True)
class PromptSummary:
    """What one prompt says about one contract. ``status``: the path of the field that the lens is about."""

    entry: ContractEntry
    here: InPack
    status: str

    @cached_property
    def acts(self) -> Mapping[tuple[str, str], Sequence[Act]]:
        """What the prompt does with each field and value that it names, in the contract's order, then the text's."""
        found: dict[tuple[str, str], list[Act]] = {}
        fields = vocabulary_of(self.entry).fields
        for one in self.here.said.statements:
            if one.contract == self.entry.name and one.path in fields and one.value:
                acts = found.setdefault((one.path, one.value), [])
                if one.act not in acts:
                    acts.append(one.act)
        order = {path: number for number, path in enumerate(fields)}
        places = {(path, value): number for path in fields for number, value in enumerate(fields[path].values)}
        return dict(
            sorted(
                found.items(),
                key=lambda item: (item[0][0] != self.status, order[item[0][0]], places.get(item[0], len(places))),
            )
        )

    @property
    def title(self) -> str:
        """The written name of that field."""
        return vocabulary_of(self.entry).fields[self.status].field.title or self.status

    @property
    def has_status(self) -> bool:
        """Whether the contract has a status."""
        return bool(self.entry.contract.status)

    def values(self, act: Act) -> list[str]:
        """The values of the status with which the prompt does something."""
        return [value for (path, value), acts in self.acts.items() if path == self.status and act in acts]

    def others(self, act: Act, path: str, values: Iterable[str]) -> list[str]:
        """The other prompts that do something with one of some values of a field, by their names."""
        wanted = frozenset(values)
        found = (
            said.by.name_of(said.statement.speaker)
            for said in self._said(path)
            if said.statement.act == act and said.statement.value in wanted and said.by.path != self.here.said.path
        )
        return list(dict.fromkeys(found))

    def nobody(self, act: Act, path: str, values: Iterable[str]) -> list[str]:
        """Those of some values with which no prompt does something, if prompts do it with others of the field."""
        there = {said.statement.value for said in self._said(path) if said.statement.act == act} - {""}
        return [value for value in values if value not in there] if there else []

    def knows(self, path: str, value: str) -> bool:
        """Whether the contract has a value."""
        return value in vocabulary_of(self.entry).fields[path].values

    def _said(self, path: str) -> Sequence[SaidBy]:
        return self.here.pack.said.get((self.entry.name, path), ())


def summaries(context: Context, here: InPack) -> list[PromptSummary]:
    """What a prompt says about each contract of which it names values, the one with the most statements first."""
    found = []
    for name in here.said.contracts:
        entry = context.registry[name]
        told = here.said.statements
        fields = vocabulary_of(entry).fields
        paths = [one.path for one in told if one.contract == name and one.value and one.path in fields and one.sure]
        if paths:
            status = entry.contract.status
            found.append(
                (len(paths), PromptSummary(entry, here, status if status in paths else max(paths, key=paths.count)))
            )
    return [one for _, one in sorted(found, key=lambda item: -item[0])]
