"""Open documents and their analyses, computed once for each text and config."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from handoff_lsp.binding.handoff import NOWHERE, Handoff
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import Analysis, Options, analyze, bind_document, excess_of
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, parse_markdown, reparse_markdown
from handoff_lsp.text import Source, Span, difference
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.known_files import Files
from handoff_lsp.workspace.project import Project
from handoff_lsp.workspace.surroundings import Around, surroundings_of


class TextChange(NamedTuple):
    """One change of a document: a span in code points of the text before it (None: all of it), and what replaces it."""

    span: Span | None
    text: str


class OpenDocument:
    """One open document. Its tree follows each change; its analysis is made when it is asked for."""

    def __init__(self, uri: str, path: Path | None, version: int | None, text: str) -> None:
        self.uri = uri
        self.path = path
        self.full = os.path.abspath(path) if path is not None else ""
        self.version = version
        self.source = Source(text)
        self._tree: MarkdownTree | None = None
        self._analysis: _Known | None = None
        self._bound: tuple[tuple[Source, str, Registry, Options], tuple[Handoff, ...]] | None = None

    def change(self, version: int | None, changes: Sequence[TextChange]) -> None:
        """Apply changes in their order, each to the text that the one before it left."""
        self.version = version
        for span, text in changes:
            if span is None:  # some clients send all of it at every keystroke: read only what is new
                span, text, _ = difference(self.source.text, text)
            # Should the reparse fail, no tree is better than one of another text.
            tree, self._tree = self._tree, None
            self.source = self.source.replaced(span, text)
            if tree is not None and not excess_of(self.source):
                self._tree = reparse_markdown(tree, self.source, span, len(text))

    def analysis(self, resolver: Resolver, files: Files) -> Analysis:
        """What is known of the text as it is now, under the config and among the files as they are now."""
        known = self._analysis
        options, registry = resolver.options(self.path), resolver.registry(self.path)
        current = known is not None and known.source is self.source and known.under == (options, registry)
        if known is None or not current or not known.holds():
            around = surroundings_of(files, self.path)
            made = analyze(
                self.source,
                resolver.name(self.path),
                registry,
                options,
                parse=self.parse,
                around=around if around is not None else NOWHERE,
                bound=lambda: self.bound(resolver.name(self.path), registry, options),
            )
            known = self._analysis = _Known(self.source, (options, registry), around, made)
        return known.analysis

    def bound(self, name: str, registry: Registry, options: Options) -> tuple[Handoff, ...]:
        """The document's handoffs, for itself and for others, bound once for each text and config."""
        key = (self.source, name, registry, options)
        if self._bound is None or self._bound[0] != key:
            self._bound = (key, bind_document(self.source, name, registry, options, parse=self.parse))
        return self._bound[1]

    def is_outdated(self) -> bool:
        """Whether what was last found out about the document came from other files that have changed since."""
        return self._analysis is not None and not self._analysis.holds()

    @property
    def around(self) -> Around | None:
        """What was asked of other files when the document was last analysed."""
        return self._analysis.around if self._analysis is not None else None

    def forget(self) -> None:
        """Find everything out about the document again when it is next asked for."""
        self._analysis = None

    def parse(self, source: Source) -> MarkdownTree:
        """The tree of the document's text, kept as long as that does not change."""
        if self._tree is None or self._tree.source is not source:
            self._tree = parse_markdown(source)
        return self._tree


class _Known(NamedTuple):
    """What was found out about a document: of which text, under which config, among which files."""

    source: Source
    under: tuple[Options, Registry]
    around: Around | None
    analysis: Analysis

    def holds(self) -> bool:
        """Whether the files that it came from, besides the document's own, are as they were."""
        return self.around is None or self.around.still_true()


class Workspace:
    """All open documents, the resolver of their configs, and what is around them."""

    def __init__(self, resolver: Resolver, clock: Callable[[], float] = time.monotonic) -> None:
        self.resolver = resolver
        self._documents: dict[str, OpenDocument] = {}
        self._named: dict[str, list[OpenDocument]] = {}  # by the last part of their paths
        self.files = Files(resolver, self._named, clock=clock)
        self.project = Project(resolver, self.files, self._named, clock=clock)

    @property
    def uris(self) -> list[str]:
        """The URIs of all open documents."""
        return list(self._documents)

    @property
    def outdated(self) -> list[str]:
        """The URIs of those that were judged by other files which have changed since."""
        return [uri for uri, document in self._documents.items() if document.is_outdated()]

    def open(self, uri: str, path: Path | None, version: int | None, text: str) -> OpenDocument:
        """Take over a document from disk; the text given counts from now on."""
        self.close(uri)
        document = self._documents[uri] = OpenDocument(uri, path, version, text)
        if path is not None:
            self._named.setdefault(os.path.basename(document.full), []).append(document)
        return document

    def get(self, uri: str) -> OpenDocument | None:
        """An open document."""
        return self._documents.get(uri)

    def at(self, full: str) -> OpenDocument | None:
        """The open document of a file, by its absolute path."""
        found = self.files.buffer(full)
        return found if isinstance(found, OpenDocument) else None

    def close(self, uri: str) -> None:
        """Give a document back to the disk."""
        document = self._documents.pop(uri, None)
        if document is not None and document.path is not None:
            name = os.path.basename(document.full)
            self._named[name].remove(document)
            if not self._named[name]:
                del self._named[name]

    def refresh(self) -> None:
        """Look at the configs and at the files on disk again when they are next asked for."""
        self.resolver.refresh()
        self.files.refresh()
        self.project.refresh()

    def set_folders(self, folders: Sequence[Path]) -> bool:
        """Take note of the folders that the editor has open; whether they are others than before."""
        # The innermost goes first. The root of the file system is no workspace.
        found = sorted({os.path.abspath(path) for path in folders}, key=len, reverse=True)
        workspaces = tuple(path for path in found if os.path.dirname(path) != path)
        changed = workspaces != self.resolver.workspaces
        self.resolver.workspaces = workspaces
        for document in self._documents.values() if changed else ():
            document.forget()
        return changed

    def analysis(self, uri: str) -> Analysis | None:
        """What is known of an open document; None where it is not open."""
        document = self._documents.get(uri)
        return document.analysis(self.resolver, self.files) if document is not None else None
