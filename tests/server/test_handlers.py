"""Handlers as declared: each is found, registered if the client supports it, and its crashes are caught."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

import handoff_lsp.server
from handoff_lsp.server.handlers import handlers, hook_in, on_document, rows
from handoff_lsp.server.main import create_server
from handoff_lsp.server.wire.client import Client

SERVER = Path(handoff_lsp.server.__file__).parent
_DECLARES = {"on_document", "on_request", "on_notification"}
_IN_CONTRACT_FILES = {"in_own_file"}
# Rows of methods that the server sends by itself, and handlers that users never notice.
_SENT = {types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS}
_UNSEEN = {types.INITIALIZED}


def declared_in(file: Path, by: set[str] = _DECLARES) -> int:
    """How many handlers a module declares, as it is written."""
    return sum(
        isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.func.id in by
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for decorator in node.decorator_list
    )


def test_each_declaration_is_a_handler() -> None:
    files = [file for file in SERVER.rglob("*.py") if file.name != "handlers.py"]
    assert sum(map(declared_in, files)) == len(handlers()) > 30


def test_a_module_of_requests_declares_one_or_serves_another() -> None:
    used = "".join(file.read_text(encoding="utf-8") for file in SERVER.rglob("*.py"))
    for file in (SERVER / "requests").glob("[!_]*.py"):
        assert declared_in(file, _DECLARES | _IN_CONTRACT_FILES) or f"requests.{file.stem} import" in used, (
            f"{file.name} answers nothing"
        )


def test_each_handler_has_a_row() -> None:
    assert {row.method for row in rows()} - _SENT == {handler.method for handler in handlers()} - _UNSEEN


@pytest.mark.parametrize("pull", [True, False])
def test_what_the_client_takes_is_hooked_in(pull: bool) -> None:
    server = create_server()
    server.client = Client(pull=pull)
    hook_in(server)
    hooked = set(server.protocol.fm.features) - {types.INITIALIZE}
    pulled = {types.TEXT_DOCUMENT_DIAGNOSTIC, types.WORKSPACE_DIAGNOSTIC}
    assert hooked == {handler.method for handler in handlers()} - (set() if pull else pulled)


def test_a_method_has_one_handler() -> None:
    def another(_at: Any, _params: Any) -> None: ...

    with pytest.raises(ValueError, match="textDocument/hover has two handlers"):
        on_document(types.TEXT_DOCUMENT_HOVER, empty=None, summary="Another.", since="9")(another)


def test_a_document_that_is_not_open_gets_the_empty_answer() -> None:
    server = create_server()
    params = types.FoldingRangeParams(types.TextDocumentIdentifier("file:///not/open.md"))
    (folding,) = (handler for handler in handlers() if handler.method == types.TEXT_DOCUMENT_FOLDING_RANGE)
    assert asyncio.run(folding.hook(server)(params)) == []
