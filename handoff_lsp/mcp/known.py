"""The config of the working folder, with its contracts."""

from __future__ import annotations

from handoff_lsp.mcp.errors import ToolError
from handoff_lsp.mcp.folders import Folders
from handoff_lsp.workspace.config.config_file import ConfigError
from handoff_lsp.workspace.config.resolver import Resolver


def usable_config(folders: Folders) -> Resolver:
    """The config as it is on disk now. Raises ToolError if it is broken; without its broken contracts it is usable."""
    resolver = Resolver(explicit=folders.config)
    try:
        resolver.require(None)
    except ConfigError as error:
        line = f":{error.line}" if error.line is not None else ""
        raise ToolError(f"the config is broken: {error.path}{line}: {error.message}") from error
    return resolver
