"""A crash of a feature is logged and answered, and the server continues. In one process, to cause the crash."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from server.client import AT_ONCE, URI, Message
from server.documents import SOUND

from handoff_lsp.features.pages import hover
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.main import create_server
from handoff_lsp.server.publishing import reports
from handoff_lsp.server.wire.scheduling import Scheduler


class Wire:
    """Collects the server's output."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    def write(self, data: bytes) -> None:
        self.messages.append(json.loads(data))

    def close(self) -> None:
        """Nothing to close."""


class Line:
    """A server and the wire to it."""

    def __init__(self) -> None:
        self.server: HandoffServer = create_server()
        self.wire = Wire()
        self.server.protocol.set_writer(self.wire, include_headers=False)

    async def send(self, method: str, params: Any, number: int | None = None) -> list[Message]:
        """The server's answers to a message."""
        message = {"jsonrpc": "2.0", "method": method, "params": params, **({"id": number} if number else {})}
        before = len(self.wire.messages)
        protocol = self.server.protocol
        protocol.handle_message(json.loads(json.dumps(message), object_hook=protocol.structure_message))
        for _ in range(5):
            await asyncio.sleep(0)
        return self.wire.messages[before:]

    async def start(self, capabilities: Message) -> None:
        """Initialize, and open a document."""
        asked = {"processId": None, "rootUri": None, "capabilities": capabilities}
        await self.send("initialize", {**asked, "initializationOptions": AT_ONCE}, 1)
        item = {"uri": URI, "languageId": "markdown", "version": 1, "text": SOUND}
        await self.send("textDocument/didOpen", {"textDocument": item})


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    log = logging.getLogger("handoff_lsp")
    before = list(log.handlers)
    yield
    log.handlers[:] = before


def _crash(*_: object) -> None:
    raise ValueError("a crash on purpose")


def test_a_request_that_crashes(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        line = Line()
        await line.start({})
        here = {"textDocument": {"uri": URI}, "position": {"line": 3, "character": 1}}
        with monkeypatch.context() as patch:
            patch.setattr(hover, "hover", _crash)
            logged, answer = await line.send("textDocument/hover", here, 2)
        assert logged["method"] == "window/logMessage"
        assert "Traceback" in logged["params"]["message"]
        assert "a crash on purpose" in logged["params"]["message"]
        assert answer == {"jsonrpc": "2.0", "id": 2, "result": None}
        assert "a crash on purpose" in caplog.text
        (answer,) = await line.send("textDocument/hover", here, 3)
        assert answer["result"] is not None

    asyncio.run(run())


def test_a_check_that_crashes_says_nothing_instead_of_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        line = Line()
        await line.start({})
        change = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": SOUND + "\n"}]}
        with monkeypatch.context() as patch:
            patch.setattr(reports, "diagnostics", _crash)
            (logged,) = await line.send("textDocument/didChange", change)
        assert logged["method"] == "window/logMessage"
        change["textDocument"]["version"] = 3
        (published,) = await line.send("textDocument/didChange", change)
        assert published["params"]["version"] == 3

    asyncio.run(run())


def test_a_pull_that_crashes_is_an_error_instead_of_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        line = Line()
        await line.start({"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}})
        monkeypatch.setattr(reports, "diagnostics", _crash)
        _, answer = await line.send("textDocument/diagnostic", {"textDocument": {"uri": URI}}, 2)
        assert answer["error"]["code"] == -32603

    asyncio.run(run())


def test_a_document_that_crashes_is_not_told_to_be_clean_among_all(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        line = Line()
        await line.start({"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}})
        (answer,) = await line.send("workspace/diagnostic", {"previousResultIds": []}, 2)
        (report,) = answer["result"]["items"]
        known = [{"uri": report["uri"], "value": report["resultId"]}]
        monkeypatch.setattr(reports, "diagnostics", _crash)
        _, answer = await line.send("workspace/diagnostic", {"previousResultIds": known}, 3)
        assert answer["result"] == {"items": []}

    asyncio.run(run())


def test_a_notification_that_crashes(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        line = Line()
        await line.start({})
        monkeypatch.setattr(line.server.documents, "close", _crash)
        (logged,) = await line.send("textDocument/didClose", {"textDocument": {"uri": URI}})
        assert logged["method"] == "window/logMessage"

    asyncio.run(run())


def test_slow_checks_wait_and_the_newest_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    now, checked = [0.0], []

    def check(uri: str) -> None:
        now[0] += 0.05
        checked.append(uri)

    monkeypatch.setattr("handoff_lsp.server.wire.scheduling.perf_counter", lambda: now[0])

    async def run() -> None:
        checks = Scheduler(check)
        for _ in range(2):  # the first is cold and does not count
            checks.mark("a")
            checks.mark("a")
            await asyncio.sleep(0)
        assert checked == ["a", "a"]
        checks.mark("a")
        checks.mark("a")
        await asyncio.sleep(0.01)
        assert checked == ["a", "a"]
        await asyncio.sleep(0.1)
        assert checked == ["a", "a", "a"]
        now[0] += 1  # after a pause, the first change is checked at once
        checks.mark("a")
        await asyncio.sleep(0)
        assert checked.pop() == "a"
        assert len(checked) == 3
        checks.mark("a")
        checks.forget("a")
        await asyncio.sleep(0.1)
        assert checked == ["a", "a", "a"]

    asyncio.run(run())
