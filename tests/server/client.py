"""A small LSP client for a real server process. A test must read every message it gets.

It fails on a message that no test has read, on anything that the client has not declared, and on words on stderr.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from server.declared import Declared

import handoff_lsp

SERVER = [sys.executable, "-m", "handoff_lsp", "server"]
ROOT = Path(handoff_lsp.__file__).parents[1]
TIMEOUT = 20.0
URI = "file:///nowhere/handoffs/login-developer-handoff.md"

Message = dict[str, Any]

# Publish at once, even findings that would wait for a line to be finished.
AT_ONCE: Message = {"editor": {"wait-while-typing": False}}


class ResponseError(Exception):
    """A request was answered with an error."""

    def __init__(self, error: Message) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]


def environment() -> dict[str, str]:
    """An environment in which the server under test is the package that the tests import."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}


def encode(message: Message) -> bytes:
    """A message as sent: headers and body."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def changed(uri: str, version: int, *changes: Message) -> bytes:
    """A didChange message."""
    params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)}
    return encode({"method": "textDocument/didChange", "params": params})


def edit(start: tuple[int, int], end: tuple[int, int], text: str) -> Message:
    """A change of a range."""
    return {"range": range_(start, end), "text": text}


def range_(start: tuple[int, int], end: tuple[int, int]) -> Message:
    """An LSP range."""
    return {
        "start": {"line": start[0], "character": start[1]},
        "end": {"line": end[0], "character": end[1]},
    }


class LspClient:
    """One client with its server. As a context manager it checks that the server ends well and sent nothing more."""

    def __init__(self, capabilities: Message | None = None, *, initialize: bool = True, **params: Any) -> None:
        self.process = subprocess.Popen(
            SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
        )
        self.stderr = b""
        self.noise = b""  # text expected on stderr; by default it must be empty
        self.declared = Declared(capabilities or {})
        self._inbox: queue.Queue[Message | None] = queue.Queue()
        self._unread: list[Message] = []
        self._ids = 0
        self._sent: dict[int, str] = {}  # the methods of the requests that are not answered yet
        self.replies: dict[str, Any] = {}  # the answers to the server's requests, by method; null for others
        self._opened: dict[str, None] = {}
        self.held: set[str] = set()  # requests that a test answers itself, with `reply`
        self.asked: list[Message] = []  # the server's requests so far
        self._threads = [threading.Thread(target=target, daemon=True) for target in (self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()
        self.capabilities: Message = {}
        if initialize:
            start = {"processId": None, "rootUri": None, "initializationOptions": AT_ONCE}
            asked = {**start, "capabilities": capabilities or {}, **params}
            result = self.request("initialize", asked)
            assert result["serverInfo"] == {"name": "handoff-lsp", "version": handoff_lsp.__version__}
            self.capabilities = result["capabilities"]
            self.notify("initialized", {})

    def __enter__(self) -> LspClient:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                assert self.request("shutdown", None) is None
                self.notify("exit", None)
                assert self.process.wait(TIMEOUT) == 0, self.stderr
                self._drain(lambda _: False, until=time.monotonic() + TIMEOUT)
                assert not self._unread, f"messages that no test looked at: {self._unread}"
                for thread in self._threads:
                    thread.join(TIMEOUT)
                assert self.noise in self.stderr if self.noise else not self.stderr, self.stderr.decode()
        finally:
            self.kill()

    def kill(self) -> None:
        """End the server, whatever its state."""
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(TIMEOUT)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    # outgoing

    def write(self, *data: bytes) -> None:
        """Write messages in one go."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(data))
        self.process.stdin.flush()

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self.write(encode({"method": method, "params": params} if params is not None else {"method": method}))

    def request(self, method: str, params: Any) -> Any:
        """Send a request and wait for its answer."""
        number, data = self.prepare(method, params)
        self.write(data)
        return self.answer(number)

    def reply(self, request: Message, result: Any) -> None:
        """Answer a request of the server, which may have ended since."""
        with contextlib.suppress(BrokenPipeError):
            self.write(encode({"id": request["id"], "result": result}))

    def prepare(self, method: str, params: Any) -> tuple[int, bytes]:
        """A request to be sent later, with its id."""
        self._ids += 1
        self._sent[self._ids] = method
        self.declared.asks(method, params)
        return self._ids, encode({"id": self._ids, "method": method, "params": params})

    def open(self, text: str, uri: str = URI, version: int = 1) -> None:
        """Send didOpen."""
        self._opened[uri] = None
        item = {"uri": uri, "languageId": "markdown", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, version: int, *changes: Message, uri: str = URI) -> None:
        """Send didChange."""
        self.write(changed(uri, version, *changes))

    def save(self, uri: str = URI) -> None:
        """Send didSave."""
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def close(self, uri: str = URI) -> None:
        """Send didClose."""
        self._opened.pop(uri, None)
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    # incoming

    def answer(self, number: int) -> Any:
        """The answer to a request."""
        message = self._drain(lambda message: message.get("id") == number and "method" not in message)
        if "error" in message:
            raise ResponseError(message["error"])
        return message["result"]

    def expect(self, method: str) -> Any:
        """The parameters of the next message of a method."""
        return self._drain(lambda message: message.get("method") == method).get("params")

    def published(self, uri: str = URI) -> Message:
        """The next diagnostics of a document."""
        found: Message = self._drain(
            lambda message: (
                message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri
            )
        )["params"]
        return found

    def diagnostics(self, version: int, uri: str = URI) -> list[Message]:
        """The diagnostics of a version; those of earlier versions are skipped, later ones must not come first."""
        while True:
            params = self.published(uri)
            assert params["version"] <= version
            if params["version"] == version:
                found: list[Message] = params["diagnostics"]
                return found

    def codes(self, version: int, uri: str = URI) -> list[str]:
        """The rules with findings in a version."""
        return [item["code"] for item in self.diagnostics(version, uri)]

    def quiet(self, seconds: float = 0.3) -> None:
        """Check that no message is unread, and that none comes for a while."""
        self._drain(lambda _: False, until=time.monotonic() + seconds)
        assert not self._unread, self._unread

    def close_quietly(self) -> None:
        """Close all documents, and skip the messages about them, however late they come."""
        opened = list(self._opened)
        for uri in opened:
            self.close(uri)
        for uri in opened:
            while self.published(uri).get("version") is not None:
                pass
        self._drain(lambda _: False, until=time.monotonic() + 0.2)
        self.take_unread()

    def take_unread(self) -> list[Message]:
        """The messages so far that no test has read."""
        taken, self._unread = self._unread, []
        return taken

    def pull(self, previous: str | None = None, uri: str = URI) -> Message:
        """Ask for diagnostics."""
        params: Message = {"textDocument": {"uri": uri}, **({"previousResultId": previous} if previous else {})}
        found: Message = self.request("textDocument/diagnostic", params)
        return found

    def _drain(self, wanted: Callable[[Message], bool], until: float | None = None) -> Message:
        for index, message in enumerate(self._unread):
            if wanted(message):
                return self._unread.pop(index)
        end = time.monotonic() + TIMEOUT if until is None else until
        while True:
            try:
                message_or_end = self._inbox.get(timeout=max(end - time.monotonic(), 0))
            except queue.Empty:
                message_or_end = None
            if message_or_end is None:
                if until is not None:
                    return {}
                raise AssertionError(f"no such message; unread: {self._unread}; stderr: {self.stderr.decode()}")
            self._check(message_or_end)
            if "id" in message_or_end and "method" in message_or_end:
                self.asked.append(message_or_end)
                if message_or_end["method"] not in self.held:
                    reply = self.replies.get(message_or_end["method"])
                    self.reply(message_or_end, reply(message_or_end["params"]) if callable(reply) else reply)
            if wanted(message_or_end):
                return message_or_end
            self._unread.append(message_or_end)

    def _check(self, message: Message) -> None:
        """Check a message against the client's capabilities."""
        if "method" in message:
            self.declared.message(message)
            return
        assert message["id"] in self._sent, f"an answer to nothing, or the second one: {message}"
        method = self._sent.pop(message["id"])
        if "error" not in message:
            self.declared.answer(method, message["result"])

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                assert name in (b"Content-Length", b"Content-Type"), f"not the protocol on stdout: {line!r}"
                if name == b"Content-Length":
                    length = int(value)
            if not length:
                break
            self._inbox.put(json.loads(stream.read(length)))
        self._inbox.put(None)

    def _read_errors(self) -> None:
        stream = self.process.stderr
        assert stream is not None
        while chunk := os.read(stream.fileno(), 65536):
            self.stderr += chunk
