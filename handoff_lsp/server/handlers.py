"""How a handler is declared, beside the code that answers: ``@on_document``, ``@on_request``, ``@on_notification``.

A declaration is a handler's only registration. It carries the row of `docs/features.md` too. Every module of the
server is imported at the start, so a declaration cannot be forgotten.
"""

from __future__ import annotations

import asyncio
import logging
import pkgutil
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from inspect import isawaitable
from typing import Any, TypeVar

from lsprotocol import types

from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.session.session import Request
from handoff_lsp.server.wire.client import Client
from handoff_lsp.server.wire.protocol import Refused
from handoff_lsp.server.wire.scheduling import run_in_slices
from handoff_lsp.text import Source

log = logging.getLogger(__name__)

_MODIFIED = "The document was changed in the meantime"

# A row without a place of its own comes below all others.
_LAST = 1000

Params = TypeVar("Params")
Answer = TypeVar("Answer")
First = Callable[[Request], Generator[None, None, None]]
# Options of pygls, or a function that makes them for the client.
RegistrationOptions = Any


@dataclass(frozen=True, slots=True)
class FeatureRow:
    """A row of `docs/features.md`; ``place`` orders the rows."""

    method: str
    summary: str
    since: str
    place: int = _LAST


@dataclass(frozen=True, slots=True)
class Handler:
    """What answers a method. ``work`` is the answer before anything is caught."""

    method: str
    work: Callable[[HandoffServer, Any], Any]
    hook: Callable[[HandoffServer], Callable[[Any], Any]]
    options: RegistrationOptions = None
    offered: Callable[[Client], bool] = lambda _client: True
    is_request: bool = True


_handlers: list[Handler] = []
_rows: list[FeatureRow] = []


def on_document(
    method: str,
    *,
    empty: Any,
    summary: str,
    since: str,
    row: int = _LAST,
    options: RegistrationOptions = None,
    offered: Callable[[Client], bool] = lambda _client: True,
    first: First | None = None,
) -> Callable[[Callable[[Request, Params], Answer]], Callable[[Request, Params], Answer]]:
    """Declare the answer to a request about an open document. ``empty`` is the answer for others, and after a crash.

    ``first`` reads what the answer needs of other documents, in steps between which messages are let through. Where
    one of them changes the document, its positions mean something else: the client is told so.
    """

    def declare(answer: Callable[[Request, Params], Answer]) -> Callable[[Request, Params], Answer]:
        def work(server: HandoffServer, params: Any) -> Any:
            at = _opened(server, params)
            return answer(at, params) if at is not None else empty

        async def read_first(server: HandoffServer, params: Any) -> Any:
            if first is None:
                return work(server, params)
            began, text = server.clock(), _text(server, params)
            at = _opened(server, params)
            if at is not None:
                await run_in_slices(first(at))
            if _text(server, params) is not text:
                raise Refused(_MODIFIED, int(types.LSPErrorCodes.ContentModified))
            with server.clock.held(began):  # nothing that was read since then is looked at again
                return work(server, params)

        hook = _answering(method, read_first, lambda _params: empty)
        _declare(Handler(method, work, hook, options, offered), FeatureRow(method, summary, since, row))
        return answer

    return declare


def on_request(
    method: str,
    *,
    failed: Callable[[Any], Any] | None = None,
    summary: str,
    since: str,
    row: int = _LAST,
    options: RegistrationOptions = None,
    offered: Callable[[Client], bool] = lambda _client: True,
) -> Callable[[Callable[[HandoffServer, Params], Answer]], Callable[[HandoffServer, Params], Answer]]:
    """Declare the answer to any other request. ``failed`` answers after a crash; without it the client gets the error.

    The answer may raise Refused.
    """

    def declare(answer: Callable[[HandoffServer, Params], Answer]) -> Callable[[HandoffServer, Params], Answer]:
        async def wait(server: HandoffServer, params: Any) -> Any:
            found = answer(server, params)
            return await found if isawaitable(found) else found

        hook = _answering(method, wait, failed)
        _declare(Handler(method, answer, hook, options, offered), FeatureRow(method, summary, since, row))
        return answer

    return declare


def on_notification(
    method: str, *, summary: str = "", since: str = "", row: int = _LAST, options: RegistrationOptions = None
) -> Callable[[Callable[[HandoffServer, Params], None]], Callable[[HandoffServer, Params], None]]:
    """Declare what follows a notification, at once and in the order in which they come. Without a summary, no row."""

    def declare(work: Callable[[HandoffServer, Params], None]) -> Callable[[HandoffServer, Params], None]:
        def hook(server: HandoffServer) -> Callable[[Params], None]:
            def handle(params: Params) -> None:
                try:
                    work(server, params)
                except Exception:
                    log.exception("%s failed", method)

            return handle

        _declare(
            Handler(method, work, hook, options, is_request=False),
            FeatureRow(method, summary, since, row) if summary else None,
        )
        return work

    return declare


def sends(method: str, *, summary: str, since: str, row: int = _LAST) -> None:
    """Declare what the server sends by itself: a row, and nothing to hook in."""
    _rows.append(FeatureRow(method, summary, since, row))


def hook_in(server: HandoffServer) -> None:
    """Hook in the handlers that the client takes, with the options for it."""
    for handler in handlers():
        if not handler.offered(server.client):
            continue
        options = handler.options(server.client) if callable(handler.options) else handler.options
        server.feature(handler.method, options)(handler.hook(server))
        if isinstance(options, types.ExecuteCommandOptions):
            for name in options.commands:
                server.command(name)(handler.work)  # for the capability alone: the handler runs them


@lru_cache(maxsize=1)
def handlers() -> tuple[Handler, ...]:
    """All handlers."""
    import handoff_lsp.server as house

    for module in pkgutil.walk_packages(house.__path__, f"{house.__name__}."):
        import_module(module.name)
    return tuple(_handlers)


def rows() -> list[FeatureRow]:
    """The rows of `docs/features.md`, in their order."""
    handlers()
    return sorted(_rows, key=lambda row: row.place)


def _declare(handler: Handler, row: FeatureRow | None) -> None:
    if any(handler.method == other.method for other in _handlers):
        raise ValueError(f"{handler.method} has two handlers")
    _handlers.append(handler)
    if row is not None:
        _rows.append(row)


def _answering(
    method: str,
    answer: Callable[[HandoffServer, Any], Awaitable[Any]],
    failed: Callable[[Any], Any] | None,
) -> Callable[[HandoffServer], Callable[[Any], Any]]:
    """What is hooked in for a request."""

    def hook(server: HandoffServer) -> Callable[[Any], Any]:
        async def handle(params: Any) -> Any:
            # Messages that are already here go first: a cancellation ends this before any work, a change is seen by it.
            await asyncio.sleep(0)
            try:
                return await answer(server, params)
            except Refused:
                raise
            except Exception:
                if failed is None:
                    raise
                log.exception("%s failed", method)
                return failed(params)

        return handle

    return hook


def _opened(server: HandoffServer, params: Any) -> Request | None:
    return server.opened(params.text_document.uri, getattr(params, "position", None))


def _text(server: HandoffServer, params: Any) -> Source | None:
    """The text of the open document that a request is about; another object whenever it is another text."""
    document = server.documents.get(params.text_document.uri)
    return document.source if document is not None else None
