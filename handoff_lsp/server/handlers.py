"""Declarations of handlers, beside the code that answers: ``@on_document``, ``@on_request``, ``@on_notification``.

A declaration is a handler's only registration, and has its row of `docs/features.md`. Every module of the
server is imported at the start, so a declaration cannot be forgotten.
"""

from __future__ import annotations

import asyncio
import logging
import pkgutil
from collections.abc import Awaitable, Callable, Generator
from functools import lru_cache
from importlib import import_module
from inspect import isawaitable
from typing import Any, TypeVar

from lsprotocol import types

from handoff_lsp.features.names.new_name import Refusal
from handoff_lsp.features.own_files import OwnFile
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.session.session import Request
from handoff_lsp.server.wire.client import Client
from handoff_lsp.server.wire.protocol import Refused
from handoff_lsp.server.wire.scheduling import run_in_slices
from handoff_lsp.text import Source
from handoff_lsp.text.lazy_dataclass import lazy_dataclass

log: logging.Logger = logging.getLogger(__name__)

_MODIFIED = "The document was changed in the meantime"

# The place of rows that give none: below all others.
_LAST = 1000

Params = TypeVar("Params")
Answer = TypeVar("Answer")
First = Callable[[Request], Generator[None, None, None]]
# Options of pygls, or a function that returns them for a client.
RegistrationOptions = Any


@lazy_dataclass(frozen=True, slots=True)
class FeatureRow:
    """A row of `docs/features.md`; ``place`` orders the rows."""

    method: str
    summary: str
    since: str
    place: int = _LAST


@lazy_dataclass(frozen=True, slots=True)
class Handler:
    """The handler of a method. ``work`` answers without catching exceptions; ``hook`` makes the callback for pygls."""

    method: str
    work: Callable[[HandoffServer, Any], Any]
    hook: Callable[[HandoffServer], Callable[[Any], Any]]
    options: RegistrationOptions = None
    offered: Callable[[Client], bool] = lambda _client: True
    is_request: bool = True


_handlers: list[Handler] = []
_in_own_files: dict[str, Callable[[Request, OwnFile, Any], Any]] = {}
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
    """Declare the handler of a request about an open document. ``empty`` is the answer for others, and after a crash.

    ``first`` reads the other documents that the answer needs, in steps that let messages through in between. If the
    document changes meanwhile, its positions are no longer valid, and the client gets the error ContentModified. If the
    handler raises Refusal, the client gets the reason.
    """

    def declare(answer: Callable[[Request, Params], Answer]) -> Callable[[Request, Params], Answer]:
        def work(server: HandoffServer, params: Any) -> Any:
            request = _opened(server, params)
            if request is None:
                return empty
            own = request.own_file
            try:
                if own is not None:
                    return _in_own_files[method](request, own, params) if method in _in_own_files else empty
                return answer(request, params)
            except Refusal as refusal:
                raise Refused(str(refusal)) from None

        async def read_first(server: HandoffServer, params: Any) -> Any:
            if first is None:
                return work(server, params)
            began, text = server.clock(), _text(server, params)
            request = _opened(server, params)
            if request is not None:
                await run_in_slices(first(request))
            if _text(server, params) is not text:
                raise Refused(_MODIFIED, int(types.LSPErrorCodes.ContentModified))
            with server.clock.held(began):  # files that were read since then are not read again
                return work(server, params)

        hook = _answering(method, read_first, lambda _params: empty)
        _declare(Handler(method, work, hook, options, offered), FeatureRow(method, summary, since, row))
        return answer

    return declare


def in_own_file(
    method: str, *, summary: str, since: str, row: int = _LAST
) -> Callable[[Callable[[Request, OwnFile, Params], Answer]], Callable[[Request, OwnFile, Params], Answer]]:
    """Declare the handler of a request about an open config or contract file, for a method with one by ``on_document``.

    In these files all other requests have their empty answer.
    """

    def declare(answer: Callable[[Request, OwnFile, Params], Answer]) -> Callable[[Request, OwnFile, Params], Answer]:
        _in_own_files[method] = answer
        _rows.append(FeatureRow(method, f"In contract files and configs: {summary}", since, row))
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
    """Declare the handler of any other request. ``failed`` answers after a crash; without it the client gets the error.

    The handler may raise Refused.
    """

    def declare(answer: Callable[[HandoffServer, Params], Answer]) -> Callable[[HandoffServer, Params], Answer]:
        async def wait(server: HandoffServer, params: Any) -> Any:
            result = answer(server, params)
            return await result if isawaitable(result) else result

        hook = _answering(method, wait, failed)
        _declare(Handler(method, answer, hook, options, offered), FeatureRow(method, summary, since, row))
        return answer

    return declare


def on_notification(
    method: str, *, summary: str = "", since: str = "", row: int = _LAST, options: RegistrationOptions = None
) -> Callable[[Callable[[HandoffServer, Params], None]], Callable[[HandoffServer, Params], None]]:
    """Declare the handler of a notification, which runs at once, in the order of arrival. Without a summary, no row."""

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
    """Declare a method that the server sends: a row without a handler."""
    _rows.append(FeatureRow(method, summary, since, row))


def hook_in(server: HandoffServer) -> None:
    """Register with pygls the handlers that the client supports, with their options."""
    for handler in handlers():
        if not handler.offered(server.client):
            continue
        options = handler.options(server.client) if callable(handler.options) else handler.options
        server.feature(handler.method, options)(handler.hook(server))
        if isinstance(options, types.ExecuteCommandOptions):
            for name in options.commands:
                server.command(name)(handler.work)  # only to declare the capability: the handler runs the commands


@lru_cache(maxsize=1)
def handlers() -> tuple[Handler, ...]:
    """All handlers."""
    import handoff_lsp.server as package

    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
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
    """The hook of a request: catches exceptions and answers with ``failed``, if given."""

    def hook(server: HandoffServer) -> Callable[[Any], Any]:
        async def handle(params: Any) -> Any:
            # Messages that have already arrived go first: a cancellation saves the work, and a change is seen by it.
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
    """The text of the open document that a request is about. A changed text is a new object."""
    document = server.documents.get(params.text_document.uri)
    return document.source if document is not None else None
