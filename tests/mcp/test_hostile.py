"""Whatever a client sends, the answer is a result or an error of the protocol, and the server goes on."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from .conftest import BAD, ROOT, Connect, text_of

_STRINGS = (
    "",
    "x",
    BAD,
    "\0",
    "../../../../etc/passwd",
    "/dev/zero",
    "file:///etc/passwd",
    "status-block",
    "status-block@developer",
    "status-block.status=",
    "sdd-apply",
    "missing-status",
    "@",
    ".",
    "*",
    "a" * 70_000,
    "[" * 20_000,
    "```\n" * 2_000,
    "é\u202e🎈\r\n\x1b[31m",
    "NOTES.md",
    "board/bad-handoff.md",
    "{{" * 500,
    "## Status\ncomplete\n" * 50,
)
_OTHERS: tuple[Any, ...] = (None, True, 3, -1.5e300, [], {}, ["x"], {"text": "x"}, [[[[]]]])
_NAMES = {
    "check": ("text", "path", "contract", "profile", "agent"),
    "parse": ("text", "path"),
    "new": ("contract", "profile", "form"),
    "explain": ("name",),
    "owed": ("agent",),
    "no such tool": ("text",),
    "": ("",),
}


def _arguments(chance: random.Random, names: tuple[str, ...]) -> dict[str, Any]:
    """Some of a tool's arguments, and seldom others; most of the values are strings."""
    names = names if chance.random() < 0.9 else (*names, "unknown", "__class__")
    chosen = chance.sample(names, min(len(names), chance.choice((0, 1, 1, 1, 2, 2, 3))))
    return {name: chance.choice(_STRINGS if chance.random() < 0.9 else _OTHERS) for name in chosen}


def test_any_arguments(connect: Connect, workspace: Path) -> None:
    session, chance = connect(workspace), random.Random(18)
    errors = results = 0
    for _ in range(400):
        tool = chance.choice(list(_NAMES))
        arguments = _arguments(chance, _NAMES[tool])
        result = session.result(tool, arguments)
        text = text_of(result)
        assert text.strip() or tool == "new", (tool, arguments)
        assert len(text) < 20_000, (tool, arguments)
        assert "internal error" not in text, (tool, arguments, text)
        if tool not in {"parse"}:  # which has the fields as JSON
            assert "\x1b" not in text
        errors += result.is_error
        results += not result.is_error
    assert min(errors, results) > 60, (errors, results)
    assert session.call("check", text=BAD)[0]["verdict"]["state"] == "findings"
    assert session.errors.read_text(encoding="utf-8") == ""


class Pipe:
    """A server whose input and output a test writes and reads as they are. One that hangs is ended after a minute."""

    def __init__(self, folder: Path) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  closed at the end
        self.process = subprocess.Popen(
            [sys.executable, "-m", "handoff_lsp", "mcp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        self._watch = threading.Timer(60, self.process.kill)
        self._watch.start()

    def __enter__(self) -> Pipe:
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
        assert self.ask("initialize", about)["result"]["serverInfo"]["name"] == "handoff-lsp"
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def __exit__(self, *_about: object) -> None:
        self._watch.cancel()
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self._errors):
            with suppress(OSError):
                stream.close()

    def send(self, message: dict[str, Any] | bytes) -> None:
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the server has closed its output"
        message: dict[str, Any] = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return message

    def ask(self, method: str, params: Any, number: int = 1) -> dict[str, Any]:
        """The answer to a request."""
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == number:
                return message

    def close(self) -> tuple[int, str]:
        """The exit code after the end of the input, and the text of standard error."""
        rest, _ = self.process.communicate(timeout=60)
        for line in rest.splitlines():
            assert json.loads(line)["jsonrpc"] == "2.0"
        return self.process.returncode, self.errors()

    def errors(self) -> str:
        """The text of standard error so far."""
        self._errors.seek(0)
        return self._errors.read().decode("utf-8")


def test_any_message(workspace: Path) -> None:
    """Not JSON, no request, no such method, wrong parameters: the server answers the next request all the same."""
    lines = [
        b"",
        b"hello",
        b"{",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "1.0", "id": 9, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": [], "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 9, "result": {}}',
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 77}}',
        b"[" * 100_000,
        b'{"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": ' + b'{"a":' * 5_000 + b"1" + b"}" * 5_001,
    ]
    lines += [
        json.dumps({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": each}).encode() for each in ([], 3)
    ]
    wrong = [None, {}, {"name": 3}, {"name": "check", "arguments": []}, {"name": "check", "arguments": "x"}]
    with Pipe(workspace) as pipe:
        for number, line in enumerate(lines, 10):
            pipe.send(line)
            assert "result" in pipe.ask("ping", {}, number), line[:80]
        for number, params in enumerate(wrong, 100):
            assert "error" in pipe.ask("tools/call", params, number), params
        assert "error" in pipe.ask("no/such/method", {}, 200)
        found = pipe.ask("tools/call", {"name": "check", "arguments": {"text": BAD}}, 300)["result"]
        assert found["structuredContent"]["verdict"]["state"] == "findings"
        code, errors = pipe.close()
    assert code == 0
    assert "Traceback" not in errors


def test_half_an_emoji(workspace: Path) -> None:
    """A client that cuts a text in UTF-16 may send one."""
    with Pipe(workspace) as pipe:
        for number, text in enumerate((BAD + "\ud83d", BAD + "\ude00", BAD + "😀"), 1):
            found = pipe.ask("tools/call", {"name": "check", "arguments": {"text": text}}, number)["result"]
            assert found["structuredContent"]["findings"][0]["rule"] == "invalid-value"
        told = pipe.ask("tools/call", {"name": "check", "arguments": {"\udc00": "\udc00"}})["result"]
        assert told["content"][0]["text"].startswith("unknown argument `?`")
        assert pipe.close() == (0, "")


def test_a_large_text_over_the_wire(workspace: Path) -> None:
    with Pipe(workspace) as pipe:
        params = {"name": "check", "arguments": {"text": "x" * 20_000_000}}
        found = pipe.ask("tools/call", params)["result"]["structuredContent"]
        assert found["verdict"]["reason"].startswith("too large")
        assert pipe.close() == (0, "")


def test_calls_that_are_sent_at_once_are_all_answered(workspace: Path) -> None:
    paths = ["board/bad-handoff.md", "NOTES.md", "board/good-handoff.md", "missing.md"]
    expected = ("findings", "not checked", "clean", "not checked")
    with Pipe(workspace) as pipe:
        for number in range(20, 60):
            params = {"name": "check", "arguments": {"path": paths[number % 4]}}
            pipe.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
        answers = [pipe.receive() for _ in range(20, 60)]
        assert {answer["id"] for answer in answers} == set(range(20, 60))
        for answer in answers:
            state = answer["result"]["structuredContent"]["verdict"]["state"]
            assert state == expected[answer["id"] % 4]
        assert pipe.close() == (0, "")


def test_a_client_that_goes_away(workspace: Path) -> None:
    """In the middle of a call: the process ends, without a word."""
    params = {"name": "check", "arguments": {"text": BAD * 200}}
    with Pipe(workspace) as pipe:
        assert pipe.process.stdin is not None and pipe.process.stdout is not None
        pipe.send({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": params})
        pipe.process.stdout.close()
        pipe.process.stdin.close()
        assert pipe.process.wait(timeout=50) == 0
        assert pipe.errors() == ""


@pytest.mark.skipif(os.name == "nt", reason="no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_client_that_ends_it(number: signal.Signals, workspace: Path) -> None:
    with Pipe(workspace) as pipe:
        pipe.process.send_signal(number)
        assert pipe.process.wait(timeout=50) == -number
        assert pipe.errors() == ""
