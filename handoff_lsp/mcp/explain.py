"""The tool ``explain``: the page about a rule, a contract, a profile, a field or a value."""

from __future__ import annotations

from handoff_lsp.features.pages.topics import UnknownTopic, listing, page
from handoff_lsp.mcp.arguments import ExplainArguments
from handoff_lsp.mcp.errors import ToolError
from handoff_lsp.mcp.folders import Folders
from handoff_lsp.mcp.known import usable_config
from handoff_lsp.mcp.results import ExplainResult
from handoff_lsp.mcp.tool import ToolAnswer


def explain(folders: Folders, asked: ExplainArguments) -> ToolAnswer:
    """Explain a name, or list all contracts and rules. Raises ToolError."""
    registry = usable_config(folders).registry(None)
    if asked.name is None:
        markdown = listing(registry)
        return ToolAnswer(ExplainResult("", "Contracts and rules", markdown), markdown)
    try:
        found = page(asked.name, registry)
    except UnknownTopic as error:
        # The command's message names an option of the command.
        raise ToolError(str(error).replace("`handoff-lsp explain --list`", "`explain` without a name")) from error
    return ToolAnswer(ExplainResult(asked.name, found.title, found.markdown), found.markdown)
