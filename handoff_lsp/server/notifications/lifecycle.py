"""initialize and initialized: the capabilities of client and server."""

from __future__ import annotations

import logging

from lsprotocol import types

from handoff_lsp.server.handlers import hook_in, on_notification
from handoff_lsp.server.language_server import ClientLog, HandoffServer
from handoff_lsp.server.notifications import configuration, watching
from handoff_lsp.server.wire.client import read_client
from handoff_lsp.server.wire.convert import path_of
from handoff_lsp.server.wire.transport import watch_parent
from handoff_lsp.workspace.config.client_settings import SECTION


def initialize(server: HandoffServer, params: types.InitializeParams) -> None:
    """Read the client's capabilities and register the features that need them. pygls builds the answer after this."""
    encoding = server.workspace.position_encoding
    name = encoding.value if isinstance(encoding, types.PositionEncodingKind) else encoding
    server.client = read_client(params.capabilities, name, params.client_info)
    logging.getLogger("handoff_lsp").addHandler(ClientLog(server))
    take_folders(server)
    configuration.start(server, params.initialization_options)
    hook_in(server)
    if params.process_id is not None:
        server.spawn(watch_parent(params.process_id, server.end))


def take_folders(server: HandoffServer) -> bool:
    """Take over the folders that the client has open, which pygls keeps; whether they are others than before."""
    paths = [path for uri in server.folder_uris if (path := path_of(uri)) is not None]
    return server.documents.set_folders(paths)


@on_notification(
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
    row=200,
    summary="Open folders are the roots of documents without a `.git` or a config above them.",
    since="0.1",
)
def on_folders(server: HandoffServer, _params: types.DidChangeWorkspaceFoldersParams) -> None:
    """The client has opened or closed a folder."""
    if take_folders(server):
        configuration.take_folders(server)
        server.reports.disk_changed()
        server.report_again(server.documents.uris)


@on_notification(types.INITIALIZED)
def initialized(server: HandoffServer, _params: types.InitializedParams) -> None:
    """Ask the client to notify changed files and settings, where it can, and to send its settings. Only once."""
    if server.settings.initialized:
        return
    server.settings.initialized = True
    if server.client.settings_change:
        options = types.DidChangeConfigurationRegistrationOptions(SECTION)
        registration = types.Registration("settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION, options)
        server.spawn(server.client_register_capability_async(types.RegistrationParams([registration])))
    configuration.ask(server)
    watching.watch(server)
