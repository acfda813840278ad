"""An editor for the cases: one real server for each encoding, and the display of its answers."""

from __future__ import annotations

import os
import re
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from editing.cases_of_editing import Case
from server.client import LspClient, Message

_EOL = re.compile(r"\r\n|\n|\r")

# A client with all capabilities. It pulls, so the server pushes no diagnostics.
CAPABILITIES: Message = {
    "experimental": {"handoff": {"choose": True}},
    "workspace": {
        "applyEdit": True,
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"]},
        "diagnostics": {"refreshSupport": True},
        "workspaceFolders": True,
        "symbol": {},
        "executeCommand": {},
    },
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "textDocument": {
        "diagnostic": {},
        "publishDiagnostics": {"relatedInformation": True, "tagSupport": {"valueSet": [1, 2]}, "dataSupport": True},
        "completion": {
            "completionItem": {
                "documentationFormat": ["markdown"],
                "insertTextModeSupport": {"valueSet": [1, 2]},
                "snippetSupport": True,
                "commitCharactersSupport": True,
            },
            "completionItemKind": {"valueSet": list(range(1, 26))},
        },
        "hover": {"contentFormat": ["markdown"]},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
            "isPreferredSupport": True,
        },
        "documentSymbol": {
            "hierarchicalDocumentSymbolSupport": True,
            "symbolKind": {"valueSet": list(range(1, 27))},
            "tagSupport": {"valueSet": [1]},
        },
        "definition": {"linkSupport": True},
        "documentLink": {"tooltipSupport": True},
        "foldingRange": {},
        "selectionRange": {},
        "rename": {"prepareSupport": True},
        "inlayHint": {"resolveSupport": {"properties": ["tooltip"]}},
        "semanticTokens": {
            "requests": {"range": True, "full": {"delta": False}},
            "tokenTypes": [],
            "tokenModifiers": [],
            "formats": ["relative"],
        },
    },
}


class Server:
    """A server for all cases in one encoding."""

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding
        self.client = LspClient({**CAPABILITIES, "general": {"positionEncodings": [encoding]}})
        assert self.client.capabilities["positionEncoding"] == encoding
        self._folder: Message | None = None

    def take_folder(self, folder: Path) -> None:
        """Make a folder the only one that is open."""
        new = {"uri": folder.as_uri(), "name": folder.name}
        removed = [self._folder] if self._folder is not None else []
        self.client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [new], "removed": removed}})
        self._folder = new


class Editor:
    """One case in an editor. Offsets are in code points; positions and ranges are the server's."""

    def __init__(self, server: Server, case: Case, folder: Path) -> None:
        self.case = case
        self.client = server.client
        self.encoding = server.encoding
        self.folder = folder
        self.uri = self.uri_of(case.path)
        self.cursor = case.selection[1]
        self._texts = {case.path: case.text, **dict(case.files)}
        for path, text in self._texts.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(text.encode())
        server.take_folder(folder)
        for path in (*case.opened, case.path):
            self.client.open(self._texts[path], uri=self.uri_of(path))

    def close(self) -> None:
        """Close the documents. Fails for messages of the server that no view read, except requests to pull again."""
        for path in (*self.case.opened, self.case.path):
            self.client.close(self.uri_of(path))
        here = {"textDocument": {"uri": self.uri}, "position": {"line": 0, "character": 0}}
        self.client.request("textDocument/hover", here)  # earlier messages have arrived when it is answered
        left = self.client.take_unread()
        assert all(message.get("method") == "workspace/diagnostic/refresh" for message in left), left

    # the way there

    def uri_of(self, path: str) -> str:
        """The URI of a file of the case."""
        return (self.folder / path).as_uri()

    def request(self, method: str, **params: Any) -> Any:
        """Send a request about the open document."""
        return self.client.request(method, {"textDocument": {"uri": self.uri}, **params})

    def position(self, offset: int | None = None, path: str | None = None) -> Message:
        """An offset (the cursor) as the server counts."""
        text = self.text_of(path)
        at = self.cursor if offset is None else offset
        starts = _starts(text)
        line = max(index for index, start in enumerate(starts) if start <= at)
        return {"line": line, "character": self._units(text[starts[line] : at])}

    def range(self, start: int | None = None, end: int | None = None) -> Message:
        """Two offsets (the selection) as the server counts."""
        selected = self.case.selection
        return {
            "start": self.position(selected[0] if start is None else start),
            "end": self.position(selected[1] if end is None else end),
        }

    # the way back

    def path_of(self, uri: str) -> str:
        """The path of a URI in the workspace; another URI as it is."""
        if not uri.startswith("file:"):
            return uri
        path = unquote(urlparse(uri).path)
        return os.path.relpath(path, self.folder) if path.startswith(f"{self.folder}/") else f"…/{Path(path).name}"

    def text_of(self, path: str | None = None) -> str:
        """The text of a file of the case; the open document without a path."""
        return self._texts[self.case.path if path is None else path]

    def offset(self, position: Message, path: str | None = None) -> int:
        """A position of the server as an offset. It must exist, and not be within a character."""
        text = self.text_of(path)
        starts = [*_starts(text), len(text) + 1]
        line, units = position["line"], position["character"]
        assert 0 <= line < len(starts) - 1, f"there is no line {line}"
        content = _EOL.split(text[starts[line] : starts[line + 1]], maxsplit=1)[0]
        for column in range(len(content) + 1):
            if self._units(content[:column]) == units:
                return starts[line] + column
        raise AssertionError(f"no place in line {line}: {units}")

    def slice(self, range_: Message, path: str | None = None) -> str:
        """The text of a range."""
        return self.text_of(path)[self.offset(range_["start"], path) : self.offset(range_["end"], path)]

    def shown(self, range_: Message, path: str | None = None) -> str:
        """A range in its line: ``3: text with «the range»``, lines counted from 1; the first line of a longer one."""
        text = self.text_of(path)
        start, end = self.offset(range_["start"], path), self.offset(range_["end"], path)
        line_start = _starts(text)[range_["start"]["line"]]
        line = _EOL.split(text[line_start:], maxsplit=1)[0]
        first, last = start - line_start, min(end - line_start, len(line))
        more = "…" if end - line_start > len(line) else ""
        return f"{range_['start']['line'] + 1}: {line[:first]}«{line[first:last]}{more}»{line[last:]}"

    def edited(self, edits: list[Message], path: str | None = None) -> str:
        """The text of a file after edits, which must not overlap."""
        text = self.text_of(path)
        spans = [
            (self.offset(edit["range"]["start"], path), self.offset(edit["range"]["end"], path), edit["newText"])
            for edit in edits
        ]
        spans.sort(key=lambda span: span[:2])
        assert all(before[1] <= after[0] for before, after in pairwise(spans)), spans
        made, at = "", 0
        for start, end, new in spans:
            made += text[at:start] + new
            at = end
        return made + text[at:]

    def changed(self, edit: Message) -> str:
        """The result of a workspace edit: the open document's text, then each other file under a line with its path."""
        made: list[str] = []
        changes = edit.get("documentChanges") or [
            {"textDocument": {"uri": uri}, "edits": edits} for uri, edits in edit["changes"].items()
        ]
        # Versions are those of open documents.
        for change in changes:
            if change.get("kind") == "rename":
                made.append(f"--- {self.path_of(change['oldUri'])} → {self.path_of(change['newUri'])}\n")
                continue
            if change.get("kind") == "create":  # it is empty, and shown by the edit that fills it
                self._texts.setdefault(self.path_of(change["uri"]), "")
                continue
            path = self.path_of(change["textDocument"]["uri"])
            text = self.edited(change["edits"], path)
            made.append(text if path == self.case.path else f"--- {path}\n{text}")
        return "".join(made)

    def _units(self, text: str) -> int:
        if self.encoding == "utf-32":
            return len(text)
        return len(text.encode("utf-8")) if self.encoding == "utf-8" else len(text.encode("utf-16-le")) // 2


def _starts(text: str) -> list[int]:
    return [0, *(match.end() for match in _EOL.finditer(text))]
