"""One session: the open documents, the client, and how handlers are hooked in."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Coroutine, Generator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path

from handoff_lsp import __version__
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import Analysis
from handoff_lsp.server.publishing.handoff_list import HandoffList
from handoff_lsp.server.publishing.reports import Reports
from handoff_lsp.server.session.client_settings import ClientSettings
from handoff_lsp.server.session.while_typing import WhileTyping
from handoff_lsp.server.wire.client import Client
from handoff_lsp.server.wire.protocol import HandoffProtocol, Refused
from handoff_lsp.server.wire.scheduling import Debounce, Scheduler, run_in_slices
from handoff_lsp.text import Source
from handoff_lsp.workspace.clock import Clock
from handoff_lsp.workspace.config.config_file import ConfigError
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.project import Project
from handoff_lsp.workspace.store import OpenDocument, Workspace

log = logging.getLogger(__name__)

# A client that pulls is asked to do so once for all that happens within so many seconds.
REFRESH = 0.05

_MODIFIED = "The document was changed in the meantime"

Params = TypeVar("Params")
Answer = TypeVar("Answer")


class _AtDocument(Protocol):
    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...


class Opened(NamedTuple):
    """An open document with what is known of it."""

    uri: str
    document: OpenDocument
    analysis: Analysis
    registry: Registry


class HandoffServer(LanguageServer):
    """The language server. What it does is in the handler modules beside this one."""

    protocol: HandoffProtocol

    def __init__(
        self, check: Callable[[HandoffServer, str], object], look_around: Callable[[HandoffServer], object]
    ) -> None:
        super().__init__(
            "handoff-lsp",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=HandoffProtocol,
        )
        self.clock = Clock()
        self.documents = Workspace(Resolver(clock=self.clock))
        self.client = Client()
        self.settings = ClientSettings()
        self.checks = Scheduler(lambda uri: check(self, uri))
        self.looks = Scheduler(lambda _: look_around(self))
        self.typing = WhileTyping(lambda uri: self.report_again([uri]))
        self.reports = Reports(self)
        self.handoffs = HandoffList(self)
        self.refresh = Debounce(REFRESH, lambda: self.spawn(self.workspace_diagnostic_refresh_async(None)))
        # By document: what the diagnostics come from that the client has. None are there that it is about to get.
        self.reported: dict[str, Analysis] = {}
        self.problems: dict[str, list[ConfigError]] = {}  # by document: what is wrong with its config
        self.end: Callable[[], None] = lambda: None
        # By method: what answers a request, before anything is caught.
        self.works: dict[str, Callable[[HandoffServer, Any], Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def resolver(self) -> Resolver:
        """The configs of the documents."""
        return self.documents.resolver

    @property
    def project(self) -> Project:
        """All documents of the open folders."""
        return self.documents.project

    @property
    def folder_uris(self) -> list[str]:
        """The URIs of the open folders, spelled as the client spells them; pygls keys them by another spelling."""
        folders = [folder.uri for folder in self.workspace.folders.values()]
        return folders or ([self.workspace.root_uri] if self.workspace.root_uri else [])

    def opened(self, params: _AtDocument) -> Opened | None:
        """The document a request is about; None where it is not open."""
        uri = params.text_document.uri
        document = self.documents.get(uri)
        if document is None:
            return None
        if self.is_outdated(uri):  # and this request is the first to see it
            self.look_around()
        analysis = document.analysis(self.resolver, self.documents.files)
        return Opened(uri, document, analysis, self.resolver.registry(document.path))

    def is_outdated(self, uri: str) -> bool:
        """Whether what the client has of a document may have changed by something besides its text."""
        document, reported = self.documents.get(uri), self.reported.get(uri)
        if document is None or reported is None or reported.source is not document.source:
            return False
        return not document.is_newest(reported)

    def report_again(self, uris: Sequence[str]) -> None:
        """Report documents again, soon, that something besides their text changed for: publish, or ask for a pull."""
        again = [uri for uri in uris if self.reported.pop(uri, None) is not None]
        if again and self.client.pull:
            self.refresh.ask()
        elif again:
            self.checks.mark_each(again)

    def look_around(self) -> None:
        """Have the documents reported again, soon, that something besides their text changed for."""
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

    def on_request(
        self,
        method: str,
        work: Callable[[HandoffServer, Params], Answer],
        empty: Callable[[Params], Answer],
        options: object = None,
        *,
        first: Callable[[HandoffServer, Params], Generator[None, None, object]] | None = None,
    ) -> None:
        """Answer a request with ``work``, or with ``empty`` where it crashes. ``work`` may raise Refused.

        ``first`` reads what ``work`` needs of other documents, in steps between which messages are let through. Where
        one of them changes the document, its positions mean something else: the client is told so.
        """

        async def handle(params: Params) -> Answer:
            # Messages that are already here go first: a cancellation ends this before any work, a change is seen by it.
            await asyncio.sleep(0)
            try:
                if first is None:
                    return work(self, params)
                began, text = self.clock(), self._text(params)
                await run_in_slices(first(self, params))
                if self._text(params) is not text:
                    raise Refused(_MODIFIED, int(types.LSPErrorCodes.ContentModified))
                with self.clock.held(began):  # nothing that was read since then is looked at again
                    return work(self, params)
            except Refused:
                raise
            except Exception:
                log.exception("%s failed", method)
                return empty(params)

        self.works[method] = work
        self.feature(method, options)(handle)

    def _text(self, params: object) -> Source | None:
        """The text of the open document that a request is about; another object whenever it is another text."""
        about = getattr(params, "text_document", None)
        document = self.documents.get(about.uri) if about is not None else None
        return document.source if document is not None else None

    def on_notification(
        self, method: str, work: Callable[[HandoffServer, Params], None], options: object = None
    ) -> None:
        """Handle a notification at once, in the order in which they come."""

        def handle(params: Params) -> None:
            try:
                work(self, params)
            except Exception:
                log.exception("%s failed", method)

        self.feature(method, options)(handle)

    def spawn(self, work: Coroutine[Any, Any, object]) -> None:
        """Run a coroutine beside the messages; its failure is logged."""

        async def run() -> None:
            try:
                await work
            except JsonRpcException as error:
                log.warning("The client refused a request: %s", error)
            except Exception:
                log.exception("A task failed")

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)  # the loop itself holds tasks only weakly
        task.add_done_callback(self._tasks.discard)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log what pygls could not handle, instead of a pop-up for each."""
        if source is not FeatureRequestError:  # the answer to the request says it
            told = error.message if isinstance(error, JsonRpcException) else error
            log.error("%s: %s", getattr(source, "__name__", source), told)


class ClientLog(logging.Handler):
    """Sends what is logged to the client, too, where users look for it."""

    def __init__(self, server: HandoffServer) -> None:
        super().__init__(logging.WARNING)
        self._server = server

    def emit(self, record: logging.LogRecord) -> None:
        """Send one record."""
        kind = types.MessageType.Error if record.levelno >= logging.ERROR else types.MessageType.Warning
        try:
            self._server.window_log_message(types.LogMessageParams(kind, self.format(record)))
        except Exception:
            self.handleError(record)
