"""Symbols of all documents in the open folders: handoffs with their status, agents, tasks, changes, artifacts."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.features.outline.document_symbols import status_text
from handoff_lsp.features.outline.symbol import plain, shortened
from handoff_lsp.names.mentions import IN_PATH
from handoff_lsp.names.paths import named_paths
from handoff_lsp.text import Source, Span
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.project import FileSpan, Project

# The most symbols of an answer. A user who misses one types another letter.
MOST = 500
# The most symbols of one document; its outline has all of them.
_MOST_OF_ONE = 200

WorkspaceSymbolKind = Literal["handoff", "name", "artifact"]
_KINDS: tuple[WorkspaceSymbolKind, ...] = ("handoff", "name", "artifact")


class WorkspaceSymbol(NamedTuple):
    """Something that a document names. ``place``: its definition, else its first mention."""

    name: str
    kind: WorkspaceSymbolKind
    container: str
    place: FileSpan


class _Own(NamedTuple):
    """A handoff or an artifact of one document."""

    kind: WorkspaceSymbolKind
    name: str
    about: str
    source: Source
    span: Span


class _Named:
    """A name with its first place and the paths of the documents that mention it."""

    def __init__(self, kind: WorkspaceSymbolKind, name: str, about: str, place: FileSpan) -> None:
        self.kind = kind
        self.name = name
        self.about = about
        self.place = place
        self.documents = {place.full}


def find(project: Project, query: str) -> Generator[None, None, list[WorkspaceSymbol]]:
    """The symbols that match a query, best first; pauses after each document for other work."""
    if not project.is_listed:
        yield from project.list_in_steps()
    found: list[_Named] = []
    known: dict[tuple[str, str], _Named] = {}
    for key, named in _defined(project):
        if key not in known:
            found.append(known.setdefault(key, named))
    for full in project.paths():
        kinds = project.kinds(full)
        for own in project.of(full, _own) or ():
            named = _Named(own.kind, own.name, own.about, FileSpan(full, own.source, own.span))
            _add(found, known, ("", own.name) if own.kind == "artifact" else (full, str(own.span.start)), named)
        for mention, source in project.mentions(full):
            if mention.rank < IN_PATH:
                about = kinds[mention.kind].about if mention.kind in kinds else mention.kind
                place = FileSpan(full, source, mention.span)
                key = (mention.kind, mention.key or mention.name)
                _add(found, known, key, _Named("name", shortened(mention.name), about, place))
        yield
    return [_shown(project, named) for named in _best(found, query)]


def _add(found: list[_Named], known: dict[tuple[str, str], _Named], key: tuple[str, str], named: _Named) -> None:
    first = known.get(key)
    if first is None:
        known[key] = named
        found.append(named)
    else:
        first.documents |= named.documents


def _defined(project: Project) -> Iterator[tuple[tuple[str, str], _Named]]:
    """The names that files define, each with its kind and comparison key."""
    nothing = Source("")
    for folder in project.resolver.workspaces:
        inside = str(Path(folder, "handoff.md"))
        for kind in project.kinds(inside).values():
            for name, full in project.defining(inside, kind).items():
                yield (kind.name, kind.key(name)), _Named("name", name, kind.about, FileSpan(full, nothing, Span(0, 0)))


def _own(source: Source, handoffs: Sequence[Handoff]) -> tuple[_Own, ...]:
    """The handoffs of a document and the files that they name. Examples are left out."""
    found: dict[tuple[WorkspaceSymbolKind, object], _Own] = {}
    for handoff in handoffs:
        if handoff.mode == "example":
            continue
        contract = handoff.spec.contract.title
        title = plain(source.slice(handoff.title_span)) if handoff.title_span is not None else ""
        state = status_text(handoff) if handoff.mode == "handoff" else handoff.mode
        name = " · ".join(part for part in (title or contract, state) if part)
        found["handoff", handoff.span] = _Own("handoff", name, contract, source, handoff.home())
        if handoff.mode == "handoff":
            for path in named_paths(handoff):
                found.setdefault(("artifact", path.path), _Own("artifact", path.path, "", source, path.span))
        if len(found) >= _MOST_OF_ONE:
            break
    return tuple(found.values())[:_MOST_OF_ONE]


def _shown(project: Project, named: _Named) -> WorkspaceSymbol:
    """The symbol of a name: its container is the path of its document and the number of others that mention it."""
    more = len(named.documents) - 1
    path = project.resolver.name(Path(named.place.full)) + (f" and {more} more" if more else "")
    about = [named.about] if named.about else []
    container = " · ".join([path, *about] if named.kind == "handoff" else [*about, path])
    return WorkspaceSymbol(named.name, named.kind, container, named.place)


def _best(found: Iterable[_Named], query: str) -> list[_Named]:
    wanted = " ".join(query.casefold().split())
    ranked = []
    for named in found:
        rank = match(wanted, named.name.casefold())
        if rank is not None:
            ranked.append(((*rank, _KINDS.index(named.kind), len(named.name)), named))
    ranked.sort(key=lambda pair: pair[0])
    return [named for _, named in ranked[:MOST]]


def match(query: str, name: str) -> tuple[int, int] | None:
    """The rank of a name for a query, both case-folded; the smallest is the best. None if it lacks a letter.

    From best to worst: the whole name, its beginning, the beginning of a word, a part of a word, scattered letters.
    """
    first = name.find(query)
    if first >= 0:
        starts = [start for start in _each(query, name) if start == 0 or not name[start - 1].isalnum()]
        if not starts:
            return (3, first)
        return (0 if name == query else 1 if starts[0] == 0 else 2, starts[0])
    last, gaps = -1, 0
    for letter in query.replace(" ", ""):
        after = name.find(letter, last + 1)
        if after < 0:
            return None
        gaps += after - last - 1
        last = after
    return (4, gaps)


def _each(part: str, text: str) -> Iterator[int]:
    start = text.find(part)
    while start >= 0:
        yield start
        start = text.find(part, start + 1)
