"""The names in a document: agents, tasks, changes and every other kind that its contracts define."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import is_placeholder, trim
from handoff_lsp.contracts.kinds import Kind
from handoff_lsp.contracts.model import Definition, Field
from handoff_lsp.contracts.patterns import find_all
from handoff_lsp.text import Source, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# A longer text is not a name (code points).
MAX_NAME = 300
# Signs allowed around a name that is a whole value.
_AROUND = " \t\r\n`*_\"'"

_JOINS = lazy_pattern(r"[\w-]")

# How certain a mention is, and how close to the origin of its name.
INTRODUCED, NAMED, WRITTEN, IN_PATH, OCCURS = range(5)


class Mention(NamedTuple):
    """A name as written. ``kind`` is a key of its contract's ``definitions``, such as ``agents``.

    ``key`` is the form for comparison, empty if no kinds were given. ``rank`` is one of the numbers above;
    a text that only ``OCCURS`` is a name if a field of any document names it. ``escaped``: it is in a JSON string.
    ``field`` is the field that holds it, None outside of fields.
    """

    kind: str
    name: str
    span: Span
    key: str = ""
    rank: int = NAMED
    escaped: bool = False
    field: Field | None = None


def mentions_of(handoffs: Iterable[Handoff], kinds: Mapping[str, Kind] | None = None) -> Iterator[Mention]:
    """The names in the handoffs of a document, in order and each place once. Spans are in code points of the document.

    An example has no names: it describes the format.
    ``kinds`` are those of the registry (``kinds_of``).
    """
    found: dict[tuple[str, Span], Mention] = {}
    for handoff in handoffs:
        for mention in _of_handoff(handoff) if handoff.mode != "example" else ():
            _add(found, mention, kinds)
    yield from sorted(found.values(), key=_place)


def all_mentions(source: Source, handoffs: Iterable[Handoff], kinds: Mapping[str, Kind]) -> list[Mention]:
    """The names in a document: in its handoffs, and in every path that it contains."""
    found: dict[tuple[str, Span], Mention] = {}
    for mention in mentions_of(handoffs, kinds):
        found[mention.kind, mention.span] = mention
    for mention in names_in_path(source.text, kinds.values()):
        _add(found, mention, kinds)
    return sorted(found.values(), key=_place)


def names_in_path(text: str, kinds: Iterable[Kind]) -> Iterator[Mention]:
    """The names that are parts of paths in a text, such as that of a change in ``changes/NAME/proposal.md``."""
    for kind in kinds:
        for pattern in kind.in_paths:
            yield from _mentions(pattern, text, 0, kind.name, IN_PATH)


def names_of_paths(definition: Definition, paths: Iterable[str]) -> Iterator[str]:
    """The names in some paths, found by the patterns of one definition."""
    for path in paths:
        for pattern in definition.in_paths:
            for match in find_all(pattern, path):
                start, end = match.groups.get("name", (0, 0))
                name = path[start:end]
                if name and name not in definition.not_in_paths:
                    yield name


def _add(found: dict[tuple[str, Span], Mention], mention: Mention, kinds: Mapping[str, Kind] | None) -> None:
    """Add a mention unless it means "no name" or a more certain one has its place."""
    kind = kinds.get(mention.kind) if kinds is not None else None
    if kind is not None:
        if kind.is_word(mention.name, in_path=mention.rank == IN_PATH):
            return
        mention = mention._replace(key=kind.key(mention.name))
    known = found.get((mention.kind, mention.span))
    if known is None or mention.rank < known.rank:
        found[mention.kind, mention.span] = mention


def _of_handoff(handoff: Handoff) -> Iterator[Mention]:
    for slot in handoff.to_judge:
        if slot.field.names:
            yield from names_in_slot(handoff, slot)
    text = handoff.source.text[handoff.span.start : handoff.span.end]
    escaped = handoff.body.quoted
    for kind, definition in handoff.spec.contract.definitions.items():
        for rank, patterns in ((WRITTEN, definition.written), (OCCURS, definition.occurs)):
            for pattern in patterns:
                for mention in _mentions(pattern, text, handoff.span.start, kind, rank):
                    yield mention._replace(escaped=escaped)


def names_in_slot(handoff: Handoff, slot: Slot) -> Iterator[Mention]:
    """The names in the value of a field. A placeholder has no names."""
    span = slot.value or (slot.key if slot.name.endswith("]") else None)
    if span is None or (slot.problem is not None and slot.problem.kind == "placeholder"):
        return
    text, kind = handoff.source.text, slot.field.names
    escaped = handoff.body.quoted and text[span.start : span.start + 1] == '"'
    start, end = span.start, span.end
    if escaped:
        start, end = start + 1, end - (text[end - 1] == '"' and end - 1 > start)
    rank = INTRODUCED if slot.field.introduces else NAMED
    if slot.field.naming and not (escaped and "\\" in text[start:end]):
        for pattern in slot.field.naming:
            names = list(_mentions(pattern, text[start:end], start, kind, rank))
            yield from (mention._replace(escaped=escaped, field=slot.field) for mention in names)
            if names:
                return
        return
    if not escaped:
        start, end = trim(text, start, end, _AROUND)
    name = slot.data if escaped and isinstance(slot.data, str) else text[start:end]
    if _is_name(name) and name.casefold() not in handoff.spec.empty_words:
        yield Mention(kind, name, Span(start, end), rank=rank, escaped=handoff.body.quoted, field=slot.field)


def _mentions(pattern: str, text: str, base: int, kind: str, rank: int) -> Iterator[Mention]:
    for match in find_all(pattern, text):
        start, end = trim(text, *match.groups.get("name", (0, 0)))
        if rank == OCCURS and (_JOINS.match(text, end) or (start > 0 and _JOINS.match(text, start - 1))):
            continue  # a part of a longer word
        name = text[start:end]
        if _is_name(name):
            yield Mention(kind, name, Span(base + start, base + end), rank=rank)


def _is_name(text: str) -> bool:
    return 0 < len(text) <= MAX_NAME and "\n" not in text and "\r" not in text and not is_placeholder(text)


def _place(mention: Mention) -> tuple[int, int, int]:
    return mention.span.start, mention.span.end, mention.rank
