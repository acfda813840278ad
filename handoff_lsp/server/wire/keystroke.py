"""The two messages of each keystroke, converted by hand: pygls and cattrs take as long for them as the bare server.

Only their usual form is converted; with anything else, the result is None, and the message goes the way of all others.
"""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.protocol import LanguageServerProtocol


def change_in(data: dict[str, Any]) -> types.DidChangeTextDocumentParams | None:
    """The params of a change of a document, from a message as JSON has it."""
    if data.get("method") != types.TEXT_DOCUMENT_DID_CHANGE or "id" in data:
        return None
    try:
        params = data["params"]
        document, changes = params["textDocument"], params["contentChanges"]
        version, uri = document["version"], document["uri"]
        if type(version) is not int or type(changes) is not list:
            return None
        made = tuple([_one_change(change) for change in changes])
        return types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(version, uri), made)
    except (TypeError, ValueError, KeyError):
        return None


def _one_change(change: dict[str, Any]) -> types.TextDocumentContentChangePartial:
    range_, length = change["range"], change.get("rangeLength")
    place = types.Range(_position(range_["start"]), _position(range_["end"]))
    if length is not None and type(length) is not int:
        raise TypeError
    return types.TextDocumentContentChangePartial(place, change["text"], length)


def _position(position: dict[str, Any]) -> types.Position:
    line, character = position["line"], position["character"]
    if type(line) is not int or type(character) is not int:
        raise TypeError
    return types.Position(line, character)


def published(params: types.PublishDiagnosticsParams) -> dict[str, Any] | None:
    """The message that publishes an empty list of diagnostics, as the library writes it."""
    if params.diagnostics:
        return None
    version = {} if params.version is None else {"version": params.version}
    return {
        "params": {"uri": params.uri, "diagnostics": [], **version},
        "method": types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS,
        "jsonrpc": LanguageServerProtocol.VERSION,
    }
