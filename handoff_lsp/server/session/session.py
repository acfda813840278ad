"""One session: the open documents, the client and its settings, and the documents' analyses."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path

from handoff_lsp.engine import Analysis
from handoff_lsp.features.context import Context
from handoff_lsp.features.own_files import OwnFile, own_file, same
from handoff_lsp.server.session.client_settings import ClientSettings
from handoff_lsp.server.session.sent_tokens import TokenCache
from handoff_lsp.server.session.while_typing import WhileTyping
from handoff_lsp.server.wire.client import Client
from handoff_lsp.server.wire.convert import to_offset, to_range, to_span, to_text_edit
from handoff_lsp.server.wire.scheduling import Scheduler
from handoff_lsp.text import Edit, Source, Span
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.workspace.clock import Clock
from handoff_lsp.workspace.config.config_file import ConfigError, Editor
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.project import Project
from handoff_lsp.workspace.store import OpenDocument, Workspace

# For so long, a document is not verified again after its check (seconds).
_MOMENT = 0.05


@lazy_dataclass(frozen=True, kw_only=True, eq=False)
class Request(Context):
    """The context of a request: that of features, with the client, whose encoding and capabilities shape the answer."""

    session: Session
    document: OpenDocument
    position: types.Position | None = None

    @cached_property
    def offset(self) -> int:
        """The position that the request is about as an offset (code points); 0 without one."""
        return self.to_offset(self.position) if self.position is not None else 0

    @cached_property
    def own_file(self) -> OwnFile | None:
        """The document as a config or a contract file, if it is one."""
        return self.session.own_file(self.document)

    @property
    def uri(self) -> str:
        """The URI of the document."""
        return self.document.uri

    @property
    def path(self) -> Path | None:
        """The file of the document."""
        return self.document.path

    @property
    def client(self) -> Client:
        """The client that asks."""
        return self.session.client

    @property
    def editor(self) -> Editor:
        """The document's settings for editors."""
        return self.session.resolver.config(self.path).editor

    @property
    def name(self) -> str:
        """The name of the document for people: its path from the root, else its URI."""
        return self.session.resolver.name(self.path) or self.uri

    def to_offset(self, position: types.Position) -> int:
        """A position of the client as an offset (code points)."""
        return to_offset(self.source, position, self.client.encoding)

    def to_span(self, range_: types.Range) -> Span:
        """A range of the client as a span (code points)."""
        return to_span(self.source, range_, self.client.encoding)

    def to_range(self, span: Span) -> types.Range:
        """A span (code points) as a range for the client."""
        return to_range(self.source, span, self.client.encoding)

    def to_text_edit(self, edit: Edit) -> types.TextEdit:
        """An edit of the document for the client."""
        return to_text_edit(self.source, edit, self.client.encoding)

    def uri_of(self, full: str) -> str:
        """The URI of a file; that of the document for its own path and for an empty one."""
        return self.uri if full in {"", self.full} else self.session.uri_of(Path(full))

    def to_location(self, full: str, source: Source, span: Span) -> types.Location:
        """A span of any file as a location for the client."""
        return types.Location(self.uri_of(full), to_range(source, span, self.client.encoding))


class Session:
    """The documents of a client and their analyses. It sends nothing; the server does."""

    def __init__(self, look_around: Callable[[], object]) -> None:
        self.clock: Clock = Clock()
        self.documents: Workspace = Workspace(Resolver(clock=self.clock))
        self.client: Client = Client()
        self.settings: ClientSettings = ClientSettings()
        self.looks: Scheduler = Scheduler(lambda _: look_around())
        self.typing: WhileTyping = WhileTyping(lambda _: self.look_around())
        self.tokens: TokenCache = TokenCache()
        # By URI: the analysis behind the diagnostics that the client has. A document that is about to be sent has none.
        self.reported: dict[str, Analysis] = {}
        self.left_behind: int = 0  # the length of the texts whose analyses may wait to be collected, in code points
        self._checked: dict[str, tuple[int, float]] = {}  # by URI: the event before the last check, and its time
        self.problems: dict[str, list[ConfigError]] = {}  # by document: the problems of its config
        self.own_files: dict[str, OwnFile] = {}  # by URI

    @property
    def resolver(self) -> Resolver:
        """The configs of the documents."""
        return self.documents.resolver

    @property
    def project(self) -> Project:
        """All documents of the open folders."""
        return self.documents.project

    def opened(self, uri: str, position: types.Position | None = None) -> Request | None:
        """The request about an open document, at a position where one is given; None where it is not open."""
        document = self.documents.get(uri)
        return self.request(document, position) if document is not None else None

    def request(self, document: OpenDocument, position: types.Position | None = None) -> Request:
        """The request about a document, open or not."""
        uri, path = document.uri, document.path
        if self.documents.get(uri) is document and self.is_outdated(uri):  # and this request is the first to see it
            self.look_around()
        return Request(
            analysis=document.analysis(self.resolver, self.documents.files),
            registry=self.resolver.registry(path),
            project=self.project,
            full=document.full,
            session=self,
            document=document,
            position=position,
        )

    def own_file(self, document: OpenDocument) -> OwnFile | None:
        """A document as a config or a contract file: the same object until its text or a contract changes."""
        found = own_file(document.source, document.path, self.resolver, self.source_of)
        known = self.own_files.get(document.uri)
        if found is None:
            self.own_files.pop(document.uri, None)
        elif known is not None and same(known, found):
            return known
        elif self.documents.get(document.uri) is document:
            self.own_files[document.uri] = found
        return found

    def source_of(self, path: Path) -> Source | None:
        """The text of a file as it is open, else as it is on disk; None if it cannot be read."""
        return self.documents.files.read(str(path)).source

    def is_outdated(self, uri: str) -> bool:
        """Whether the diagnostics that the client has of a document may be wrong although its text is the same."""
        document, reported = self.documents.get(uri), self.reported.get(uri)
        if document is None or reported is None or reported.source is not document.source:
            return False
        return self.typing.is_due(uri) or not (self._was_just_checked(uri) or document.is_newest(reported))

    def checked(self, uri: str) -> None:
        """Note that a document was checked now."""
        self._checked[uri] = (self.documents.memo.events, self.clock())

    def forget_check(self, uri: str) -> None:
        """A document was closed."""
        self._checked.pop(uri, None)

    def _was_just_checked(self, uri: str) -> bool:
        """Whether a document was checked a moment ago, and nothing has happened since: then all holds that it read."""
        event, at = self._checked.get(uri, (-1, 0.0))
        return event == self.documents.memo.events and self.clock() - at < _MOMENT

    def look_around(self) -> None:
        """Have the diagnostics of all outdated documents sent again, soon."""
        self.looks.mark("")

    def uri_of(self, path: Path) -> str:
        """The URI of a file, as the client spells it where it has it open."""
        for uri in self.documents.uris:
            document = self.documents.get(uri)
            if document is not None and document.path == path:
                return uri
        return from_fs_path(str(path)) or path.as_uri()

    def uri_beside(self, document: OpenDocument) -> Callable[[str], str]:
        """A function that returns the URI of a file by its path from a document's folder."""
        folder = os.path.dirname(document.full)
        return lambda name: self.uri_of(Path(os.path.normpath(os.path.join(folder, name))))

    def all_problems(self) -> list[ConfigError]:
        """The problems of the open documents' configs, each once."""
        return list(dict.fromkeys(error for problems in self.problems.values() for error in problems))
