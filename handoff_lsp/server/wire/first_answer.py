"""Answers ``initialize`` before pygls is loaded, with the answer that an earlier server gave to the same client.

Loading takes ten times as long as everything before it, and the editor waits for this answer. The answer depends on the
client's capabilities alone, so a kept one is sent at once. The server then handles the very same message, and what it
would answer replaces the kept one if it differs. Any other first message is left to the server.
"""

from __future__ import annotations

import json
import logging
import re
import threading
from collections.abc import Callable
from typing import Any

from handoff_lsp.server.wire.kept import Kept
from handoff_lsp.server.wire.pipes import Stdout

log: logging.Logger = logging.getLogger(__name__)

# As pygls writes it.
_HEADER = "Content-Length: {}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n"
# As all clients write it; a message with other headers is left to the server.
_HEADERS = re.compile(rb"Content-Length: ([0-9]{1,7})\r\n\r\n")
# The longest message that is looked at (bytes).
_LONGEST = 1_000_000


def _is_uri(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("file:///") and value.isascii()


def _is_folder(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"uri", "name"}
        and _is_uri(value["uri"])
        and _is_text(value["name"])
    )


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable()


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 31


# The parameters that no answer depends on, if the server can read them.
_FREE: dict[str, Callable[[Any], bool]] = {
    "processId": _is_number,
    "rootPath": _is_text,
    "rootUri": _is_uri,
    "workspaceFolders": lambda value: isinstance(value, list) and all(map(_is_folder, value)),
    "workDoneToken": lambda value: _is_text(value) or _is_number(value),
}
_MAY_BE_NULL = {"processId", "rootPath", "rootUri", "workspaceFolders"}


class FirstAnswer:
    """The answer to the first message. ``look`` sends it, if one is kept."""

    def __init__(self, kept: Kept, stdout: Stdout) -> None:
        self.decided: threading.Event = threading.Event()
        self._kept = kept
        self._stdout = stdout
        self._key: str | None = None
        self._sent: str | None = None

    def look(self, data: bytearray) -> None:
        """Look at the input so far, and answer its first message once that has arrived."""
        if self.decided.is_set():
            return
        headers = _HEADERS.match(data)
        length = int(headers[1]) if headers is not None else 0
        if headers is not None and length <= _LONGEST:
            if len(data) < headers.end() + length:
                return
            self._answer(bytes(data[headers.end() : headers.end() + length]))
        elif headers is None and len(data) < 40 and b"\r\n\r\n" not in data:
            return
        self.decided.set()

    def is_sent(self, number: str | int, text: str) -> bool:
        """Whether the server's own answer, with the JSON ``text``, was sent already. Keeps it for the next start."""
        before, head = self._sent, _head(number)
        if self._key is None or not text.startswith(head):
            return before is not None
        self._kept.answer(self._key, text[len(head) :])
        if before not in (None, text):
            log.warning(
                "The client has got the capabilities of an earlier server; a restart of the server corrects them"
            )
        return before is not None

    def _answer(self, body: bytes) -> None:
        try:
            message = json.loads(body)
            self._key = _key(message)
            kept = self._kept.answers.get(self._key) if self._key is not None else None
        except (ValueError, RecursionError):
            return
        if kept is None:
            return
        text = _head(message["id"]) + kept
        self._stdout.write((_HEADER.format(len(text)) + text).encode())
        self._sent = text


def _key(message: Any) -> str | None:
    """All of a message that its answer may depend on; None for a message that is not as usual."""
    if not isinstance(message, dict) or message.keys() != {"jsonrpc", "id", "method", "params"}:
        return None
    number, params = message["id"], message["params"]
    if message["jsonrpc"] != "2.0" or message["method"] != "initialize" or not isinstance(params, dict):
        return None
    if not (_is_number(number) or _is_text(number)):
        return None
    for name, fits in _FREE.items():
        if name in params and not (fits(params[name]) or (params[name] is None and name in _MAY_BE_NULL)):
            return None
    return json.dumps({name: value for name, value in params.items() if name not in _FREE})


def _head(number: str | int) -> str:
    """The beginning of an answer, with the part that differs between two of them."""
    return f'{{"id": {json.dumps(number)}, '
