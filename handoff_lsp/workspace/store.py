"""The documents of a workspace, open or not, and their analyses."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from pathlib import Path

from handoff_lsp.binding.handoff import NOWHERE, Handoff
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import Analysis, Options, analyze, bind_document, excess_of
from handoff_lsp.prompts.documents import is_prompt
from handoff_lsp.prompts.reading import read_document
from handoff_lsp.prompts.statement import PromptStatements
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, parse_markdown, reparse_markdown
from handoff_lsp.text import Source, Span, difference
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text
from handoff_lsp.workspace.known_files import Files
from handoff_lsp.workspace.memo import Memo, Reads, Results
from handoff_lsp.workspace.project import Project
from handoff_lsp.workspace.surroundings import surroundings_of

log: logging.Logger = logging.getLogger(__name__)


class TextChange(NamedTuple):
    """One change of a document: a span in code points of the text before it (None: all of it), and what replaces it."""

    span: Span | None
    text: str


_ANALYSIS, _HANDOFFS, _SAID = "analysis", "handoffs", "said"


class OpenDocument:
    """One open document. Its tree follows each change; its analysis is computed on demand."""

    def __init__(self, uri: str, path: Path | None, version: int | None, text: str) -> None:
        self.uri = uri
        self.path = path
        self.full: str = os.path.abspath(path) if path is not None else ""
        self.version = version
        self.source: Source = Source(text)
        self._tree: MarkdownTree | None = None
        self._registry: Registry | None = None  # for which the blocks of the tree keep results
        self._results = Results()

    def change(self, version: int | None, changes: Sequence[TextChange]) -> None:
        """Apply changes in their order, each to the text that the one before it left."""
        self.version = version
        for span, text in changes:
            if span is None:  # some clients send the whole text at every keystroke: read only the changed part
                span, text, _ = difference(self.source.text, text)
            # Should the reparse fail, no tree is better than one of another text.
            tree, self._tree = self._tree, None
            self.source = self.source.replaced(span, text)
            if tree is not None and not excess_of(self.source):
                self._tree = reparse_markdown(tree, self.source, span, len(text))

    def forget(self) -> None:
        """Drop all that was computed from the text, except for the blocks, which the next version takes over."""
        self._results = Results()
        if self._tree is not None:
            tree, end = self._tree, len(self._tree.greens)
            self._tree = MarkdownTree(tree.source, tree.lines, tree.greens).after(tree, end, end)

    def analysis(self, resolver: Resolver, files: Files, reads: Reads | None = None) -> Analysis:
        """The analysis of the current text under the current config and files.

        With ``reads`` it is computed again, and its reads go there.
        """

        def analyse(reads: Reads) -> Analysis:
            options = reads.ask(Resolver.options, resolver, self.path)
            registry = reads.ask(Resolver.registry, resolver, self.path)
            if registry is not self._registry:  # else the blocks would keep the earlier contracts
                self._registry, self._tree = registry, None
            name = resolver.name(self.path)
            return analyze(
                self.source,
                name,
                registry,
                options,
                parse=self.parse,
                around=surroundings_of(files, self.path, reads) or NOWHERE,
                bound=lambda: self.bound(name, registry, options),
                said=lambda: self.said(name, registry, options),
            )

        return analyse(reads) if reads is not None else self._results.verified(_ANALYSIS, self.source, analyse)

    def bound(self, name: str, registry: Registry, options: Options) -> tuple[Handoff, ...]:
        """The document's handoffs, for itself and for others, bound once for each text and config."""
        revision = (self.source, name, registry, options)
        return self._results.for_revision(
            _HANDOFFS, revision, lambda: bind_document(self.source, name, registry, options, parse=self.parse)
        )

    def said(self, name: str, registry: Registry, options: Options) -> PromptStatements | None:
        """What the document says about contracts, if it is a prompt; read once for each text and config."""
        revision = (self.source, name, registry, options)
        return self._results.for_revision(
            _SAID,
            revision,
            lambda: (
                read_document(self.source, name, registry, options.disabled, self.parse)
                if is_prompt(name) and not excess_of(self.source)
                else None
            ),
        )

    def is_newest(self, analysis: Analysis) -> bool:
        """Whether an analysis is the last one of this document, and still valid."""
        newest = self._results.newest(_ANALYSIS)
        return newest is not None and newest.value is analysis and newest.reads.hold()

    def parse(self, source: Source) -> MarkdownTree:
        """The tree of the document's text, kept as long as that does not change."""
        if self._tree is None or self._tree.source is not source:
            self._tree = parse_markdown(source)
        return self._tree


class Workspace:
    """All open documents, the resolver of their configs, and the files around them."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.memo: Memo = resolver.memo
        self._documents: dict[str, OpenDocument] = {}
        self._named: dict[str, list[OpenDocument]] = {}  # by the last part of their paths
        self.files: Files = Files(resolver, self._named, self.memo)
        self.project: Project = Project(resolver, self.files, self._named)

    @property
    def uris(self) -> list[str]:
        """The URIs of all open documents."""
        return list(self._documents)

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

    def changed(self, document: OpenDocument) -> bool:
        """A document was edited, opened or closed. Whether the report of a closed file depends on it."""
        return self.memo.changed(document.full)

    def disk_changed(self) -> None:
        """Files, configs or settings may have changed."""
        self.resolver.disk_changed()

    def closed(self, full: str, reads: Reads) -> tuple[OpenDocument, Analysis] | None:
        """A file that is not open, and its analysis; None if it cannot be read."""
        if reads.ask(Files.content, self.files, full) is None:
            return None
        path = Path(full)
        try:
            document = OpenDocument(full, path, None, read_text(path))
        except UnreadableFile as error:
            log.info("%s", error)
            return None
        return document, document.analysis(self.resolver, self.files, reads)

    def set_folders(self, folders: Sequence[Path]) -> bool:
        """Set the open folders. Whether they have changed."""
        # The innermost goes first. The root of the file system is no workspace.
        found = sorted({os.path.abspath(path) for path in folders}, key=len, reverse=True)
        workspaces = tuple(path for path in found if os.path.dirname(path) != path)
        changed = workspaces != self.resolver.workspaces
        self.resolver.workspaces = workspaces
        return changed

    def analysis(self, uri: str) -> Analysis | None:
        """The analysis of an open document; None if it is not open."""
        document = self._documents.get(uri)
        return document.analysis(self.resolver, self.files) if document is not None else None
