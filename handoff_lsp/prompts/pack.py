"""The prompts of a workspace together, so that one can be compared with the others."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

from handoff_lsp.contracts.names import key_name
from handoff_lsp.prompts.agreement import FieldInPack, describes
from handoff_lsp.prompts.statement import ListedBy, PromptStatements, SaidBy
from handoff_lsp.text import Source, Span
from handoff_lsp.text.named_tuple import NamedTuple

# A list of so many fields shows how a workspace writes a handoff, and so many documents with one show its habit.
_ENOUGH_FIELDS, _ENOUGH_LISTS = 4, 3


class StatementPlace(NamedTuple):
    """The place of a statement or an enumeration. ``name``: its document's path from the folder of the asking one."""

    name: str
    source: Source
    span: Span


def _end(path: str) -> str:
    """The end of a path: copies of a document for several tools have the same one."""
    return "/".join(path.split("/")[-2:])


class Pack:
    """The statements of all prompts of a workspace, in the order of their paths. Equal for equal statements."""

    def __init__(self, documents: Sequence[PromptStatements]) -> None:
        self.documents: tuple[PromptStatements, ...] = tuple(documents)
        self._fields: dict[tuple[str, str, tuple[str, ...]], FieldInPack] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pack) and self.documents == other.documents

    def __hash__(self) -> int:
        return hash(self.documents)

    def with_document(self, document: PromptStatements) -> Pack:
        """The pack with another version of a document; itself if that says the same."""
        if self.at.get(document.path) == document:
            return self
        others = (one for one in self.documents if one.path != document.path)
        return Pack(sorted((*others, document), key=lambda one: one.path))

    @cached_property
    def at(self) -> Mapping[str, PromptStatements]:
        """The documents by their paths."""
        return {one.path: one for one in self.documents}

    @cached_property
    def _named(self) -> Mapping[str, Sequence[PromptStatements]]:
        """The documents by the last parts of their paths."""
        found: dict[str, list[PromptStatements]] = {}
        for one in self.documents:
            found.setdefault(one.path.rpartition("/")[2], []).append(one)
        return found

    def field(self, contract: str, path: str, known: Collection[str]) -> FieldInPack:
        """What all of them say about a field with ``known`` values: computed once."""
        key = (contract, path, tuple(known))
        if key not in self._fields:
            about = (contract, path)
            self._fields[key] = FieldInPack(self.said.get(about, ()), self.listed.get(about, ()), known)
        return self._fields[key]

    @cached_property
    def said(self) -> Mapping[tuple[str, str], Sequence[SaidBy]]:
        """The statements by contract and path of the field."""
        found: dict[tuple[str, str], list[SaidBy]] = {}
        for document in self.documents:
            for one in document.statements:
                found.setdefault((one.contract, one.path), []).append(SaidBy(document, one))
        return found

    @cached_property
    def listed(self) -> Mapping[tuple[str, str], Sequence[ListedBy]]:
        """The enumerations by contract and path of the field; those of fields have an empty path."""
        found: dict[tuple[str, str], list[ListedBy]] = {}
        for document in self.documents:
            for one in document.enumerations:
                found.setdefault((one.contract, one.path), []).append(ListedBy(document, one))
        return found

    def leaves_out(self, contract: str, path: str) -> bool:
        """Whether most documents that list the fields of a contract do so without one of them: three at least."""
        without: dict[str, bool] = {}
        for by, one in self.listed.get((contract, ""), ()):
            known = {item.path for item in one.items if item.path}
            if len(known) >= _ENOUGH_FIELDS:
                without[_end(by.path)] = without.get(_end(by.path), False) or path not in known
        return sum(without.values()) >= _ENOUGH_LISTS and 2 * sum(without.values()) > len(without)

    def describes_field(self, contract: str, label: str, besides: str) -> bool:
        """Whether a page, skill or template other than ``besides`` lists a field that the contract does not have."""
        return any(
            by.path != besides
            and describes(one)
            and one.notation != "skeleton"
            and any(not item.path and key_name(item.label) == key_name(label) for item in one.items)
            for by, one in self.listed.get((contract, ""), ())
        )

    def referred_by(self, document: PromptStatements) -> Iterator[PromptStatements]:
        """The prompts that a document sends its reader to, by the ends of their paths."""
        for written in document.refers:
            parts = written.replace("\\", "/").lstrip("~./").split("/")
            # What comes before may be another program's folder, or a placeholder.
            candidates = self._named.get(parts[-1], ())
            for length in range(len(parts) if candidates else 0, 0, -1):
                end = "/".join(parts[-length:])
                named = [one for one in candidates if one.path == end or one.path.endswith(f"/{end}")]
                if named:
                    yield from (one for one in named if one.path != document.path)
                    break
