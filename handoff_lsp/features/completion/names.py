"""Completion of names of agents, tasks, changes and the like: those that files define, and those written elsewhere."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.names import key_name
from handoff_lsp.contracts.patterns import find_all
from handoff_lsp.features.completion.item import CompletionItem, Offer, make_edit
from handoff_lsp.features.completion.markdown.line import CursorLine
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.workspace_pages import name_key
from handoff_lsp.names.mentions import INTRODUCED, OCCURS
from handoff_lsp.rules.rule import times
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.workspace.project import Project
from handoff_lsp.writing.skeleton import Skeleton, escape_snippet

# The most names of other documents to offer, and their greatest length (code points).
_MOST_WRITTEN = 200
_LONGEST = 80
# How long (in seconds) the names in other documents are cached.
_KNOWN_FOR = 2.0

_NAME_BEFORE = lazy_pattern(r"[\w+-]*\Z")
_NAME_AFTER = lazy_pattern(r"[\w+-]*")
_PART = lazy_pattern(r"[\w-]+")
# A stand-in for a name before its first letter is typed.
_ANY = "name"


def names_of(handoff: Handoff, kind: str, context: Context, offset: int, usual: str = "") -> list[Offer]:
    """The names of a kind, each once: defined by files, declared without a file, or written elsewhere.

    ``usual``: the usual name in this place. It comes first, after the defined ones that may mean the same.
    """
    known = context.project.kinds(context.full).get(kind)
    found: dict[str, Offer] = {}
    for offer in _every(handoff, kind, context, offset):
        # Words for no name have no page, and no spelling of their own.
        key = known.key(offer.word) if known is not None and offer.key else offer.word
        found.setdefault(key, offer)
    if not usual or known is None:
        return list(found.values())
    next_key = known.key(usual)

    def rank(key: str) -> int:
        alike = bool(found[key].key) and known.same(key, next_key)
        return 0 if alike and _is_defined(found[key]) else 1 if key == next_key else 2 if alike else 3

    return [found[key] for key in sorted(found, key=rank)]


_DEFINED = "defined in the workspace"


def _is_defined(offer: Offer) -> bool:
    return offer.detail.endswith(_DEFINED)


def _every(handoff: Handoff, kind: str, context: Context, offset: int) -> Iterator[Offer]:
    """The names of a kind in all their spellings, the best spelling first."""
    definition = handoff.spec.contract.definitions.get(kind)
    known = context.project.kinds(context.full).get(kind)
    about = (known.about if known is not None else definition.about if definition is not None else "") or kind
    every = _written(kind, context, offset)
    written = {name: count for name, count, _ in every}
    inside = {name for name, _, introduced in every if introduced and known is not None and known.inside}
    defined: set[str] = set()
    if known is not None and context.full:
        defined = set(context.project.defining(context.full, known))
    elif definition is not None and definition.files:
        defined = set(handoff.around.defined(definition.files, definition.naming))
    for name in sorted(defined):
        # In the spelling of other documents or of the contract, which may leave out an ending.
        key = known.key(name) if known is not None else name
        spellings = [*written, *(definition.also if definition is not None else ())]
        spelled = next((word for word in spellings if known is not None and known.key(word) == key), name)
        yield Offer(spelled, f"{about}, {_DEFINED}", name_key(kind, spelled), "name")
    if definition is not None:
        for value in definition.values:
            yield Offer(value.value, value.about or about, name_key(kind, value.value), "name")
        for name in definition.also:
            yield Offer(name, about, name_key(kind, name), "name")
        # A contract that lists the names itself also lists the words for no name.
        words = definition.words if definition.values or definition.also else []
        parts = {part for word in words if " " in word for part in _PART.findall(word)}
        for name in words:
            if name not in parts:
                yield Offer(name, f"no {about}", "", "name")
    for name, count in sorted(written.items(), key=lambda entry: entry[0] not in inside):
        if name in inside:
            yield Offer(name, f"{about}, {_DEFINED}", name_key(kind, name), "name")
        else:
            yield Offer(name, f"named {times(count)} in the workspace", name_key(kind, name), "name")


def _written(kind: str, context: Context, offset: int) -> list[tuple[str, int, bool]]:
    """The names of a kind in all documents with their counts, most frequent first, in their most frequent spelling.

    Each with whether a field introduces it.

    The name that is being typed is left out.
    """
    written = _elsewhere(kind, context) + _of(kind, context, context.full, offset)
    introduced = {key for key, _, introduces in written if introduces}
    spellings: Counter[tuple[str, str]] = Counter()
    for (key, name, _), count in written.items():
        spellings[key, name] += count
    totals: dict[str, tuple[str, int, bool]] = {}
    for (key, name), count in sorted(spellings.items(), key=lambda entry: (-entry[1], entry[0])):
        spelled, before, _ = totals.get(key, (name, 0, False))
        totals[key] = (spelled, before + count, key in introduced)
    return sorted(totals.values(), key=lambda entry: (-entry[1], entry[0]))[:_MOST_WRITTEN]


# The number of mentions by comparison key, spelling and whether they introduce the name.
_NameCounts = Counter[tuple[str, str, bool]]
# The last question, its time and its answer, by workspace.
_last: WeakKeyDictionary[Project, tuple[tuple[str, str], float, _NameCounts]] = WeakKeyDictionary()


def _elsewhere(kind: str, context: Context) -> _NameCounts:
    """The names of a kind in all other documents, cached while the user types."""
    question, now = (kind, context.full), time.monotonic()
    last = _last.get(context.project)
    if last is not None and last[0] == question and now - last[1] < _KNOWN_FOR:
        return last[2]
    written: _NameCounts = Counter()
    for full in context.documents():
        if full is None:
            return written  # incomplete, so not cached
        if full != context.full:
            written += _of(kind, context, full)
    _last[context.project] = question, now, written
    return written


def _of(kind: str, context: Context, full: str, typed_at: int | None = None) -> _NameCounts:
    """The names of a kind in one document, without the one that is being typed."""
    return Counter(
        (mention.key or key_name(mention.name), mention.name, mention.rank == INTRODUCED)
        for mention, _ in context.project.mentions(full)
        if mention.kind == kind and mention.rank != OCCURS and len(mention.name) <= _LONGEST
        if typed_at is None or not mention.span.holds(typed_at)
    )


def in_written(handoff: Handoff, line: CursorLine, context: Context) -> Iterator[CompletionItem]:
    """Items for names at places outside of fields that a contract's patterns match, such as in a title."""
    before, after = _NAME_BEFORE.search(line.before), _NAME_AFTER.match(line.after)
    low = len(line.before) - (len(before.group()) if before else 0)
    high = len(line.before) + (len(after.group()) if after else 0)
    text = line.text if low < high else f"{line.text[:low]}{_ANY}{line.text[low:]}"
    for kind, definition in handoff.spec.contract.definitions.items():
        if not any(_is_named(pattern, text, low) for pattern in definition.written):
            continue
        for offer in names_of(handoff, kind, context, line.offset):
            if offer.key:
                made = Skeleton(offer.word, escape_snippet(offer.word))
                edit = make_edit(handoff.source.text, Span(line.span.start + low, line.span.start + high), made)
                yield CompletionItem(offer.word, offer.kind, edit, offer.detail, key=offer.key)
        return


def _is_named(pattern: str, text: str, at: int) -> bool:
    return any(match.groups.get("name", (-1, -1))[0] == at for match in find_all(pattern, text))
