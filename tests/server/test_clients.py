"""Whole sessions with pytest-lsp, which also checks that no answer uses what its client did not declare."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from server.client import SERVER, URI, environment
from server.documents import SOUND, WITHOUT_STATUS


def _client() -> pytest_lsp.LanguageClient:
    client = pytest_lsp.make_test_lsp_client()

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(_params: types.RegistrationParams) -> None:
        """Take what the server registers."""

    return client


CONFIG = pytest_lsp.ClientServerConfig(server_command=SERVER, server_env=environment(), client_factory=_client)


def _vscode() -> types.ClientCapabilities:
    """VS Code as it is today: the profile of pytest-lsp is from before pull and encodings."""
    capabilities = pytest_lsp.client_capabilities("visual-studio-code")
    assert capabilities.text_document is not None
    assert capabilities.workspace is not None
    capabilities.general = types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf16])
    capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities(related_document_support=False)
    capabilities.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    return capabilities


def _neovim() -> types.ClientCapabilities:
    return pytest_lsp.client_capabilities("neovim@0.11.0")


def _emacs() -> types.ClientCapabilities:
    capabilities = pytest_lsp.client_capabilities("emacs")
    kinds = [types.PositionEncodingKind.Utf32, types.PositionEncodingKind.Utf8, types.PositionEncodingKind.Utf16]
    capabilities.general = types.GeneralClientCapabilities(position_encodings=kinds)
    return capabilities


CLIENTS = {
    "vscode": (_vscode, "utf-16", True),
    "neovim": (_neovim, "utf-8", False),
    "emacs": (_emacs, "utf-32", False),
    "bare": (types.ClientCapabilities, "utf-16", False),
}


@pytest_lsp.fixture(config=CONFIG)
async def client(lsp_client: pytest_lsp.LanguageClient) -> AsyncIterator[None]:
    """A client whose session the test begins itself."""
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio
@pytest.mark.parametrize("name", CLIENTS)
async def test_a_session(client: pytest_lsp.LanguageClient, name: str, tmp_path: Path) -> None:
    made, encoding, pull = CLIENTS[name]
    root = types.WorkspaceFolder(tmp_path.as_uri(), "root")
    params = types.InitializeParams(capabilities=made(), workspace_folders=[root], process_id=None)
    session = await client.initialize_session(params)
    assert session.capabilities.position_encoding == encoding
    assert (session.capabilities.diagnostic_provider is not None) is pull

    item = types.TextDocumentItem(URI, "markdown", 1, WITHOUT_STATUS)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    here = types.TextDocumentIdentifier(URI)
    if pull:
        report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(here))
        found = list(report.items)
        assert URI not in client.diagnostics
    else:
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        found = list(client.diagnostics[URI])
    missing = next(each for each in found if each.code == "missing-status")

    context = types.CodeActionContext([missing])
    asked = types.CodeActionParams(here, missing.range, context)
    actions = await client.text_document_code_action_async(asked)
    assert bool(actions) is (name != "bare")

    new = types.VersionedTextDocumentIdentifier(version=2, uri=URI)
    changes = [types.TextDocumentContentChangeWholeDocument(SOUND)]
    client.text_document_did_change(types.DidChangeTextDocumentParams(new, changes))
    hover = await client.text_document_hover_async(types.HoverParams(here, types.Position(3, 2)))
    assert hover is not None
    items = await client.text_document_completion_async(types.CompletionParams(here, types.Position(3, 0)))
    assert isinstance(items, types.CompletionList)
    resolved = await client.completion_item_resolve_async(items.items[0])
    assert resolved.label == items.items[0].label
    if pull:
        report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(here))
        assert list(report.items) == []
        assert client.diagnostics == {}
    else:
        assert list(client.diagnostics[URI]) == []
