"""Configs that changed: on disk, in the client, or by a save."""

from __future__ import annotations

from lsprotocol import types

from handoff_lsp.server import diagnostics
from handoff_lsp.server.session import HandoffServer


def refresh(server: HandoffServer) -> None:
    """Look at the disk again, and at each document for which a config or a file around it has changed something."""
    server.documents.refresh()
    diagnostics.plan_each(server, diagnostics.outdated(server))
    server.look_around()


def on_watched(server: HandoffServer, _params: types.DidChangeWatchedFilesParams) -> None:
    """Files changed on disk."""
    refresh(server)


def on_configuration(server: HandoffServer, _params: types.DidChangeConfigurationParams) -> None:
    """The client's settings changed. None of them is ours; the files beside them may have changed with them."""
    refresh(server)


def register(server: HandoffServer) -> None:
    """Hook the handlers in."""
    server.on_notification(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, on_watched)
    server.on_notification(types.WORKSPACE_DID_CHANGE_CONFIGURATION, on_configuration)
