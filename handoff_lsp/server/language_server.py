"""The language server: a session, the wire to its client, and how handlers are hooked in."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Generator
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcException
from pygls.lsp.server import LanguageServer

from handoff_lsp import __version__
from handoff_lsp.server.publishing.reports import Reports
from handoff_lsp.server.session.session import Session
from handoff_lsp.server.wire.protocol import HandoffProtocol, Refused
from handoff_lsp.server.wire.scheduling import Debounce, Scheduler, run_in_slices
from handoff_lsp.text import Source

log = logging.getLogger(__name__)

# A client that pulls is asked to do so once for all that happens within so many seconds.
REFRESH = 0.05

_MODIFIED = "The document was changed in the meantime"

Params = TypeVar("Params")
Answer = TypeVar("Answer")


class HandoffServer(Session, LanguageServer):
    """The language server. What it does is in the handler modules below this one."""

    protocol: HandoffProtocol

    def __init__(
        self, check: Callable[[HandoffServer, str], object], look_around: Callable[[HandoffServer], object]
    ) -> None:
        LanguageServer.__init__(
            self,
            "handoff-lsp",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=HandoffProtocol,
        )
        Session.__init__(self, lambda: look_around(self))
        self.checks = Scheduler(lambda uri: check(self, uri))
        self.refresh = Debounce(REFRESH, lambda: self.spawn(self.workspace_diagnostic_refresh_async(None)))
        self.reports = Reports(self, self.refresh.ask, lambda method: self.protocol.notify(method, {}))
        self.handoffs = self.reports.handoffs
        self.end: Callable[[], None] = lambda: None
        # By method: what answers a request, before anything is caught.
        self.works: dict[str, Callable[[HandoffServer, Any], Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def folder_uris(self) -> list[str]:
        """The URIs of the open folders, spelled as the client spells them; pygls keys them by another spelling."""
        folders = [folder.uri for folder in self.workspace.folders.values()]
        return folders or ([self.workspace.root_uri] if self.workspace.root_uri else [])

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
