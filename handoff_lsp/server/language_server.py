"""The language server: a session, and the wire to its client."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcException
from pygls.lsp.server import LanguageServer

from handoff_lsp import __version__
from handoff_lsp.server.publishing.handoff_list import HandoffList
from handoff_lsp.server.publishing.reports import Reports
from handoff_lsp.server.session.session import Session
from handoff_lsp.server.wire.protocol import HandoffProtocol
from handoff_lsp.server.wire.scheduling import Debounce, Scheduler

log: logging.Logger = logging.getLogger(__name__)

# A client that pulls is asked to pull once for all events within this time (seconds).
REFRESH = 0.05


class HandoffServer(Session, LanguageServer):
    """The language server. The handler modules declare the methods that it answers."""

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
        self.checks: Scheduler = Scheduler(lambda uri: check(self, uri))
        self.refresh: Debounce = Debounce(REFRESH, lambda: self.spawn(self.workspace_diagnostic_refresh_async(None)))
        self.reports: Reports = Reports(self, self.refresh.ask, lambda method: self.protocol.notify(method, {}))
        self.handoffs: HandoffList = self.reports.handoffs
        self.end: Callable[[], None] = lambda: None
        self._tasks: set[asyncio.Task[None]] = set()

    def report_again(self, uris: Sequence[str]) -> None:
        """Publish the diagnostics of documents again, soon, or ask the client to pull; not of those already planned."""
        again = [uri for uri in uris if self.reported.pop(uri, None) is not None]
        if again and self.client.pull:
            self.refresh.ask()
        elif again:
            self.checks.mark_each(again)

    @property
    def folder_uris(self) -> list[str]:
        """The URIs of the open folders as the client spells them; the keys of pygls are percent-decoded."""
        folders = [folder.uri for folder in self.workspace.folders.values()]
        return folders or ([self.workspace.root_uri] if self.workspace.root_uri else [])

    def spawn(self, work: Coroutine[Any, Any, object]) -> None:
        """Run a coroutine as a task; its failure is logged."""

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
        task.add_done_callback(lambda _: work.close())  # Python warns of one that the end of the server left unbegun

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log an error of pygls, instead of showing a pop-up for each."""
        if source is not FeatureRequestError:  # the answer to the request has the error
            reason = error.message if isinstance(error, JsonRpcException) else error
            log.error("%s: %s", getattr(source, "__name__", source), reason)


class ClientLog(logging.Handler):
    """Also sends warnings and errors to the client's log, where users look for them."""

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
