"""One session: the open documents, the client and its settings, and what is known of the documents."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

from lsprotocol import types
from pygls.uris import from_fs_path

from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import Analysis, Options
from handoff_lsp.server.session.client_settings import ClientSettings
from handoff_lsp.server.session.while_typing import WhileTyping
from handoff_lsp.server.wire.client import Client
from handoff_lsp.server.wire.scheduling import Scheduler
from handoff_lsp.workspace.clock import Clock
from handoff_lsp.workspace.config.config_file import ConfigError
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.project import Project
from handoff_lsp.workspace.store import OpenDocument, Workspace


class _AtDocument(Protocol):
    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...


class Opened(NamedTuple):
    """An open document with what is known of it."""

    uri: str
    document: OpenDocument
    analysis: Analysis
    registry: Registry


class Session:
    """The documents of a client and what is known of them. It sends nothing: that is the server's."""

    def __init__(self, look_around: Callable[[], object]) -> None:
        self.clock = Clock()
        self.documents = Workspace(Resolver(clock=self.clock), self.clock)
        self.client = Client()
        self.settings = ClientSettings()
        self.looks = Scheduler(lambda _: look_around())
        self.typing = WhileTyping(self.show_again)
        self.stale: set[str] = set()  # documents that are known better now than what was last told of them
        self.awaited: set[str] = set()  # those that a client which pulls was asked to pull again
        self.under: dict[str, tuple[Options, Registry]] = {}  # by document: what it was last checked under
        self.problems: dict[str, list[ConfigError]] = {}  # by document: what is wrong with its config

    @property
    def resolver(self) -> Resolver:
        """The configs of the documents."""
        return self.documents.resolver

    @property
    def project(self) -> Project:
        """All documents of the open folders."""
        return self.documents.project

    def opened(self, params: _AtDocument) -> Opened | None:
        """The document a request is about; None where it is not open."""
        uri = params.text_document.uri
        document = self.documents.get(uri)
        if document is None:
            return None
        under = (self.resolver.options(document.path), self.resolver.registry(document.path))
        # What is shown of it is no longer so, and this request is the first to see it.
        if document.is_outdated() or self.under.get(uri, under) != under:
            self.stale.add(uri)
            self.look_around()
        analysis = document.analysis(self.resolver, self.documents.files)
        return Opened(uri, document, analysis, self.resolver.registry(document.path))

    def show_again(self, uri: str) -> None:
        """Tell again, soon, what is known of a document."""
        self.stale.add(uri)
        self.look_around()

    def look_around(self) -> None:
        """Have the documents checked again, soon, whose surroundings have changed."""
        self.looks.mark("")

    def uri_of(self, path: Path) -> str:
        """The URI of a file, as the client spells it where it has it open."""
        for uri in self.documents.uris:
            document = self.documents.get(uri)
            if document is not None and document.path == path:
                return uri
        return from_fs_path(str(path)) or path.as_uri()

    def uri_beside(self, document: OpenDocument) -> Callable[[str], str]:
        """What gives the URI of a file by its path from the folder of a document."""
        folder = os.path.dirname(document.full)
        return lambda name: self.uri_of(Path(os.path.normpath(os.path.join(folder, name))))

    def all_problems(self) -> list[ConfigError]:
        """What is wrong with the configs of the open documents, each problem once."""
        return list(dict.fromkeys(error for problems in self.problems.values() for error in problems))
