"""The harness itself: it rejects messages beyond the client's capabilities, and accepts all others."""

from __future__ import annotations

from typing import Any

import pytest
from server.client import LspClient
from server.declared import Declared, Undeclared
from server.profiles import VSCODE

ITEM: dict[str, Any] = {"range": {}, "message": "m"}
SNIPPET = {"label": "x", "insertTextFormat": 2, "textEdit": {"newText": "${1:x}"}}
SYMBOL = {"name": "x", "kind": 1, "range": {}, "selectionRange": {}}


def sent(method: str, params: Any, *, request: bool = True) -> dict[str, Any]:
    """A message of the server."""
    return {"method": method, "params": params, **({"id": 1} if request else {})}


def registered(method: str) -> dict[str, Any]:
    """A registration."""
    return sent("client/registerCapability", {"registrations": [{"id": "x", "method": method}]})


MESSAGES = [
    sent("workspace/configuration", {"items": []}),
    sent("workspace/diagnostic/refresh", None),
    sent("workspace/codeLens/refresh", None),
    sent("window/workDoneProgress/create", {"token": 1}),
    sent("window/showDocument", {"uri": "file:///x"}),
    sent("workspace/applyEdit", {"edit": {"changes": {}}}),
    registered("workspace/didChangeWatchedFiles"),
    registered("workspace/didChangeConfiguration"),
]
ANSWERS = [
    ("textDocument/completion", [SNIPPET]),
    ("textDocument/completion", [{"label": "x", "labelDetails": {"detail": "d"}}]),
    ("textDocument/completion", [{"label": "x", "preselect": True}]),
    ("textDocument/completion", [{"label": "x", "kind": 20}]),
    ("textDocument/completion", [{"label": "x", "documentation": {"kind": "markdown", "value": "v"}}]),
    ("textDocument/completion", {"items": [], "itemDefaults": {"data": 1}}),
    ("textDocument/hover", {"contents": {"kind": "markdown", "value": "v"}}),
    ("textDocument/codeAction", [{"title": "t", "kind": "quickfix", "edit": {"changes": {}}}]),
    ("textDocument/documentSymbol", [SYMBOL]),
    ("textDocument/definition", [{"targetUri": "file:///x"}]),
    ("textDocument/documentLink", [{"tooltip": "t"}]),
    ("textDocument/rename", {"documentChanges": []}),
    ("textDocument/diagnostic", {"kind": "full", "items": [{**ITEM, "tags": [1]}]}),
    ("textDocument/diagnostic", {"kind": "full", "items": [{**ITEM, "codeDescription": {"href": "h"}}]}),
    ("textDocument/diagnostic", {"kind": "full", "items": [{**ITEM, "relatedInformation": []}]}),
    ("workspace/diagnostic", {"items": [{"uri": "file:///x", "kind": "full", "items": [{**ITEM, "data": 1}]}]}),
    ("initialize", {"capabilities": {"renameProvider": {"prepareProvider": True}}}),
    ("initialize", {"capabilities": {"codeActionProvider": {"resolveProvider": True}}}),
    ("initialize", {"capabilities": {"diagnosticProvider": {}}}),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: str(message["params"])[:60])
def test_messages(message: dict[str, Any]) -> None:
    Declared(VSCODE).message(message)
    with pytest.raises(Undeclared):
        Declared({}).message(message)


@pytest.mark.parametrize(("method", "result"), ANSWERS, ids=lambda value: str(value)[:60])
def test_answers(method: str, result: Any) -> None:
    Declared(VSCODE).answer(method, result)
    with pytest.raises(Undeclared):
        Declared({}).answer(method, result)


@pytest.mark.parametrize(
    "message",
    [
        sent("handoff/special", {}),
        sent("handoff/special", {}, request=False),
        sent("$/progress", {"token": 7}, request=False),
        sent("textDocument/publishDiagnostics", {"uri": "file:///x", "diagnostics": []}, request=False),
        sent("client/unregisterCapability", {"unregisterations": [{"id": "x", "method": "m"}]}),
    ],
    ids=lambda message: message["method"],
)
def test_what_no_client_gets(message: dict[str, Any]) -> None:
    with pytest.raises(Undeclared):
        Declared(VSCODE).message(message)


@pytest.mark.parametrize(
    ("method", "result"),
    [
        ("textDocument/codeAction", [{"title": "t", "command": "of.another.server"}]),
        ("textDocument/codeAction", [{"title": "t", "kind": "quickfix", "disabled": None}]),
        ("textDocument/rename", {"changeAnnotations": {}, "documentChanges": [{"kind": "copy"}]}),
        ("textDocument/completion", [{"label": "x", "insertText": "${1:x}"}]),
        ("textDocument/semanticTokens/full", {"data": [0, 0, 5, 1, 0, 0, 3, 2, 1, 0]}),
    ],
    ids=str,
)
def test_what_no_client_is_answered(method: str, result: Any) -> None:
    poor = {key: value for key, value in VSCODE["textDocument"].items() if key != "codeAction"}
    literals = {"codeActionLiteralSupport": {}}
    with pytest.raises(Undeclared):
        Declared({**VSCODE, "textDocument": {**poor, "codeAction": literals}}).answer(method, result)


def test_words_on_stderr_and_unread_messages_fail() -> None:
    client = LspClient()
    client.change(2, {"text": "x"})
    client.expect("window/logMessage")
    with pytest.raises(AssertionError, match="not open, was ignored"):
        client.__exit__(None, None, None)
    client = LspClient()
    client.open("# A\n")
    with pytest.raises(AssertionError, match="no test looked at"):
        client.__exit__(None, None, None)
