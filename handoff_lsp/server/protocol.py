"""pygls's protocol without the work that is done here already, and with an answer to every request."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any

from cattrs import transform_error
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

from handoff_lsp.rules.rule import shown

if TYPE_CHECKING:
    from cattrs import Converter
    from pygls.lsp.server import LanguageServer

# pygls keeps its own copy of every text, which goes wrong on U+2028; ours is the only one (see sync.py).
_OWN = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    # pygls's own runs a command under a name of its own, so that no cancellation ever finds it (see commands.py).
    types.WORKSPACE_EXECUTE_COMMAND,
)


# What pygls logs with the traceback of a message that cannot be read.
_UNREADABLE = "Unable to deserialize message\n%s"

# Of why a message cannot be read no more than so many characters are told.
_LONGEST = 300


class Refused(JsonRpcException):
    """A request that is answered with the reason why not, in words for users. It is not logged: nothing is broken."""

    CODE = int(types.LSPErrorCodes.RequestFailed)


class UnreadableMessages(logging.Filter):
    """Keeps the tracebacks of messages that cannot be read out of the log: one line tells of each (see session.py)."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is about something else."""
        error = record.exc_info[1] if record.exc_info else None
        return not (isinstance(error, (JsonRpcException, JSONDecodeError)) or record.msg == _UNREADABLE)


class HandoffProtocol(LanguageServerProtocol):
    """The protocol as this server speaks it."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        super().__init__(server, converter)
        for method in _OWN:
            self.fm.builtin_features.pop(method)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Read a message. A request that cannot be read is answered with the reason; pygls leaves it unanswered.

        An answer that cannot be read is an error for whoever waits for it, who would else wait for ever.
        """
        answer = "jsonrpc" in data and "id" in data and "method" not in data and "error" not in data
        asked = self._result_types.get(data["id"]) if answer else None
        if asked is types.ConfigurationResponse and not isinstance(data.get("result"), list):
            data["result"] = []  # some clients have no settings at all, and say so with null
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            told = "; ".join(transform_error(error.__cause__)) if error.__cause__ is not None else error.message
            error.message = shown(f"{data.get('method', 'an answer')} cannot be read: {told}", _LONGEST)
            if answer:
                return types.ResponseErrorMessage(data["id"], error.to_response_error())
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise

    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        """Answer a request with what its handler made of it; pygls logs a refusal as if something were broken."""
        refused = None if future.cancelled() else future.exception()
        if isinstance(refused, Refused):
            self._request_futures.pop(msg_id, None)
            self._send_response(msg_id, error=refused.to_response_error())
        else:
            super()._send_handler_result(future, msg_id=msg_id)
