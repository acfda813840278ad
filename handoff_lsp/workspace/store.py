"""Open documents and their analyses, computed once for each text and config."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from handoff_lsp.engine import MAX_LENGTH, Analysis, analyze
from handoff_lsp.syntax.markdown import MarkdownTree, parse_markdown, reparse_markdown
from handoff_lsp.text import Source, Span, difference
from handoff_lsp.workspace.resolver import Resolver


class Change(NamedTuple):
    """One change of a document: a span in code points of the text before it (None: all of it), and what replaces it."""

    span: Span | None
    text: str


class Document:
    """One open document. Its tree follows each change; its analysis is made when it is asked for."""

    def __init__(self, uri: str, path: Path | None, version: int | None, text: str) -> None:
        self.uri = uri
        self.path = path
        self.version = version
        self.source = Source(text)
        self._tree: MarkdownTree | None = None
        self._analysis: tuple[Source, object, Analysis] | None = None

    def change(self, version: int | None, changes: Sequence[Change]) -> None:
        """Apply changes in their order, each to the text that the one before it left."""
        self.version = version
        for span, text in changes:
            if span is None:  # some clients send all of it at every keystroke: read only what is new
                span, text, _ = difference(self.source.text, text)
            # Should the reparse fail, no tree is better than one of another text.
            tree, self._tree = self._tree, None
            self.source = self.source.replaced(span, text)
            if tree is not None and len(self.source) <= MAX_LENGTH:
                self._tree = reparse_markdown(tree, self.source, span, len(text))

    def analysis(self, resolver: Resolver) -> Analysis:
        """What is known of the text as it is now, under the config as it is now."""
        options, registry = resolver.options(self.path), resolver.registry(self.path)
        key = (options, registry)
        if self._analysis is None or self._analysis[0] is not self.source or self._analysis[1] != key:
            made = analyze(self.source, resolver.name(self.path), registry, options, parse=self._parse)
            self._analysis = (self.source, key, made)
        return self._analysis[2]

    def _parse(self, source: Source) -> MarkdownTree:
        if self._tree is None or self._tree.source is not source:
            self._tree = parse_markdown(source)
        return self._tree


class Workspace:
    """All open documents, and the resolver of their configs."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self._documents: dict[str, Document] = {}

    @property
    def uris(self) -> list[str]:
        """The URIs of all open documents."""
        return list(self._documents)

    def open(self, uri: str, path: Path | None, version: int | None, text: str) -> Document:
        """Take over a document from disk; the text given counts from now on."""
        document = self._documents[uri] = Document(uri, path, version, text)
        return document

    def get(self, uri: str) -> Document | None:
        """An open document."""
        return self._documents.get(uri)

    def close(self, uri: str) -> None:
        """Give a document back to the disk."""
        self._documents.pop(uri, None)

    def analysis(self, uri: str) -> Analysis | None:
        """What is known of an open document; None where it is not open."""
        document = self._documents.get(uri)
        return document.analysis(self.resolver) if document is not None else None
