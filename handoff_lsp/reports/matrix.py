"""Makes the matrix of a pack from what its prompts say, from handoffs and from findings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from handoff_lsp.contracts.kinds import Kind
from handoff_lsp.contracts.owed import agent_name
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.prompts.pack import Pack
from handoff_lsp.prompts.statement import PromptStatement, PromptStatements
from handoff_lsp.prompts.vocabulary import ContractWords, KnownField, vocabulary_of
from handoff_lsp.reports.make import range_of
from handoff_lsp.reports.pack import (
    ContractMatrix,
    Drift,
    MatrixRow,
    PackEdge,
    PackReport,
    PromptPlace,
    PromptRow,
)
from handoff_lsp.reports.report import Finding, Handoff, Position, Range
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.text import Source
from handoff_lsp.text.named_tuple import NamedTuple

# The most edges of one field: the speakers that emit a value times those that handle it can be very many.
MOST_EDGES = 5_000

# A list of values up to this is short: each of them has a row.
_SHORT = 12

# A field and a value of it, empty for the field itself.
_Key = tuple[str, str]
_COLUMNS = {"emits": "emitted", "handles": "handled", "mentions": "documented", "forbids": "forbidden"}


class ReadPrompt(NamedTuple):
    """A prompt with its text. ``path`` is spelled as in reports."""

    said: PromptStatements
    source: Source
    path: str


class SeenIn:
    """Counts the fields and values in real handoffs, of reports one after another."""

    def __init__(self) -> None:
        self.handoffs: Counter[str] = Counter()
        self._counts: dict[str, Counter[_Key]] = defaultdict(Counter)

    def add(self, handoffs: Iterable[Handoff]) -> None:
        """Count the handoffs of one document; templates and examples do not count."""
        for handoff in handoffs:
            if handoff.mode == "handoff":
                self.handoffs[handoff.contract] += 1
                self._counts[handoff.contract].update(set(_stated(handoff.fields)))

    def of(self, contract: str) -> Counter[_Key]:
        """The numbers of handoffs of a contract that have a field, or a value of it."""
        return self._counts[contract]


def is_about_prompts(rule: str) -> bool:
    """Whether the findings of a rule are about prompts."""
    known = all_rules().get(rule)
    return known is not None and known.group == "prompts"


def pack_report(
    root: str,
    prompts: Sequence[ReadPrompt],
    contract_of: Callable[[str], ContractEntry | None],
    seen: SeenIn,
    findings: Iterable[Finding],
    kinds: Mapping[str, Kind],
) -> PackReport:
    """The report of a pack.

    ``contract_of`` knows the contracts that prompts are about, ``kinds`` the kinds of names in them; ``findings`` are
    those about the prompts, and may have others among them.
    """
    about = tuple(finding for finding in findings if is_about_prompts(finding.rule))
    said_by = {id(one.said): one for one in prompts}
    drifted = Counter(finding.path for finding in about)
    pack = Pack([one.said for one in prompts])
    names = {one.said.path: one.path for one in prompts}
    rows = tuple(
        PromptRow(
            one.path,
            one.said.name_of(one.said.speaker),
            one.said.speaker.kind,
            one.said.contracts,
            tuple(dict.fromkeys(names[other.path] for other in pack.referred_by(one.said))),
            drifted[one.path],
        )
        for one in prompts
    )
    matrices: list[ContractMatrix] = []
    edges: list[PackEdge] = []
    for name in sorted({contract for one in prompts for contract in one.said.contracts}):
        entry = contract_of(name)
        told = [
            (said_by[id(said.by)], said.statement)
            for (contract, _), found in pack.said.items()
            for said in found
            if contract == name
        ]
        if entry is not None and told:
            matrices.append(_matrix(entry, told, seen, about))
            edges += _edges(matrices[-1], entry, kinds)
    matrices.sort(key=lambda one: (-one.drift, -one.prompts, one.contract))
    return PackReport(root, rows, tuple(matrices), tuple(edges), about)


def _matrix(
    entry: ContractEntry, told: list[tuple[ReadPrompt, PromptStatement]], seen: SeenIn, findings: Sequence[Finding]
) -> ContractMatrix:
    words = vocabulary_of(entry)
    places: dict[_Key, dict[str, list[PromptPlace]]] = defaultdict(lambda: defaultdict(list))
    keys_at: dict[str, list[tuple[Range, _Key]]] = defaultdict(list)
    for read, one in told:
        key = (one.path or one.label, one.value)
        place = PromptPlace(
            read.path, read.said.name_of(one.speaker), one.speaker.kind, range_of(read.source, one.span)
        )
        places[key][_COLUMNS[one.act]].append(place)
        keys_at[read.path].append((place.range, key))
    drift: dict[_Key, list[Drift]] = defaultdict(list)
    for finding in findings:
        for key in _keys_of(finding, keys_at[finding.path]):
            drift[key].append(Drift(finding.rule, finding.severity, finding.message, finding.path, finding.range))
    counts, status = seen.of(entry.name), entry.contract.status
    rows = [
        MatrixRow(
            field=field,
            value=value,
            known=value in words.marks[field]
            if field in words.marks
            else field in words.fields and (not value or value in words.fields[field].values),
            **{column: tuple(places[field, value][column]) for column in _COLUMNS.values()},
            seen=counts[field, value],
            drift=tuple(drift[field, value]),
        )
        for field, value in _ordered(words, status, places)
    ]
    documents = {read.path for read, _ in told}
    return ContractMatrix(
        entry.name, entry.contract.title, status, len(documents), seen.handoffs[entry.name], tuple(rows)
    )


def _keys_of(finding: Finding, at: list[tuple[Range, _Key]]) -> list[_Key]:
    """The rows that a finding is about: that of the statement at its place, else of the field with the values there."""
    exact = [key for place, key in at if place == finding.range]
    if exact:
        return exact[:1]
    first, last = _pair(finding.range.start), _pair(finding.range.end)
    within = [key for place, key in at if first <= _pair(place.start) and _pair(place.end) <= last]
    if len(set(within)) == 1:
        return within[:1]
    return list(dict.fromkeys((field, "") for field, _ in within if field == (finding.field or field)))


def _pair(position: Position) -> tuple[int, int]:
    return position.line, position.column


def _ordered(words: ContractWords, status: str, places: Mapping[_Key, Any]) -> Iterator[_Key]:
    """The rows in the order of the contract, the status first; what it does not have comes last, as it was found."""
    order = {path: number for number, path in enumerate(words.fields)}
    named = dict.fromkeys(field for field, _ in places)
    for field in sorted(named, key=lambda path: (path != status, order.get(path, len(order)))):
        if field not in words.marks:
            yield field, ""
        known: KnownField | None = words.fields.get(field)
        said = [value for path, value in places if path == field and value]
        values = list(known.values) if known is not None and said else []
        # Of a long list of which hardly anything is said, the rest is left out.
        if len(values) > _SHORT and 2 * len(set(values) & set(said)) < len(values):
            values = [value for value in values if value in said]
        yield from ((field, value) for value in dict.fromkeys([*values, *said]))


def _edges(matrix: ContractMatrix, entry: ContractEntry, kinds: Mapping[str, Kind]) -> Iterator[PackEdge]:
    """Who handles the status that others emit, and the next agents that they name."""
    found: dict[tuple[str, str, str], list[MatrixRow]] = {}
    routes = entry.contract.overview.next_agent
    known = vocabulary_of(entry).fields
    for row in matrix.rows:
        senders = dict.fromkeys(place.speaker for place in row.emitted)
        receivers: Iterable[str] = ()
        if row.value and row.field == matrix.status:
            receivers = dict.fromkeys(place.speaker for place in row.handled)
        elif row.value and row.field in routes and row.field in known:
            kind = kinds.get(known[row.field].field.names)
            receivers = (agent_name(row.value),) if kind is None or not kind.is_word(row.value) else ()
        for sender, receiver in product(senders, receivers):
            key = (row.field, sender, receiver)
            if sender != receiver and (key in found or len(found) < MOST_EDGES):
                found.setdefault(key, []).append(row)
    for (field, sender, receiver), rows in sorted(
        found.items(), key=lambda item: (item[0][0] != matrix.status, item[0])
    ):
        own = {place.path for row in rows for place in row.places if place.speaker in (sender, receiver)}
        yield PackEdge(
            "status" if field == matrix.status else "route",
            sender,
            receiver,
            matrix.contract,
            field,
            tuple(row.value for row in rows),
            tuple(one for row in rows for one in row.drift if one.path in own),
        )


def _stated(fields: Mapping[str, Any], before: str = "") -> Iterator[_Key]:
    """The fields of a handoff with their values, by their dotted paths."""
    for name, value in fields.items():
        path = f"{before}{name}"
        yield path, ""
        if isinstance(value, Mapping):
            yield from _stated(value, f"{path}.")
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str) and one:
                yield path, one
