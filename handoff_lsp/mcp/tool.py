"""A tool, and its answer to a call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handoff_lsp.mcp.arguments import ToolArguments
from handoff_lsp.mcp.folders import Folders
from handoff_lsp.text.named_tuple import NamedTuple


class ToolAnswer(NamedTuple):
    """The structured result of a call, and the text that a model reads."""

    result: Any
    text: str


class Tool(NamedTuple):
    """A tool: its names for programs and people, its description for models, its types and its function.

    The function raises ToolError.
    """

    name: str
    title: str
    about: str
    arguments: type[ToolArguments]
    result: type[Any]
    run: Callable[[Folders, Any], ToolAnswer]
