"""Progress of something that takes a while, in the client's window, where it can be cancelled."""

from __future__ import annotations

import asyncio
import uuid
from time import monotonic
from types import TracebackType

from lsprotocol import types

from handoff_lsp.server.language_server import HandoffServer

# The least time between two reports, in seconds.
EVERY = 0.1


class Progress:
    """Progress under a token; without one nothing is sent. As a context manager it always ends.

    ``step`` gets the part that is done and the whole, and raises CancelledError if the user has cancelled.
    """

    def __init__(self, server: HandoffServer, token: types.ProgressToken | None, title: str) -> None:
        self._server = server
        self._token = token
        self._title = title
        self._reported_at = monotonic()

    def __enter__(self) -> Progress:
        if self._token is not None:
            begin = types.WorkDoneProgressBegin(self._title, cancellable=True, percentage=0)
            self._server.work_done_progress.begin(self._token, begin)
        return self

    def __exit__(self, kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        self.end("Cancelled" if kind is not None else None)

    @property
    def cancelled(self) -> bool:
        """Whether the user has cancelled it."""
        known = self._server.work_done_progress.tokens.get(self._token) if self._token is not None else None
        return known is not None and known.cancelled()

    def step(self, done: int, total: int) -> None:
        """Report, from time to time."""
        if self.cancelled:
            raise asyncio.CancelledError
        now = monotonic()
        if self._token is not None and now - self._reported_at >= EVERY:
            self._reported_at = now
            report = types.WorkDoneProgressReport(message=f"{done} of {total}", percentage=done * 100 // max(total, 1))
            self._server.work_done_progress.report(self._token, report)

    def end(self, message: str | None = None) -> None:
        """End it; nothing more is sent then."""
        if self._token is not None:
            self._server.work_done_progress.end(self._token, types.WorkDoneProgressEnd(message=message))
            self._server.work_done_progress.tokens.pop(self._token, None)
            self._token = None


async def new_token(server: HandoffServer) -> types.ProgressToken | None:
    """A token of the server's for progress; None where the client shows none."""
    if not server.client.progress:
        return None
    token = str(uuid.uuid4())
    try:
        await server.work_done_progress.create_async(token)
    except Exception:
        return None  # the client refuses; the work is done all the same
    return token
