"""All tools, and calling one: an error of the caller, and one of ours, is a result."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from handoff_lsp.contracts.names import did_you_mean
from handoff_lsp.mcp.arguments import (
    CheckArguments,
    DocumentArguments,
    ExplainArguments,
    NewArguments,
    OwedArguments,
    arguments_of,
)
from handoff_lsp.mcp.check import check
from handoff_lsp.mcp.errors import ToolError
from handoff_lsp.mcp.explain import explain
from handoff_lsp.mcp.folders import Folders
from handoff_lsp.mcp.new import new
from handoff_lsp.mcp.owed import owed
from handoff_lsp.mcp.parse import parse
from handoff_lsp.mcp.results import (
    CheckResult,
    ExplainResult,
    NewResult,
    OwedResult,
    ParseResult,
    encodable,
    result_data,
)
from handoff_lsp.mcp.tool import Tool
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.text.printable import printable

TOOLS: tuple[Tool, ...] = (
    Tool(
        "check",
        "Check a handoff",
        "Checks a handoff (a status block, result envelope, agent contract, …) as its orchestrator reads it. Call it"
        " with your final message as `text` before you return it, or with the `path` of a handoff that you wrote. The"
        " verdict is `clean`, `findings` (correct them with the given edits, and check again) or `not checked` with the"
        " reason.",
        CheckArguments,
        CheckResult,
        check,
    ),
    Tool(
        "parse",
        "Parse handoffs",
        "Reads the handoffs in a text or a file: their fields in one shape for every format, and the orchestrator's"
        " decision about each.",
        DocumentArguments,
        ParseResult,
        parse,
    ),
    Tool(
        "new",
        "Write a new handoff",
        "Returns the text of a new handoff of a contract: with placeholders to replace, as a filled example, or as"
        " instructions. It writes no file.",
        NewArguments,
        NewResult,
        new,
    ),
    Tool(
        "explain",
        "Explain a rule or a contract",
        "Explains a rule of a finding, or a contract, profile, field or value. Without a name it lists all contracts"
        " and rules.",
        ExplainArguments,
        ExplainResult,
        explain,
    ),
    Tool(
        "owed",
        "What an agent owes",
        "Says what an agent owes its orchestrator at its end: which handoff, where, from where that is known, and the"
        " block to emit.",
        OwedArguments,
        OwedResult,
        owed,
    ),
)

_BY_NAME = {tool.name: tool for tool in TOOLS}
_log = logging.getLogger(__name__)


class Called(NamedTuple):
    """The result of a call: a text, and the structured result, None for an error."""

    text: str
    data: dict[str, Any] | None


def call(folders: Folders, name: str, arguments: Mapping[str, Any]) -> Called:
    """Call a tool. Never raises: each error is a result, whose text says what to do."""
    try:
        tool = _BY_NAME.get(name)
        if tool is None:
            hint = did_you_mean(name, _BY_NAME) or f"; there are {', '.join(_BY_NAME)}"
            raise ToolError(f"unknown tool `{name[:80]}`{hint}")
        asked = arguments_of(tool.arguments, arguments)
        folders.enter()
        answer = tool.run(folders, asked)
        return Called(encodable(answer.text), result_data(answer.result))
    except ToolError as error:
        return Called(printable(str(error)), None)
    except Exception as error:
        _log.exception("the tool %s failed", name[:80])
        about = f"{type(error).__name__}: {error}"[:500]
        return Called(printable(f"internal error, please report it ({about})"), None)
