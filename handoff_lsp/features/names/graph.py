"""One graph of agents, tasks, changes, files and sections over all documents, and its nodes at a place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from pathlib import Path

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.kinds import Kind, defined_name
from handoff_lsp.features.context import Context
from handoff_lsp.features.names.anchors import mentioned_sections, own_names
from handoff_lsp.names.mentions import IN_PATH, OCCURS, WRITTEN, Mention, all_mentions, names_in_path
from handoff_lsp.names.written_paths import WrittenPath, written_paths
from handoff_lsp.prompts.calls import agents_called
from handoff_lsp.prompts.documents import is_prompt
from handoff_lsp.prompts.values import WrittenValue
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, parse_markdown
from handoff_lsp.text import Source, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.project import FileSpan, Project, bare

_AT_HOME = lazy_pattern(r"~/[^\s`\"'()<>]*$")
# Skills and commands, of which one may have the name of an agent.
_NO_AGENTS = ("**/skills/**/SKILL.md", "**/commands/**/*.md", "**/*.prompt.md")


class NameNode(NamedTuple):
    """An agent, a task, a change, …: ``key`` is its comparison key, ``name`` its spelling at ``span``.

    ``in_path``: it is part of a path there.
    """

    kind: str
    key: str
    name: str
    span: Span
    in_path: bool = False


class FileNode(NamedTuple):
    """A file of the workspace. ``span`` is its path as written, including ``place``, a line or heading in the file."""

    full: str
    place: str
    span: Span


class SectionNode(NamedTuple):
    """A section of the document, by its index among the headings."""

    number: int
    span: Span


class FieldNode(NamedTuple):
    """A field of a handoff, at its key or value."""

    handoff: Handoff
    slot: Slot
    span: Span


GraphNode = NameNode | FileNode | SectionNode | FieldNode


def nodes_at(context: Context, offset: int, *, alone: bool = False) -> list[GraphNode]:
    """The nodes at an offset: a name, a file, a section, a field, in this order; none in ordinary Markdown.

    ``alone``: no other document is searched to confirm a possible name.
    """
    nodes: list[GraphNode] = []
    analysis = context.analysis
    if any(span.holds(offset) for span in own_names(analysis.tree)):
        nodes += [node for node in _own_nodes(context) if node.span.holds(offset)]
    if nodes:
        return nodes
    every = mentions_in(context)
    names = [mention for mention in every if mention.span.holds(offset)]
    if names:
        name = min(names, key=lambda mention: (mention.span.end - mention.span.start, mention.rank))
        if _is_sure(name, every) or (not alone and _is_named(context, name)):
            nodes.append(NameNode(name.kind, name.key, name.name, name.span, _in_path(context.source, name.span)))
    if not analysis.handoffs:
        return nodes
    line = context.source.lines.line_span(context.source.lines.line_of(offset))
    for path in written_paths(context.source, analysis.handoffs, line):
        if path.whole.holds(offset):
            full = file_of(context, path)
            if full is not None:
                nodes.append(FileNode(full, path.place, path.whole))
                break
    sections = [section for section in mentioned_sections(analysis.tree) if section.span.holds(offset)]
    nodes += [SectionNode(section.number, section.span) for section in sections[:1]]
    handoff = analysis.handoff_at(offset)
    field = _field_at(handoff, offset) if handoff is not None else None
    if field is not None:
        nodes.append(field)
    return nodes


def name_at(context: Context, offset: int) -> NameNode | None:
    """The name at an offset; None without one."""
    return next((node for node in nodes_at(context, offset) if isinstance(node, NameNode)), None)


def mentions_in(context: Context) -> list[Mention]:
    """The mentions in the document's current text; in a prompt also those of names that the workspace defines."""
    analysis, project = context.analysis, context.project
    kinds = project.kinds(context.full)
    if context.full and project.files.content(context.full) is analysis.source:
        found = [mention for mention, _ in project.mentions(context.full)]  # the project caches them
    elif analysis.handoffs:
        found = all_mentions(analysis.source, analysis.handoffs, kinds)
    else:
        found = []
    if context.full and is_prompt(analysis.path):
        called = _called(analysis.tree)
        for kind in kinds.values() if called else ():
            defined = {kind.key(name) for name in project.defining(context.full, kind)} if kind.files else set()
            mentions = _in_prompt(context, context.full, called, kind, _others(context, kind)) if defined else ()
            found += [one for one in mentions if one.key in defined]
    return found


def _in_prompt(
    context: Context, full: str, called: Sequence[WrittenValue], kind: Kind, others: Set[str]
) -> Iterator[Mention]:
    """The agents that a prompt calls. ``others``: names of skills and commands, which do not count as agents.

    A name that is also a value of a contract there does not count, either.
    """
    said = context.project.files.read(full).said
    stated = [one.span for one in said.statements] if said is not None else []
    for name, span in called:
        key = kind.key(name)
        if key not in others and not kind.is_word(name) and not any(span.overlaps(one) for one in stated):
            yield Mention(kind.name, name, span, key, WRITTEN)


def _others(context: Context, kind: Kind) -> set[str]:
    """The names of skills and commands, as those of agents are compared."""
    root = context.project.resolver.root(Path(context.full))
    files = context.project.files.matching(str(root), _NO_AGENTS) if root is not None else None
    return {kind.key(defined_name(path, _NO_AGENTS)) for path in files or ()}


def places_of(context: Context, node: NameNode, *, loosely: bool) -> Iterator[tuple[Mention, FileSpan]]:
    """The mentions of a name in all documents, or in those of the same root for a kind that files define.

    Those in prompts count if a file defines the name, and those in paths of the home folder if a folder here has it.

    ``loosely``: including names that contain it or that it contains, if its kind compares so.
    """
    project = context.project
    kind = project.kinds(context.full).get(node.kind)

    def same(mention: Mention) -> bool:
        if mention.key == node.key:
            return True
        return loosely and kind is not None and kind.same(mention.key, node.key)

    local = kind is not None and bool(kind.files or kind.inside or kind.in_paths)
    files = definitions_of(context, node, loosely=False)
    in_folder = kind is not None and any(_names_folder(project, full, kind) for full in files)
    for mention, place in project.named(node.kind, same, words_for(kind, node.key)):
        elsewhere = mention.rank == IN_PATH and not in_folder and _is_at_home(place)
        if not elsewhere and (not local or context.shares_root(place.full)):
            yield mention, place
    if kind is not None and files:
        others = _others(context, kind)
        for full, source in _prompts_with(context, words_for(kind, node.key)):
            called = project.of(full, _called_in) or ()
            for mention in filter(same, _in_prompt(context, full, called, kind, others)):
                yield mention, FileSpan(full, source, mention.span)
    if not context.full:  # without a path, the project does not know the document
        for mention in mentions_in(context):
            if mention.kind == node.kind and same(mention):
                yield mention, FileSpan("", context.source, mention.span)


def _names_folder(project: Project, full: str, kind: Kind) -> bool:
    """Whether a folder above a file has a name of a kind."""
    return next(names_in_path(project.resolver.name(Path(full)), [kind]), None) is not None


def _is_at_home(place: FileSpan) -> bool:
    """Whether a name is in a path from the home folder, which leads at most to a copy of a file of the workspace."""
    line = place.source.lines.line_span(place.source.lines.line_of(place.span.start))
    return _AT_HOME.search(place.source.slice(Span(line.start, place.span.start))) is not None


def _prompts_with(context: Context, words: set[str]) -> Iterator[tuple[str, Source]]:
    """The prompts of the same root that hold one of some words, with their texts."""
    project = context.project
    for full in project.paths():
        if is_prompt(project.resolver.name(Path(full))) and context.shares_root(full) and project.holds(full, words):
            source = project.files.read(full).source
            if source is not None:
                yield full, source


def words_for(kind: Kind | None, key: str) -> set[str]:
    """Some words; each document that mentions the name holds at least one of them."""
    return {bare(spelling) for spelling in (kind.spellings(key) if kind is not None else {key})}


def definitions_of(context: Context, node: NameNode, *, loosely: bool) -> list[str]:
    """The files that define exactly this name; with ``loosely`` and without any, those that define a similar one."""
    kind = context.project.kinds(context.full).get(node.kind)
    if kind is None or not context.assumed_path:
        return []
    return defining_files(context.project, context.assumed_path, kind, node.key, loosely=loosely)


def defining_files(project: Project, full: str, kind: Kind, key: str, *, loosely: bool) -> list[str]:
    """The files that define the name with a key, as seen from the file ``full``; ``loosely`` as above."""
    defined = {file: kind.key(name) for name, file in project.definitions(full, kind)}
    exact = [file for file, other in defined.items() if other == key]
    return exact if exact or not loosely else [file for file, other in defined.items() if kind.same(other, key)]


def place_of_definition(project: Project, full: str) -> FileSpan | None:
    """The place where a definition file names itself, or its start; None if it cannot be read."""
    place = project.of(full, _own_place)
    return FileSpan(full, place[0], place[1]) if place is not None else None


def paths_in(project: Project, full: str) -> Sequence[tuple[WrittenPath, Source]]:
    """The texts of a document that may be paths, each with its source."""
    return project.of(full, _written) or ()


def file_of(context: Context, path: WrittenPath) -> str | None:
    """The file that a written path leads to, within the root of the workspace; None if there is no such file."""
    if not context.full:
        return None
    full = context.project.locate(context.full, path.path)
    return full if full is not None and context.project.is_file(full) else None


def related_slots(handoff: Handoff, slot: Slot) -> list[Slot]:
    """The fields that a check requires to agree with a field: a count and its section, a verdict and its section."""
    related: dict[int, Slot] = {}
    for check in handoff.spec.contract.checks.values():
        for test in handoff.spec.conditions.tests(check.check):
            if test.relation in {"same_as", "count_of"} and slot.path in test.paths:
                for path in test.paths:
                    for other in handoff.root.find(path):
                        if other is not slot and other.present:
                            related[id(other)] = other
    return list(related.values())


def _own_nodes(context: Context) -> list[NameNode]:
    """The places where the document names itself, if it defines an agent or the like."""
    for kind in context.project.kinds(context.full).values() if context.full else ():
        defined = context.project.defining(context.full, kind)
        for name, full in defined.items():
            if full == context.full:
                key, source = kind.key(name), context.source
                spans = [span for span in own_names(context.analysis.tree) if kind.key(source.slice(span)) == key]
                return [NameNode(kind.name, key, source.slice(span), span) for span in spans]
    return []


def _is_sure(mention: Mention, others: Sequence[Mention]) -> bool:
    """Whether a mention is surely a name, by itself or because another mention of it is."""
    wanted = (mention.kind, mention.key)
    return mention.rank != OCCURS or any((one.kind, one.key) == wanted and one.rank != OCCURS for one in others)


def _is_named(context: Context, mention: Mention) -> bool:
    """Whether a document of the project mentions a possible name."""
    words = words_for(context.project.kinds(context.full).get(mention.kind), mention.key)
    return any(True for _ in context.project.named(mention.kind, lambda other: other.key == mention.key, words))


def _in_path(source: Source, span: Span) -> bool:
    text = source.text
    return text[span.end : span.end + 1] == "/" or text[max(span.start - 1, 0) : span.start] == "/"


def _field_at(handoff: Handoff, offset: int) -> FieldNode | None:
    """The field with the smallest key or value at an offset; None without one."""
    smallest: FieldNode | None = None
    for slot in handoff.slots:
        for span in (slot.key, slot.value):
            if span is not None and slot.present and span.holds(offset) and handoff.source.slice(span).strip():
                size = span.end - span.start
                if smallest is None or size <= smallest.span.end - smallest.span.start:
                    smallest = FieldNode(handoff, slot, span)
    return smallest


def _own_place(source: Source, _: Sequence[Handoff]) -> tuple[Source, Span]:
    return source, next(iter(own_names(parse_markdown(source))), Span(0, 0))


def _written(source: Source, handoffs: Sequence[Handoff]) -> Sequence[tuple[WrittenPath, Source]]:
    return [(path, source) for path in written_paths(source, handoffs)]


def _called_in(source: Source, _: Sequence[Handoff]) -> Sequence[WrittenValue]:
    return _called(parse_markdown(source))


def _called(tree: MarkdownTree) -> Sequence[WrittenValue]:
    """The agents that a prompt calls, except where its file names itself."""
    own = own_names(tree)
    return [one for one in agents_called(tree) if not any(one.span.overlaps(span) for span in own)]
