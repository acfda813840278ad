"""initialize and initialized: what is agreed on with the client."""

from __future__ import annotations

import logging

from lsprotocol import types

from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.server import code_actions, diagnostics
from handoff_lsp.server.client import read_client
from handoff_lsp.server.convert import path_of
from handoff_lsp.server.session import ClientLog, HandoffServer
from handoff_lsp.server.transport import watch_parent

# Configs, and the contract files that they may name.
WATCHED = ("**/.handoff-lsp.toml", "**/pyproject.toml", "**/*.{yaml,yml}")


def watched(registry: Registry) -> list[str]:
    """The patterns of the files that may change what is said of a document: configs, and what contracts refer to."""
    patterns = dict.fromkeys(WATCHED)
    for entry in registry:
        contract = entry.contract
        for companion in contract.companions.values():
            if companion.path:
                patterns[f"**/{companion.path.rpartition('/')[2]}"] = None
        for definition in contract.definitions.values():
            patterns.update(dict.fromkeys(f"**/{pattern}" for pattern in definition.files))
        if len(contract.locations) > 1:
            patterns.update(dict.fromkeys(f"**/{place}" for place in contract.locations))
    return list(patterns)


def initialize(server: HandoffServer, params: types.InitializeParams) -> None:
    """Read what the client can do, and offer what depends on it. pygls builds the capabilities after this."""
    encoding = server.workspace.position_encoding
    name = encoding.value if isinstance(encoding, types.PositionEncodingKind) else encoding
    server.client = read_client(params.capabilities, name)
    take_folders(server)
    diagnostics.offer(server)
    code_actions.offer(server)
    if params.process_id is not None:
        server.spawn(watch_parent(params.process_id, server.end))
    logging.getLogger("handoff_lsp").addHandler(ClientLog(server))


def take_folders(server: HandoffServer) -> bool:
    """Take over the folders that the client has open, which pygls keeps; whether they are others than before."""
    known = server.workspace
    uris = list(known.folders) or ([known.root_uri] if known.root_uri else [])
    return server.documents.set_folders([path for uri in uris if (path := path_of(uri)) is not None])


def on_folders(server: HandoffServer, _params: types.DidChangeWorkspaceFoldersParams) -> None:
    """The client has opened or closed a folder."""
    if take_folders(server):
        diagnostics.plan_each(server, server.documents.uris)


def initialized(server: HandoffServer, _params: types.InitializedParams) -> None:
    """Ask the client to tell of changed files, where it can."""
    if server.client.watch:
        watchers = [types.FileSystemWatcher(pattern) for pattern in watched(builtin())]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        registration = types.Registration("watched-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        server.spawn(server.client_register_capability_async(types.RegistrationParams([registration])))


def register(server: HandoffServer) -> None:
    """Hook the handlers in."""

    def on_initialize(params: types.InitializeParams) -> None:
        initialize(server, params)

    server.feature(types.INITIALIZE)(on_initialize)
    server.on_notification(types.INITIALIZED, initialized)
    server.on_notification(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, on_folders)
