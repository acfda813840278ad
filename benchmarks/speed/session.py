"""One session of a language server: its start, its first diagnostics, its keystrokes and its memory."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter
from typing import Any

from markdown_it import MarkdownIt

from benchmarks.server_process import ServerProcess
from benchmarks.speed.tools import CODE_JSON, CODE_MARKDOWN

# These answer requests for diagnostics; VS Code's JSON server would publish them, but after a wait of 0.3 s.
PULLED = (CODE_MARKDOWN, CODE_JSON)


class _Made(str):
    """A result that is JSON already."""


class Session(ServerProcess):
    """A server with one folder. Times are in seconds, from the first byte sent."""

    def __init__(self, name: str, command: list[str], folder: Path, env: dict[str, str] | None = None) -> None:
        self.name, self.folder, self.uri = name, folder, ""
        self.times: list[float] = []
        self.version, self.typed, self.found = 0, False, 0
        self.idle = 0.0  # the processor time before the measured keystrokes
        self._tokens = ""
        self.began = perf_counter()
        super().__init__(command, env=env)
        capabilities: dict[str, Any] = {
            "workspace": {"configuration": True, "workspaceFolders": True},
            "textDocument": {"publishDiagnostics": {"versionSupport": True, "relatedInformation": True}},
        }
        if name in PULLED:
            capabilities["textDocument"]["diagnostic"] = {}
        options = {"editor": {"wait-while-typing": False}, "markdownFileExtensions": ["md"]}
        self.initialize(
            rootUri=folder.as_uri(),
            workspaceFolders=[{"uri": folder.as_uri(), "name": folder.name}],
            capabilities=capabilities,
            initializationOptions=options,
        )
        self.started = perf_counter() - self.began
        if name == CODE_MARKDOWN:
            self.notify("workspace/didChangeConfiguration", {"settings": _MARKDOWN_SETTINGS})

    def open(self, path: Path, language: str = "markdown") -> float:
        """Open a document, and return the time to its first diagnostics."""
        self.uri, self.version, text = path.as_uri(), 1, path.read_text(encoding="utf-8")
        if self.name == CODE_MARKDOWN:
            tokens = MarkdownIt("commonmark").enable("table").parse(text)
            self._tokens = json.dumps([token.as_dict() for token in tokens])
        item = {"uri": self.uri, "languageId": language, "version": 1, "text": text}
        began = perf_counter()
        self.notify("textDocument/didOpen", {"textDocument": item})
        self.wait()
        return perf_counter() - began

    @property
    def since_spawn(self) -> float:
        """The time since the process was started."""
        return perf_counter() - self.began

    def wait(self) -> None:
        """Read until the diagnostics of the newest version."""
        if self.name in PULLED:
            number = self.request("textDocument/diagnostic", {"textDocument": {"uri": self.uri}})
            while "method" in (message := self.read()) or message["id"] != number:
                pass
            self.found = len(message["result"]["items"])
            return
        while True:
            message = self.read()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == self.uri:
                if message["params"].get("version", self.version) == self.version:
                    self.found = len(message["params"]["diagnostics"])
                    return

    def type(self, line: int, column: int) -> None:
        """Type a letter, or take it out again, and note the time to its diagnostics. Both numbers are from 0."""
        self.version += 1
        place = {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + self.typed}}
        change = {"range": place, "text": "" if self.typed else "x"}
        self.typed = not self.typed
        document = {"uri": self.uri, "version": self.version}
        began = perf_counter()
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        self.wait()
        self.times.append(perf_counter() - began)

    def reply(self, method: str, params: Any) -> Any:
        """An editor with default settings. VS Code's Markdown server gets the tokens of the opened text."""
        if method == "workspace/configuration":
            return [{} for _ in params["items"]]
        if method == "markdown/parse":
            return _Made(self._tokens)
        if method == "markdown/findMarkdownFilesInWorkspace":
            return [self.uri]
        return None

    def send(self, message: dict[str, Any]) -> None:
        """Write one message. Tokens are JSON already, as the client's work does not count."""
        if not isinstance(made := message.get("result"), _Made):
            super().send(message)
            return
        body = f'{{"jsonrpc": "2.0", "id": {json.dumps(message["id"])}, "result": {made}}}'.encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()


_MARKDOWN_SETTINGS = {
    "markdown": {
        "server": {"log": "off"},
        "suggest": {"paths": {"enabled": True}},
        "occurrencesHighlight": {"enabled": False},
        "validate": {
            "enabled": True,
            "referenceLinks": {"enabled": "warning"},
            "fragmentLinks": {"enabled": "warning"},
            "fileLinks": {"enabled": "warning", "markdownFragmentLinks": "inherit"},
            "ignoredLinks": [],
            "unusedLinkDefinitions": {"enabled": "hint"},
            "duplicateLinkDefinitions": {"enabled": "warning"},
        },
    }
}
