"""Renaming an agent, a task, a change and the like in all documents, with the files and folders named after it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from handoff_lsp.contracts.kinds import Kind, defined_span
from handoff_lsp.features.context import Context
from handoff_lsp.features.names.anchors import own_names
from handoff_lsp.features.names.graph import NameNode, definitions_of, name_at, paths_in, places_of
from handoff_lsp.features.names.new_name import Refusal, check, ending, style, with_article
from handoff_lsp.names.mentions import names_in_path
from handoff_lsp.syntax.markdown.incremental import parse_markdown
from handoff_lsp.text import Edit, Source, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.project import bare

# Characters and endings that some file system forbids in a name or gives a special meaning.
_NO_FILE_NAME = lazy_pattern(r'[\\:*?"<>|]|[. ]$')


class FileEdits(NamedTuple):
    """The edits of a document, which do not overlap. ``full`` is its absolute path.

    ``group``: what the document is, for the preview of a client; empty without a preview. ``doubtful``: the edits of
    places that may mean something else.
    """

    full: str
    source: Source
    edits: tuple[Edit, ...]
    group: str = ""
    doubtful: frozenset[Edit] = frozenset()


class Move(NamedTuple):
    """The renaming of a file or folder, with absolute paths."""

    old: str
    new: str


class Renaming(NamedTuple):
    """The changes of a rename: first to texts, then to the names of files and folders."""

    files: tuple[FileEdits, ...]
    moves: tuple[Move, ...]


def prepare(context: Context, offset: int, *, moves: bool) -> NameNode | None:
    """The name to rename at an offset; None in ordinary Markdown. ``moves``: the client can rename files, too.

    Raises Refusal if there is nothing to rename there, or it could not be renamed everywhere.
    """
    node = name_at(context, offset)
    if node is None:
        if not context.analysis.handoffs:
            return None
        raise Refusal("Nothing to rename here")
    kind = context.project.kinds(context.full)[node.kind]
    files = definitions_of(context, node, loosely=False)
    if node.key in kind.also and not files:
        known = f"`{node.name}` is {with_article(kind.about)} that the format itself knows"
        raise Refusal(f"{known}; {_definition(context, node, kind)}")
    moving = _moves(context, node, kind, files, lambda written: written)
    if moving and not moves:
        name = context.project.resolver.name(Path(moving[0].old))
        raise Refusal(f"`{name}` would have to be renamed, too, and this editor renames no files for a language server")
    check_all_read(context)
    return node


def _definition(context: Context, node: NameNode, kind: Kind) -> str:
    """A sentence part about the file that defines a name under a similar one, or that none does."""
    for name, full in context.project.defining(context.assumed_path, kind).items():
        if kind.same(kind.key(name), node.key):
            return f"`{context.display_path(full)}` defines it as `{name}`"
    return "no file of this workspace defines it"


def check_all_read(context: Context) -> None:
    """Raise Refusal unless all documents of the workspace can be read."""
    for full, reason in context.project.unread().items():
        name = f"`{context.project.resolver.name(Path(full))}` cannot be read: " if full else ""
        raise Refusal(f"Not everything can be looked at: {name}{reason}")


def rename(context: Context, offset: int, new: str, *, moves: bool) -> Renaming | None:
    """The changes that rename the name at an offset; None in ordinary Markdown.

    Raises Refusal if the new name does not fit everywhere.
    """
    node = prepare(context, offset, moves=moves)
    if node is None:
        return None
    kind = context.project.kinds(context.full)[node.kind]
    files = definitions_of(context, node, loosely=False)
    places = list(places_of(context, node, loosely=False))
    check(context, node, kind, new, [mention for mention, _ in places])
    styled = style(node, kind, new)
    moving = tuple(move for move in _moves(context, node, kind, files, styled) if move.new != move.old)
    found: dict[str, tuple[Source, list[Edit]]] = {}
    for mention, place in places:
        text = styled(mention.name)
        if mention.escaped:
            text = json.dumps(text, ensure_ascii=False)[1:-1]
        found.setdefault(place.full, (place.source, []))[1].append(Edit(place.span, text))
    for full in files:
        source = context.project.files.read(full).source
        if source is None:
            raise Refusal(f"`{context.project.resolver.name(Path(full))}` cannot be read")
        for span in own_names(parse_markdown(source)):
            if kind.key(source.slice(span)) == node.key:
                found.setdefault(full, (source, []))[1].append(Edit(span, styled(source.slice(span))))
    for move in moving:
        if os.path.dirname(move.new) != os.path.dirname(move.old) or _NO_FILE_NAME.search(os.path.basename(move.new)):
            raise Refusal(f"`{new}` cannot be the name of {with_article(kind.about)}: a file could not have it")
        if context.project.files.exists(move.new) and context.project.files.real(move.new) != move.old:
            raise Refusal(f"There already is a `{context.project.resolver.name(Path(move.new))}`")
    for full, source, edit in _path_edits(context, moving):
        found.setdefault(full, (source, []))[1].append(edit)
    changed = [FileEdits(full, source, _apart(source, edits)) for full, (source, edits) in found.items()]
    return Renaming(tuple(item for item in changed if item.edits), moving)


def _moves(
    context: Context, node: NameNode, kind: Kind, files: Sequence[str], styled: Callable[[str], str]
) -> tuple[Move, ...]:
    """The moves of all files and folders named after a node: its definitions, and paths that mention it."""
    found: dict[str, Move] = {}
    for full in files:
        folder, name = os.path.split(full)
        stem, dot, suffix = name.rpartition(".")
        part = defined_span(name, (), kind.naming)
        if kind.naming and kind.key(part.of(name)) == node.key:
            made = name[: part.start] + styled(part.of(name)) + name[part.end :]
            found[full] = Move(full, os.path.join(folder, made))
        elif kind.key(stem) == node.key:
            # Without its ending the file might no longer count as a definition.
            made, tail = styled(stem), ending(kind, stem)
            made = made if ending(kind, made) == tail else f"{made}{tail}"
            found[full] = Move(full, os.path.join(folder, f"{made}{dot}{suffix}"))
    for full in context.project.paths() if kind.in_paths else ():
        root = context.project.resolver.root(Path(full))
        if root is None or not context.shares_root(full):
            continue
        name = os.path.relpath(full, root).replace(os.sep, "/")
        for mention in names_in_path(name, [kind]):
            if kind.key(mention.name) == node.key and not kind.is_word(mention.name, in_path=True):
                end = name.find("/", mention.span.end)
                end = len(name) if end < 0 else end
                old = os.path.join(root, name[:end])
                made = name[: mention.span.start] + styled(mention.name) + name[mention.span.end : end]
                found[old] = Move(old, os.path.join(root, made))
    # The content of a folder moves with it.
    return tuple(
        move for move in found.values() if not any(move.old.startswith(other.old + os.sep) for other in found.values())
    )


def _path_edits(context: Context, moves: Sequence[Move]) -> Iterator[tuple[str, Source, Edit]]:
    """The edits that adapt written paths to renamed files."""
    project = context.project
    names = [os.path.basename(move.old) for move in moves]
    words = {bare(name) for name in names}
    for full in project.paths() if moves else ():
        for path, source in paths_in(project, full) if project.holds(full, words) else ():
            if not any(name in path.path for name in names):
                continue
            target = project.locate(full, path.path)
            for move in moves if target is not None else ():
                if target == move.old or str(target).startswith(move.old + os.sep):
                    below = str(target)[len(move.old) :].count(os.sep)
                    span = _part(path.path.rstrip("/"), below)
                    if span is not None and span.of(path.path) == os.path.basename(move.old):
                        yield full, source, Edit(span.shift(path.span.start), os.path.basename(move.new))


def _part(path: str, behind: int) -> Span | None:
    """The span of the path component that has ``behind`` components after it; None without one."""
    parts = path.split("/")
    if behind >= len(parts):
        return None
    index = len(parts) - 1 - behind
    start = sum(len(part) + 1 for part in parts[:index])
    return Span(start, start + len(parts[index]))


def _apart(source: Source, edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """The edits in order, without those that change nothing or overlap an earlier one."""
    kept: list[Edit] = []
    for edit in sorted(dict.fromkeys(edits), key=lambda edit: (edit.span.start, -edit.span.end)):
        if source.slice(edit.span) != edit.text and (not kept or edit.span.start >= kept[-1].span.end):
            kept.append(edit)
    return tuple(kept)
