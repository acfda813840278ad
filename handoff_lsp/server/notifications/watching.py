"""The files whose changes the client is asked to notify, where it can."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.workspace.config.config_file import Config
from handoff_lsp.workspace.config.contract_files import SUFFIXES
from handoff_lsp.workspace.disk.walking import SUFFIXES as DOCUMENT_SUFFIXES

# Config files.
CONFIGS = ("**/.handoff-lsp.toml", "**/pyproject.toml")
# Files that may hold a handoff, besides those that contracts name.
DOCUMENTS = tuple(f"**/*{suffix}" for suffix in DOCUMENT_SUFFIXES)
_ID = "watched-files"


def watch(server: HandoffServer) -> None:
    """Register for changes of the files that matter under the current configs, in place of those registered before."""
    if not server.client.watch:
        return
    settings = server.settings
    settings.to_watch = tuple(_patterns(server))
    if settings.to_watch != settings.watched and not settings.registering:
        settings.registering = True
        server.spawn(_register(server))


async def _register(server: HandoffServer) -> None:
    settings, method = server.settings, types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    try:
        while settings.watched != settings.to_watch:  # it may change while the client answers
            if settings.watching:
                settings.watching = False
                old = types.UnregistrationParams([types.Unregistration(_ID, method)])
                await server.client_unregister_capability_async(old)
            settings.watched = settings.to_watch
            watchers = [types.FileSystemWatcher(pattern) for pattern in settings.watched]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            new = types.RegistrationParams([types.Registration(_ID, method, options)])
            await server.client_register_capability_async(new)
            settings.watching = True
    finally:
        settings.registering = False


def _patterns(server: HandoffServer) -> dict[str, None]:
    """The patterns of all open folders and documents, in a fixed order."""
    resolver = server.resolver
    paths: list[Path | None] = [Path(folder) / "_" for folder in resolver.workspaces]
    paths += [document.path for uri in server.documents.uris if (document := server.documents.get(uri)) is not None]
    registries = {id(registry): registry for registry in map(resolver.registry, paths)}
    more = {pattern for path in paths for pattern in of_config(resolver.config(path))}
    more.update(pattern for registry in registries.values() for pattern in of_registry(registry))
    found = dict.fromkeys((*CONFIGS, *DOCUMENTS, *of_registry(builtin())))
    found.update(dict.fromkeys(sorted(more)))
    return found


def of_config(config: Config) -> list[str]:
    """The patterns of the files that a config names: itself, if it has another name, contracts, and handoffs."""
    named = [path.name for path in (config.path, *config.extended) if path is not None]
    contracts = [each for one in config.contract_files for each in _of_contracts(one.pattern)]
    whole = [rule.pattern for rule in config.files if rule.contract is not None]
    return [f"**/{pattern.removeprefix('./')}" for pattern in (*named, *contracts, *whole)]


def _of_contracts(pattern: str) -> list[str]:
    """The patterns of the files that one of `contract-files` means: it may be a folder's name."""
    folder = not any(char in pattern for char in "*?[") and not pattern.endswith(SUFFIXES)
    return [f"{pattern.rstrip('/')}/*{suffix}" for suffix in SUFFIXES] if folder else [pattern]


def of_registry(registry: Registry) -> list[str]:
    """The patterns of the files that contracts put documents beside."""
    patterns: dict[str, None] = {}
    for entry in registry:
        contract = entry.contract
        for companion in contract.companions.values():
            if companion.path:
                patterns[f"**/{companion.path.rpartition('/')[2]}"] = None
        for definition in contract.definitions.values():
            patterns.update(dict.fromkeys(f"**/{pattern}" for pattern in (*definition.files, *definition.inside)))
        if len(contract.locations) > 1:
            patterns.update(dict.fromkeys(f"**/{place}" for place in contract.locations))
    return list(patterns)
