"""The messages of a keystroke: converted by hand, and by the library, they are the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

from handoff_lsp.server.main import create_server
from handoff_lsp.server.wire.keystroke import change_in, published

TYPED = {"range": {"start": {"line": 3, "character": 5}, "end": {"line": 3, "character": 5}}, "text": "x"}
USUAL = {"textDocument": {"uri": "file:///a.md", "version": 2}, "contentChanges": [TYPED]}
# Each replaces the value at its path in the usual params.
OTHERS: list[tuple[tuple[str | int, ...], Any]] = [
    (("contentChanges",), []),
    (("contentChanges",), [TYPED, {**TYPED, "rangeLength": 0}, {**TYPED, "text": "\u2028"}]),
    (("contentChanges", 0), {"text": "all of it"}),
    (("contentChanges", 0), None),
    (("contentChanges",), {"0": TYPED}),
    (("contentChanges", 0, "rangeLength"), 4),
    (("contentChanges", 0, "rangeLength"), None),
    (("contentChanges", 0, "rangeLength"), "4"),
    (("contentChanges", 0, "rangeLength"), -1),
    (("contentChanges", 0, "rangeLength"), True),
    (("contentChanges", 0, "more"), {"a": 1}),
    (("contentChanges", 0, "text"), None),
    (("contentChanges", 0, "text"), 7),
    (("contentChanges", 0, "range"), None),
    (("contentChanges", 0, "range"), [TYPED]),
    (("contentChanges", 0, "range", "start", "line"), -1),
    (("contentChanges", 0, "range", "start", "line"), 1.0),
    (("contentChanges", 0, "range", "start", "line"), "1"),
    (("contentChanges", 0, "range", "start", "line"), True),
    (("contentChanges", 0, "range", "end", "character"), 2**31 - 1),
    (("contentChanges", 0, "range", "end", "character"), 2**31),
    (("contentChanges", 0, "range", "end"), {}),
    (("textDocument", "version"), None),
    (("textDocument", "version"), "2"),
    (("textDocument", "version"), 2**40),
    (("textDocument", "version"), 0),
    (("textDocument", "uri"), 5),
    (("textDocument",), None),
    (("textDocument", "more"), 1),
]


def _with(path: tuple[str | int, ...], value: Any) -> Any:
    made = json.loads(json.dumps(USUAL))
    at = made
    for part in path[:-1]:
        at = at[part]
    at[path[-1]] = value
    return made


@pytest.mark.parametrize(("path", "value"), OTHERS)
def test_a_change_is_what_the_library_makes_of_it(path: tuple[str | int, ...], value: Any) -> None:
    data = {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": _with(path, value)}
    made = change_in(data)
    try:
        usual = LanguageServerProtocol.structure_message(create_server().protocol, data).params
    except JsonRpcException:
        assert made is None
    else:
        assert made is None or made == usual


def test_what_an_editor_sends_is_read_by_hand() -> None:
    for params in (USUAL, _with(*OTHERS[1]), _with(*OTHERS[5])):
        assert change_in({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params}) is not None


def test_a_request_and_other_methods_are_left_to_the_library() -> None:
    assert change_in({"jsonrpc": "2.0", "id": 1, "method": "textDocument/didChange", "params": USUAL}) is None
    assert change_in({"jsonrpc": "2.0", "method": "textDocument/didSave", "params": USUAL}) is None
    assert change_in({"jsonrpc": "2.0", "method": "textDocument/didChange"}) is None


class _Written:
    """What a protocol writes."""

    data = b""

    def write(self, data: bytes) -> None:
        self.data += data


@pytest.mark.parametrize("version", [None, 0, 7])
def test_an_empty_list_is_written_as_the_library_writes_it(version: int | None) -> None:
    server, written = create_server(), (_Written(), _Written())
    params = types.PublishDiagnosticsParams("file:///a%20b.md", [], version)
    server.protocol.set_writer(written[0])
    server.text_document_publish_diagnostics(params)
    server.protocol.set_writer(written[1])
    LanguageServerProtocol.notify(server.protocol, types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)
    assert written[0].data == written[1].data != b""
    assert published(params) is not None


def test_findings_are_left_to_the_library() -> None:
    place = types.Range(types.Position(0, 0), types.Position(0, 1))
    assert published(types.PublishDiagnosticsParams("file:///a.md", [types.Diagnostic(place, "no")], 1)) is None
