"""pygls's protocol, without the handlers that this server replaces, and with an answer to every request."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from cattrs import transform_error
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol

from handoff_lsp.rules.rule import shown
from handoff_lsp.server.wire.keystroke import change_in, published

if TYPE_CHECKING:
    from cattrs import Converter
    from pygls.lsp.server import LanguageServer

    from handoff_lsp.server.wire.first_answer import FirstAnswer

# pygls keeps its own copy of every text, which breaks on U+2028; the server keeps its own instead (see sync.py).
_OWN = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    # pygls runs a command outside the request, so it can never be cancelled (see commands/execute.py).
    types.WORKSPACE_EXECUTE_COMMAND,
)


log: logging.Logger = logging.getLogger(__name__)

_NEITHER = "A message is a request with an `id`, a notification with a `method`, or an answer"

# The message with which pygls logs the traceback of an unreadable message.
_UNREADABLE = "Unable to deserialize message\n%s"

# The longest reason in an error answer (characters).
_LONGEST = 300


class Refused(JsonRpcException):
    """A request that is refused with a reason for the user. It is not logged, since nothing is broken."""

    CODE = int(types.LSPErrorCodes.RequestFailed)


class UnreadableMessages(logging.Filter):
    """Keeps the tracebacks of unreadable messages out of the log; the server logs one line for each."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is kept: it is not about an unreadable message."""
        error = record.exc_info[1] if record.exc_info else None
        return not (isinstance(error, JsonRpcException) or record.msg == _UNREADABLE)


class HandoffProtocol(LanguageServerProtocol):
    """The protocol of this server. Messages enter at ``take``."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        super().__init__(server, converter)
        for method in _OWN:
            self.fm.builtin_features.pop(method)
        self._initialized = False
        self.first_answer: FirstAnswer | None = None

    def take(self, body: bytes) -> None:
        """Handle a message. Never raises, and answers every request."""
        try:
            data = json.loads(body.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            self._refuse(None, JsonRpcParseError(shown(f"A message that is not JSON: {reason}", _LONGEST)))
            return
        number = data.get("id") if isinstance(data, dict) else None
        if not isinstance(number, (str, int)) or isinstance(number, bool):
            number = None
        refusal = self._refusal(data, number)
        if refusal is not None:
            self._refuse(number, refusal)
        elif not self._is_early(data):
            try:
                change = change_in(data)
                if change is not None and not self._shutdown:
                    self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE](change)
                else:
                    self.handle_message(self.structure_message(data))
            except JsonRpcException as error:  # already answered
                self._server._report_server_error(error, JsonRpcException)
            except Exception:
                log.exception("A message could not be handled")

    def _refusal(self, data: Any, number: str | int | None) -> JsonRpcException | None:
        """The error for data that is not a message, or for a request at the wrong time; None if all is well."""
        if not isinstance(data, dict) or data.get("jsonrpc") != self.VERSION:
            return JsonRpcInvalidRequest("A message must be an object of JSON-RPC 2.0")
        method, is_request = data.get("method"), "id" in data
        if "method" not in data:
            return None if is_request and ("result" in data or "error" in data) else JsonRpcInvalidRequest(_NEITHER)
        if not isinstance(method, str) or (is_request and number is None):
            return JsonRpcInvalidRequest(_NEITHER)
        if not is_request:
            return None
        if not self._initialized and method != types.INITIALIZE:
            return JsonRpcServerNotInitialized(f"{shown(method, _LONGEST)} came before initialize")
        if self._initialized and method == types.INITIALIZE:
            return JsonRpcInvalidRequest("The server is initialized already")
        return JsonRpcInvalidRequest("The server is shutting down") if self._shutdown else None

    def _is_early(self, data: Mapping[str, Any]) -> bool:
        """Whether a message comes before ``initialize`` and is dropped, as the protocol demands."""
        return not self._initialized and data.get("method") not in (types.INITIALIZE, types.EXIT)

    def _refuse(self, number: str | int | None, error: JsonRpcException) -> None:
        if number is None:  # the request is unknown
            log.warning("%s", error.message)
        # As plain data, since lsprotocol omits an id of null.
        details = {"code": error.code, "message": error.message}
        self._send_data({"jsonrpc": self.VERSION, "id": number, "error": details})

    def _send_data(self, data: Any) -> None:
        """Send a message, unless it is the answer to ``initialize`` and has been sent before anything was loaded."""
        if self.first_answer is not None and isinstance(getattr(data, "result", None), types.InitializeResult):
            text = json.dumps(data, default=self._serialize_message)
            if self.first_answer.is_sent(data.id, text):
                return
        super()._send_data(data)

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        made = published(params) if isinstance(params, types.PublishDiagnosticsParams) else None
        if made is not None:
            self._send_data(made)
        else:
            super().notify(method, params)

    def handle_message(self, message: Any) -> None:
        """Handle a parsed message."""
        super().handle_message(message)
        if isinstance(message, types.InitializeRequest):
            self._initialized = True

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Parse a message. An unreadable request is answered with the reason; pygls would leave it unanswered.

        An unreadable answer becomes an error for the code that waits for it, which would otherwise wait for ever.
        """
        answer = "jsonrpc" in data and "id" in data and "method" not in data and "error" not in data
        asked = self._result_types.get(data["id"]) if answer else None
        if asked is types.ConfigurationResponse and not isinstance(data.get("result"), list):
            data["result"] = []  # clients without settings may answer null
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            reason = "; ".join(transform_error(error.__cause__)) if error.__cause__ is not None else error.message
            error.message = shown(f"{data.get('method', 'an answer')} cannot be read: {reason}", _LONGEST)
            if answer:
                return types.ResponseErrorMessage(data["id"], error.to_response_error())
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise

    def _execute_handler(self, msg_id: Any, handler: Any, callback: Any, args: Any = None, kwargs: Any = None) -> None:
        """Run a handler. Its future is dropped once it is done: pygls would keep those of notifications for ever."""

        def done(future: Future[Any]) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, done, args, kwargs)

    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        """Answer a request with its handler's result. Refusals are sent here, since pygls would log them as errors."""
        refused = None if future.cancelled() else future.exception()
        if isinstance(refused, Refused):
            self._request_futures.pop(msg_id, None)
            self._send_response(msg_id, error=refused.to_response_error())
        else:
            super()._send_handler_result(future, msg_id=msg_id)
