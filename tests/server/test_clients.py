"""Whole sessions with pytest-lsp, which also checks that no answer uses what its client did not declare."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import converters, types
from server.client import SERVER, URI, environment
from server.documents import SOUND, WITHOUT_STATUS
from server.profiles import PROFILES


def _client() -> pytest_lsp.LanguageClient:
    client = pytest_lsp.make_test_lsp_client()

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(_params: types.RegistrationParams) -> None:
        """Accept the server's registrations."""

    return client


CONFIG = pytest_lsp.ClientServerConfig(server_command=SERVER, server_env=environment(), client_factory=_client)


@pytest_lsp.fixture(config=CONFIG)
async def client(lsp_client: pytest_lsp.LanguageClient) -> AsyncIterator[None]:
    """A client with a session that the test begins itself."""
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio
@pytest.mark.parametrize("name", PROFILES)
async def test_a_session(client: pytest_lsp.LanguageClient, name: str, tmp_path: Path) -> None:
    profile = PROFILES[name]
    pull = profile.pull
    made = converters.get_converter().structure(profile.capabilities, types.ClientCapabilities)
    root = types.WorkspaceFolder(tmp_path.as_uri(), "root")
    session = await client.initialize_session(types.InitializeParams(made, workspace_folders=[root]))
    assert session.capabilities.position_encoding == profile.encoding
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
    literals = made.text_document and made.text_document.code_action
    assert bool(actions) is bool(literals and literals.code_action_literal_support)

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
