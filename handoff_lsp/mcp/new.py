"""The tool ``new``: a handoff to fill in, an example, or the instructions for one."""

from __future__ import annotations

from handoff_lsp.features.new.prompt import prompt
from handoff_lsp.features.new.suggestions import decided_profile
from handoff_lsp.library.names import UnknownNameError, entry_of, require
from handoff_lsp.mcp.arguments import NewArguments
from handoff_lsp.mcp.errors import ToolError
from handoff_lsp.mcp.folders import Folders
from handoff_lsp.mcp.known import usable_config
from handoff_lsp.mcp.results import NewResult
from handoff_lsp.mcp.tool import ToolAnswer
from handoff_lsp.samples.example import example
from handoff_lsp.samples.new_handoff import new_handoff


def new(folders: Folders, asked: NewArguments) -> ToolAnswer:
    """Make a text for a contract's profile. Raises ToolError."""
    resolver = usable_config(folders)
    registry, options = resolver.registry(None), resolver.options(None)
    try:
        entry = entry_of(registry, asked.contract)
        profile = asked.profile or decided_profile(entry.contract, "", options) or entry.contract.default_profile
        require("profile", profile, entry.contract.profiles)
    except UnknownNameError as error:
        raise ToolError(str(error)) from error
    lacks = ""
    if asked.form == "prompt":
        text = prompt(registry, entry, profile)
    elif asked.form == "example":
        text, lacks = example(registry, entry, profile, options)
    else:
        made = new_handoff(registry, entry, profile, "handoff", "", options)
        text, lacks = made.text, made.lacks
    note = f"\nNote: {lacks}" if lacks else ""
    return ToolAnswer(NewResult(entry.name, profile, asked.form, text, lacks), text + note)
