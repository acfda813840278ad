"""One graph of agents, tasks, changes, files and sections over all documents: what stands at a place of one of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.kinds import Kind
from handoff_lsp.engine import Analysis
from handoff_lsp.features.names.anchors import mentioned_sections, own_names
from handoff_lsp.names.mentions import OCCURS, Mention, all_mentions
from handoff_lsp.names.written_paths import WrittenPath, written_paths
from handoff_lsp.syntax.markdown.incremental import parse_markdown
from handoff_lsp.text import Source, Span
from handoff_lsp.workspace.project import FileSpan, Project, bare


class Document(NamedTuple):
    """The document that is asked about: its analysis, its absolute path (empty: it has none), and all others."""

    analysis: Analysis
    full: str
    project: Project

    @property
    def source(self) -> Source:
        """Its text."""
        return self.analysis.source

    @property
    def place(self) -> str:
        """Its path; for one that has none, one in the first of the open folders."""
        folders = self.project.resolver.workspaces
        return self.full or (os.path.join(folders[-1], "untitled") if folders else "")

    def shares_root(self, full: str) -> bool:
        """Whether a file is in the same root of a workspace: what files define counts within a root."""
        root = self.project.resolver.root
        return not self.place or root(Path(full)) == root(Path(self.place))


class NameNode(NamedTuple):
    """An agent, a task, a change, …: ``key`` is its name as names are compared, ``name`` as it is written at ``span``.

    ``in_path``: it is written as a part of a path.
    """

    kind: str
    key: str
    name: str
    span: Span
    in_path: bool = False


class FileNode(NamedTuple):
    """A file of the workspace. ``span`` is its path as it is written, with ``place``, a line or heading in the file."""

    full: str
    place: str
    span: Span


class SectionNode(NamedTuple):
    """A section of the document, by its number among the headings."""

    number: int
    span: Span


class FieldNode(NamedTuple):
    """A field of a handoff, at its key or value."""

    handoff: Handoff
    slot: Slot
    span: Span


GraphNode = NameNode | FileNode | SectionNode | FieldNode


def nodes_at(document: Document, offset: int, *, alone: bool = False) -> list[GraphNode]:
    """What stands at an offset: a name, a file, a section, a field, in this order. Nothing in ordinary Markdown.

    ``alone``: no other document is asked whether what looks like a name is one.
    """
    found: list[GraphNode] = []
    analysis = document.analysis
    if any(span.holds(offset) for span in own_names(analysis.tree)):
        found += [node for node in _own_nodes(document) if node.span.holds(offset)]
    if not analysis.handoffs or found:
        return found
    every = mentions_in(document)
    names = [mention for mention in every if mention.span.holds(offset)]
    if names:
        at = min(names, key=lambda mention: (mention.span.end - mention.span.start, mention.rank))
        if _is_sure(at, every) or (not alone and _is_named(document, at)):
            found.append(NameNode(at.kind, at.key, at.name, at.span, _in_path(document.source, at.span)))
    line = document.source.lines.line_span(document.source.lines.line_of(offset))
    for path in written_paths(document.source, analysis.handoffs, line):
        if path.whole.holds(offset):
            full = file_of(document, path)
            if full is not None:
                found.append(FileNode(full, path.place, path.whole))
                break
    sections = [at for at in mentioned_sections(analysis.tree) if at.span.holds(offset)]
    found += [SectionNode(at.number, at.span) for at in sections[:1]]
    handoff = analysis.handoff_at(offset)
    field = _field_at(handoff, offset) if handoff is not None else None
    if field is not None:
        found.append(field)
    return found


def name_at(document: Document, offset: int) -> NameNode | None:
    """The name at an offset."""
    return next((node for node in nodes_at(document, offset) if isinstance(node, NameNode)), None)


def mentions_in(document: Document) -> list[Mention]:
    """What the document names, as it is now."""
    analysis = document.analysis
    if document.full and document.project.files.content(document.full) is analysis.source:
        return [mention for mention, _ in document.project.mentions(document.full)]  # it keeps what it found
    return all_mentions(analysis.source, analysis.handoffs, document.project.kinds(document.full))


def places_of(document: Document, node: NameNode, *, loosely: bool) -> Iterator[tuple[Mention, FileSpan]]:
    """Every place where a name is written, in all documents; what files define, in those of the same root.

    ``loosely``: with names of the same kind that are a part of it, or that it is a part of, where its kind has that.
    """
    project = document.project
    kind = project.kinds(document.full).get(node.kind)

    def same(mention: Mention) -> bool:
        if mention.key == node.key:
            return True
        return loosely and kind is not None and kind.same(mention.key, node.key)

    local = kind is not None and bool(kind.files or kind.in_paths)
    for mention, place in project.named(node.kind, same, words_for(kind, node.key)):
        if not local or document.shares_root(place.full):
            yield mention, place
    if not document.full:  # it has no path, so that the project does not know it
        for mention in mentions_in(document):
            if mention.kind == node.kind and same(mention):
                yield mention, FileSpan("", document.source, mention.span)


def words_for(kind: Kind | None, key: str) -> set[str]:
    """What a document must hold one of to speak of a name."""
    return {bare(spelling) for spelling in (kind.spellings(key) if kind is not None else {key})}


def definitions_of(document: Document, node: NameNode, *, loosely: bool) -> list[str]:
    """The files that define a name: those of exactly that name, else those of which it is a part."""
    kind = document.project.kinds(document.full).get(node.kind)
    if kind is None or not document.place:
        return []
    return defining_files(document.project, document.place, kind, node.key, loosely=loosely)


def defining_files(project: Project, full: str, kind: Kind, key: str, *, loosely: bool) -> list[str]:
    """The same for a name by its key, as a file sees it."""
    defined = {file: kind.key(name) for name, file in project.defining(full, kind.files).items()}
    exact = [file for file, other in defined.items() if other == key]
    return exact if exact or not loosely else [file for file, other in defined.items() if kind.same(other, key)]


def place_of_definition(project: Project, full: str) -> FileSpan | None:
    """Where a file that defines a name says so."""
    found = project.of(full, _own_place)
    return FileSpan(full, found[0], found[1]) if found is not None else None


def paths_in(project: Project, full: str) -> Sequence[tuple[WrittenPath, Source]]:
    """What may be paths in a document."""
    return project.of(full, _written) or ()


def file_of(document: Document, path: WrittenPath) -> str | None:
    """The file that a written path leads to, within the root of the workspace; None where there is none."""
    if not document.full:
        return None
    found = document.project.locate(document.full, path.path)
    return found if found is not None and document.project.is_file(found) else None


def related_slots(handoff: Handoff, slot: Slot) -> list[Slot]:
    """The fields that must say the same as one, by a check: a count and its section, a verdict and its section."""
    found: dict[int, Slot] = {}
    for check in handoff.spec.contract.checks.values():
        equal = _EQUAL.fullmatch(check.check.strip())
        if equal is not None and slot.path in equal.groups():
            for path in equal.groups():
                for other in handoff.root.find(path):
                    if other is not slot and other.present:
                        found[id(other)] = other
    return list(found.values())


# A condition by which two fields, or a count and the length of a list, are equal.
_EQUAL = re.compile(r"(?:size\()?([a-z_][\w.]*)\)?\s*==\s*(?:size\()?([a-z_][\w.]*)\)?")


def _own_nodes(document: Document) -> list[NameNode]:
    """Where the document names itself, where it is an agent's definition or the like."""
    for kind in document.project.kinds(document.full).values() if document.full else ():
        defined = document.project.defining(document.full, kind.files) if kind.files else {}
        for name, full in defined.items():
            if full == document.full:
                key, source = kind.key(name), document.source
                spans = [span for span in own_names(document.analysis.tree) if kind.key(source.slice(span)) == key]
                return [NameNode(kind.name, key, source.slice(span), span) for span in spans]
    return []


def _is_sure(mention: Mention, others: Sequence[Mention]) -> bool:
    """Whether a mention is surely a name, or one of the others says that it is."""
    wanted = (mention.kind, mention.key)
    return mention.rank != OCCURS or any((at.kind, at.key) == wanted and at.rank != OCCURS for at in others)


def _is_named(document: Document, mention: Mention) -> bool:
    """Whether a field of some document names what looks like a name."""
    words = words_for(document.project.kinds(document.full).get(mention.kind), mention.key)
    return any(True for _ in document.project.named(mention.kind, lambda other: other.key == mention.key, words))


def _in_path(source: Source, span: Span) -> bool:
    text = source.text
    return text[span.end : span.end + 1] == "/" or text[max(span.start - 1, 0) : span.start] == "/"


def _field_at(handoff: Handoff, offset: int) -> FieldNode | None:
    """The field whose key or value is at an offset, the smallest."""
    found: FieldNode | None = None
    for slot in handoff.slots:
        for span in (slot.key, slot.value):
            if span is not None and slot.present and span.holds(offset) and handoff.source.slice(span).strip():
                size = span.end - span.start
                if found is None or size <= found.span.end - found.span.start:
                    found = FieldNode(handoff, slot, span)
    return found


def _own_place(source: Source, _: Sequence[Handoff]) -> tuple[Source, Span]:
    return source, next(iter(own_names(parse_markdown(source))), Span(0, 0))


def _written(source: Source, handoffs: Sequence[Handoff]) -> Sequence[tuple[WrittenPath, Source]]:
    return [(path, source) for path in written_paths(source, handoffs)]
