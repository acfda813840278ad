"""The contracts of the workspace: the built-in ones, and those of its config."""

from __future__ import annotations

from handoff_lsp.contracts.options import Options
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.mcp.errors import ToolError
from handoff_lsp.mcp.folders import Folders
from handoff_lsp.workspace.config.config_file import ConfigError
from handoff_lsp.workspace.config.resolver import Resolver


def known_contracts(folders: Folders) -> tuple[Registry, Options]:
    """The contracts and the settings of the working folder. Raises ToolError for a broken config."""
    resolver = Resolver(explicit=folders.config)
    try:
        resolver.require(None)
    except ConfigError as error:
        line = f":{error.line}" if error.line is not None else ""
        raise ToolError(f"the config is broken: {error.path}{line}: {error.message}") from error
    return resolver.registry(None), resolver.options(None)
