"""The arguments of a command. A wrong one is refused with the reason."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeGuard

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from handoff_lsp.contracts.names import nearest
from handoff_lsp.rules.rule import shown
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.session.session import Request
from handoff_lsp.server.wire.convert import path_of
from handoff_lsp.server.wire.protocol import Refused
from handoff_lsp.workspace.config.config_file import relative_to
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text
from handoff_lsp.workspace.store import OpenDocument


class Arguments:
    """The arguments of a command by name.

    They come as one object, or as the document's URI followed by an object with the rest. In the second form a range,
    a position, or a field's path as a text may be that object. Unknown arguments are ignored.
    """

    def __init__(self, command: str, given: Sequence[Any] | None, progress: types.ProgressToken | None = None) -> None:
        self._command = command
        self.progress = progress  # the token for progress reports of a long command
        self._named: dict[str, Any] = {}
        for index, value in enumerate(given or ()):
            if index > 1 or not (isinstance(value, dict) or (isinstance(value, str) and value)):
                raise self.wrong(f"argument {index + 1} is {_as_json(value)}, but only a URI and an object are taken")
            self._named.update(_by_name(value, index))

    def wrong(self, reason: str) -> Refused:
        """The error for wrong arguments."""
        return Refused(f"{self._command}: {reason}", JsonRpcInvalidParams.CODE)

    def failed(self, reason: str) -> Refused:
        """The error for a command with valid arguments that cannot be executed."""
        return Refused(f"{self._command}: {reason}")

    def text(self, name: str) -> str | None:
        """A text that is not empty; None if it is missing."""
        value = self._named.get(name)
        if value is not None and not (isinstance(value, str) and value):
            wrong = "is empty" if value == "" else f"is {_as_json(value)}, but it must be a string"
            raise self.wrong(f"`{name}` {wrong}")
        return value

    def needed(self, name: str) -> str:
        """A text that is required."""
        value = self.text(name)
        if value is None:
            raise self.wrong(f"`{name}` is missing")
        return value

    def one_of(self, name: str, known: Sequence[str]) -> str | None:
        """One of the ``known`` texts; None if it is missing."""
        value = self.text(name)
        if value is not None and value not in known:
            near = nearest(value, known, cutoff=0.6)
            meant = f"did you mean `{near}`?" if near else f"known are {', '.join(known)}"
            raise self.wrong(f"there is no {name} `{shown(value)}`; {meant}")
        return value

    def flag(self, name: str) -> bool:
        """True or false; false if it is missing."""
        value = self._named.get(name, False)
        if not isinstance(value, bool):
            raise self.wrong(f"`{name}` is {_as_json(value)}, but it must be true or false")
        return value

    def position(self, name: str = "position") -> types.Position | None:
        """A position in the client's encoding; None if it is missing."""
        value = self._named.get(name)
        return None if value is None else self._position(name, value)

    def range(self, name: str = "range") -> types.Range | None:
        """A range in the client's encoding; None if it is missing."""
        value = self._named.get(name)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.wrong(f"`{name}` is {_as_json(value)}, but it must be a range")
        start, end = (self._position(f"{name}.{part}", value.get(part)) for part in ("start", "end"))
        return types.Range(start, end)

    def _position(self, name: str, value: object) -> types.Position:
        line, character = (value.get("line"), value.get("character")) if isinstance(value, dict) else (None, None)
        if not _is_count(line) or not _is_count(character):
            raise self.wrong(f"`{name}` is {_as_json(value)}, but it must be a position: a line and a character from 0")
        return types.Position(line, character)

    def opened(self, server: HandoffServer, uri: str) -> Request:
        """The document of a URI: an open one, or a file on disk in one of the open folders."""
        document = server.documents.get(uri)
        if document is None:
            path = path_of(uri)
            if path is None or not is_inside(server, path):
                raise self.wrong(f"{shown(uri)} is neither open nor in one of the open folders")
            try:
                document = OpenDocument(uri, path, None, read_text(path))
            except UnreadableFile as error:
                raise self.wrong(f"{shown(uri)} cannot be read: {error.reason}") from error
        return server.request(document)


def is_inside(server: HandoffServer, path: Path) -> bool:
    """Whether a file is in one of the open folders, both by its path and after links are resolved."""
    full = os.path.abspath(path)
    for folder in server.resolver.workspaces:
        name = relative_to(full, folder)
        if name is not None and server.documents.files.inside(folder, name, folder) is not None:
            return True
    return False


def _by_name(value: Any, index: int) -> dict[str, Any]:
    if isinstance(value, str):
        return {"uri" if index == 0 else "field": value}
    if index == 1 and "start" in value and "end" in value:
        return {"range": value}
    return {"position": value} if index == 1 and "line" in value else value


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31


def _as_json(value: object) -> str:
    return shown(json.dumps(value, ensure_ascii=False, default=str))
