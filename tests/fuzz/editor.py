"""A whole editor in the process of its server: it sends what editors send and shows what it is sent, or asks for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from lsprotocol import converters
from server.client import AT_ONCE, encode

from handoff_lsp.server import language_server
from handoff_lsp.server.main import create_server
from handoff_lsp.server.publishing import handoff_list, reports
from handoff_lsp.server.wire import scheduling
from handoff_lsp.text import Encoding
from handoff_lsp.workspace import clock

Message = dict[str, Any]

# Seconds in which nothing is sent or received, after which nothing more comes.
_QUIET = 0.004
_SHORT = 0.001

_converter = cache(converters.get_converter)  # to make one takes longer than a session


class Kind(NamedTuple):
    """What an editor can do."""

    pull: bool
    watch: bool
    parts: bool  # pulls of the workspace are answered in parts and stay open
    encoding: Encoding


class LateClock:
    """The time of the server, that can be moved on."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time() + self.ahead


@contextmanager
def hurried(time: LateClock) -> Iterator[None]:
    """No server waits for more changes, and none looks at another clock."""
    with (
        patch.object(reports, "QUIET", _SHORT),
        patch.object(reports, "PATIENCE", _SHORT),
        patch.object(handoff_list, "MOMENT", _SHORT),
        patch.object(language_server, "REFRESH", _SHORT),
        patch.object(scheduling, "SLOW", 1e9),
        patch.object(clock, "time", time),
        patch.object(converters, "get_converter", _converter),
    ):
        yield


class Editor:
    """An editor with its server, and what it shows: of each document, of the workspace, and in its own list."""

    def __init__(self, kind: Kind, folders: list[Path]) -> None:
        self.kind = kind
        self.shown: dict[str, list[Message]] = {}  # by URI: the diagnostics that were pushed, or pulled one by one
        self.workspace: dict[str, list[Message]] = {}  # those that were pulled for the workspace
        self.rows: list[Message] | None = None  # the list of all handoffs
        self.versions: dict[str, int] = {}  # of the open documents
        self._folders = folders
        self._ids: dict[str, str] = {}
        self._number = 0
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._messages = 0
        self._watches_workspace = False
        self._server = create_server()
        self._server.protocol.set_writer(self)

    async def start(self) -> None:
        """Say what the editor can do."""
        workspace: Message = {"workspaceFolders": True}
        document: Message = {"publishDiagnostics": {"relatedInformation": True}}
        if self.kind.pull:
            workspace["diagnostics"] = {"refreshSupport": True}
            document["diagnostic"] = {"relatedInformation": True}
        if self.kind.watch:
            workspace["didChangeWatchedFiles"] = {"dynamicRegistration": True}
        capabilities = {
            "general": {"positionEncodings": [self.kind.encoding]},
            "workspace": workspace,
            "textDocument": document,
            "experimental": {"handoff": {"didChangeHandoffs": True}},
        }
        params = {"processId": None, "rootUri": None, "initializationOptions": AT_ONCE, "capabilities": capabilities}
        await self.request("initialize", {**params, "workspaceFolders": [_folder(path) for path in self._folders]})
        self.notify("initialized", {})

    # what goes out

    def notify(self, method: str, params: Message) -> None:
        """Send a notification."""
        self._take({"method": method, "params": params})

    async def request(self, method: str, params: Message) -> Any:
        """Send a request and wait for its answer."""
        self._number += 1
        number = self._number
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._take({"id": number, "method": method, "params": params})
        return await answer

    def open(self, uri: str, text: str) -> None:
        """Open a document."""
        self.versions[uri] = 1
        item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        self._pull_soon(uri)

    def change(self, uri: str, change: Message) -> None:
        """Send an edit."""
        self.versions[uri] += 1
        about = {"uri": uri, "version": self.versions[uri]}
        self.notify("textDocument/didChange", {"textDocument": about, "contentChanges": [change]})
        self._pull_soon(uri)

    def close(self, uri: str) -> None:
        """Close a document. What was pulled of it is shown no longer."""
        del self.versions[uri]
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        if self.kind.pull:
            self.shown.pop(uri, None)

    def set_folders(self, folders: list[Path]) -> None:
        """Open other folders."""
        added = [_folder(path) for path in folders if path not in self._folders]
        removed = [_folder(path) for path in self._folders if path not in folders]
        self._folders = folders
        self.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": added, "removed": removed}})

    async def watch_workspace(self) -> None:
        """Show the diagnostics of all documents from now on, and the list of all handoffs."""
        self._watches_workspace = True
        if not self.kind.pull:
            await self._check_workspace()
        elif self.kind.parts:
            self._spawn(self._hold_workspace())
        else:
            await self._pull_workspace()
        await self._list()

    async def settle(self) -> None:
        """Wait until nothing more comes."""
        quiet = 0
        while quiet < 3:
            before = self._messages
            await asyncio.sleep(_QUIET)
            quiet = quiet + 1 if self._messages == before and not self._busy() else 0

    async def pull_anew(self) -> None:
        """Ask for everything once more, as an editor does from time to time that cannot watch the disk."""
        if self._watches_workspace and self.kind.pull and not self.kind.parts:
            await self._pull_workspace()
        elif self._watches_workspace and not self.kind.pull:
            await self._check_workspace()
        if self.rows is not None:
            await self._list()

    def end(self) -> None:
        """Let go of the server."""
        for task in (*self._tasks, *self._server._tasks, *asyncio.all_tasks()):
            if task is not asyncio.current_task():
                task.cancel()

    # what comes in

    def write(self, data: bytes) -> None:
        """Take what the server sends."""
        self._messages += 1
        message = json.loads(data.partition(b"\r\n\r\n")[2])
        method, number = message.get("method"), message.get("id")
        if method is None:
            answer = self._waiting.pop(number)
            if not answer.done():
                answer.set_result(message.get("result"))
        elif method == "textDocument/publishDiagnostics":
            params = message["params"]
            version = params.get("version")
            if version is None or version == self.versions.get(params["uri"]):
                self.shown[params["uri"]] = params["diagnostics"]
        elif method == "workspace/diagnostic/refresh":
            for uri in self.versions:
                self._pull_soon(uri)
            if self._watches_workspace and not self.kind.parts:
                self._spawn(self._pull_workspace())
        elif method == "$/progress":
            value = message["params"]["value"]
            self._take_reports(value.get("items", ()))
        elif method == handoff_list.CHANGED:
            self._spawn(self._list())
        if method is not None and number is not None:
            asyncio.get_running_loop().call_soon(self._take, {"id": number, "result": None})

    def _take(self, message: Message) -> None:
        self._messages += 1
        self._server.protocol.take(encode(message).partition(b"\r\n\r\n")[2])

    def _busy(self) -> bool:
        """Whether the server is about to check something."""
        server = self._server
        planned = server.checks._waiting or server.checks._queue or server.looks._waiting or server.refresh._planned
        # One that follows the workspace, or answers a pull in parts, rests only while it waits for a change.
        holds = self._watches_workspace and self.kind.pull and self.kind.parts
        rests = bool(server.reports._changed._waiters)
        return bool(planned or ((server.reports.followed or holds) and not rests) or len(self._waiting) > holds)

    def _pull_soon(self, uri: str) -> None:
        if self.kind.pull:
            self._spawn(self._pull(uri))

    async def _pull(self, uri: str) -> None:
        version = self.versions.get(uri)
        answer = await self.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        if version is not None and self.versions.get(uri) == version and answer is not None:
            self.shown[uri] = answer["items"]

    async def _check_workspace(self) -> None:
        params = {"command": "handoff.checkWorkspace", "arguments": [{"quiet": True}]}
        await self.request("workspace/executeCommand", params)

    async def _pull_workspace(self) -> None:
        self._take_reports((await self.request("workspace/diagnostic", self._known()))["items"])

    async def _hold_workspace(self) -> None:
        while True:
            answer = await self.request("workspace/diagnostic", {**self._known(), "partialResultToken": "parts"})
            self._take_reports(answer["items"] if answer is not None else ())
            await asyncio.sleep(_SHORT)

    def _known(self) -> Message:
        return {"previousResultIds": [{"uri": uri, "value": value} for uri, value in self._ids.items()]}

    def _take_reports(self, items: Any) -> None:
        for item in items:
            if item["kind"] == "full":
                self.workspace[item["uri"]] = item["items"]
                self._ids.pop(item["uri"], None)
                if item.get("resultId") is not None:
                    self._ids[item["uri"]] = item["resultId"]

    async def _list(self) -> None:
        self.rows = await self.request("workspace/executeCommand", {"command": "handoff.listHandoffs"})

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _folder(path: Path) -> Message:
    return {"uri": path.as_uri(), "name": path.name}
