"""Configs that changed: on disk, in the client's settings, or by a save.

The settings of a client go over the config files: what it sent at the start (``initializationOptions``), then what it
pushed since, then what it answers when it is asked for a folder.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from typing import Any

from lsprotocol import types

from handoff_lsp.server.handlers import on_notification
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.notifications import watching
from handoff_lsp.server.publishing import diagnostics
from handoff_lsp.server.wire.convert import path_of
from handoff_lsp.workspace.config.client_settings import MAX_DEPTH, SECTION, is_deeper, merged, settings_of
from handoff_lsp.workspace.store import OpenDocument

log: logging.Logger = logging.getLogger(__name__)


def refresh(server: HandoffServer) -> None:
    """Look at the disk again, and at each document for which a config or a file around it has changed something."""
    server.reports.disk_changed()
    _follow(server)


def refresh_views(server: HandoffServer) -> None:
    """Ask the client to refresh hints, lenses and tokens, where it supports that."""
    client, offered = server.client, server.server_capabilities
    if client.lens_refresh and offered.code_lens_provider is not None:
        server.spawn(server.workspace_code_lens_refresh_async(None))
    if client.hint_refresh and offered.inlay_hint_provider is not None:
        server.spawn(server.workspace_inlay_hint_refresh_async(None))
    if client.token_refresh and offered.semantic_tokens_provider is not None:
        server.spawn(server.workspace_semantic_tokens_refresh_async(None))


def start(server: HandoffServer, options: object) -> None:
    """Take the settings that come with ``initialize``."""
    server.settings.initial = _read(options)
    _take(server)


def ask(server: HandoffServer) -> None:
    """Ask the client for its settings, if it supports that: those of each folder, and those of all other files."""
    if server.client.settings:
        server.spawn(_ask(server))


def take_folders(server: HandoffServer) -> None:
    """Apply the current settings to the folders that are open now, until the client sends theirs."""
    _take(server)
    watching.watch(server)
    ask(server)


def opened(server: HandoffServer, document: OpenDocument) -> None:
    """Record the settings under which a document is shown from now on."""
    server.settings.shown[document.uri] = _shown(server, document)


def closed(server: HandoffServer, uri: str) -> None:
    """Forget that."""
    server.settings.shown.pop(uri, None)


@on_notification(
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
    row=190,
    summary=(
        "Configs, their contract files, Markdown and companion files, if the client watches files; otherwise "
        "a file is checked again when it is used. Registered again when a config names other files."
    ),
    since="0.1",
)
def on_watched(server: HandoffServer, _params: types.DidChangeWatchedFilesParams) -> None:
    """Files changed on disk."""
    refresh(server)


_ANY_FILE = types.FileOperationRegistrationOptions([types.FileOperationFilter(types.FileOperationPattern("**/*"))])


@on_notification(
    types.WORKSPACE_DID_CREATE_FILES,
    options=_ANY_FILE,
    row=190,
    summary="Reads the files and everything that depends on them again.",
    since="0.1",
)
@on_notification(types.WORKSPACE_DID_RENAME_FILES, options=_ANY_FILE, row=191, summary="The same.", since="0.1")
@on_notification(types.WORKSPACE_DID_DELETE_FILES, options=_ANY_FILE, row=192, summary="The same.", since="0.1")
def on_files(server: HandoffServer, _params: object) -> None:
    """Files were created, renamed or deleted in the editor."""
    refresh(server)


@on_notification(
    types.WORKSPACE_DID_CHANGE_CONFIGURATION,
    row=210,
    summary=(
        "[Settings](settings.md) that override the config files, pushed, or requested for each folder with "
        "`workspace/configuration`. Only affected documents are checked again."
    ),
    since="0.1",
)
def on_configuration(server: HandoffServer, params: types.DidChangeConfigurationParams) -> None:
    """The client's settings have changed: it sends them or is asked for them. Config files may have changed, too."""
    if isinstance(params.settings, Mapping):
        server.settings.pushed = _read(params.settings, shared=True)
        _take(server)
    refresh(server)
    ask(server)


def _read(sent: object, *, shared: bool = False) -> dict[str, Any]:
    """A client's settings in the shape of a config file; empty if they nest too deeply."""
    if is_deeper(sent, MAX_DEPTH):
        log.warning("The settings are ignored: they are nested more than %d deep", MAX_DEPTH)
        return {}
    return settings_of(sent, shared=shared)


async def _ask(server: HandoffServer) -> None:
    settings = server.settings
    settings.asked += 1
    number, folders = settings.asked, server.folder_uris
    items = [types.ConfigurationItem(folder, SECTION) for folder in (None, *folders)]
    answer: Sequence[Any] = await server.workspace_configuration_async(types.ConfigurationParams(items)) or ()
    if number != settings.asked:
        return  # asked again since: the other answer is the newer one
    told = [*answer, *[None] * len(items)]
    settings.general = _read(told[0])
    settings.folders = {uri: _read(each) for uri, each in zip(folders, told[1:], strict=False)}
    if _take(server):
        server.reports.disk_changed()
        _follow(server)


def _take(server: HandoffServer) -> bool:
    """Let the settings count that are known; whether they are others than before."""
    settings = server.settings
    base = merged(settings.initial, settings.pushed)
    folders = {}
    for uri in server.folder_uris:
        path = path_of(uri)
        if path is not None:
            folders[os.path.abspath(path)] = merged(base, settings.folders.get(uri, settings.general))
    return server.resolver.set_overrides(merged(base, settings.general), folders)


def _follow(server: HandoffServer) -> None:
    """Check the documents whose settings have changed, publish the configs' problems, and watch the files they name."""
    changed = diagnostics.look_around(server)
    diagnostics.tell_problems(server)
    watching.watch(server)
    for uri, before in server.settings.shown.items():
        document = server.documents.get(uri)
        if document is not None and before != (now := _shown(server, document)):
            server.settings.shown[uri] = now
            changed = True
    if changed:
        refresh_views(server)


def _shown(server: HandoffServer, document: OpenDocument) -> tuple[object, ...]:
    resolver, path = server.resolver, document.path
    return resolver.config(path).editor, resolver.options(path), resolver.registry(path)
