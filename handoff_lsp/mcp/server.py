"""The server: the tools over MCP's standard input and output. The only module that imports the package `mcp`."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from handoff_lsp import __version__
from handoff_lsp.mcp.arguments import schema_of_arguments
from handoff_lsp.mcp.folders import Folders
from handoff_lsp.mcp.results import encodable_data, schema_of_result
from handoff_lsp.mcp.tool import Tool
from handoff_lsp.mcp.tools import TOOLS, Called, call
from handoff_lsp.rules.pages import SITE

_ABOUT = (
    "Checks the handoffs that agents write for each other, as their orchestrator reads them. Before you return a"
    " handoff, call `check` with your final message as `text`; correct the findings, and check again until the verdict"
    " is `clean`."
)
# How long a client has for the answer with its roots (seconds).
_PATIENCE = 2.0
# One that JSON escapes, alone or one of a pair.
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def serve(root: Path | None, config: Path | None) -> int:
    """Serve one client until it closes standard input. Returns the exit code of the process.

    ``root``: the workspace; left out, the roots of the client, or else the working folder. ``config``: the config of
    all files.
    """
    anyio.run(_serve, root, Path(os.path.abspath(config)) if config is not None else None)
    return 0


async def _serve(root: Path | None, config: Path | None) -> None:
    server = make_server(root, config)
    lines = _InputLines(io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace"))
    async with stdio_server(stdin=lines) as (read, write):
        await server.run(read, write, server.create_initialization_options())


def make_server(root: Path | None, config: Path | None) -> Server[Any]:
    """The server with its tools."""
    roots, one_call = _Roots(root), Lock()

    async def list_tools(_ctx: Any, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=list(map(_listed, TOOLS)))

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        folders = Folders(await roots.of(ctx), config)
        answer = partial(_in_turn, one_call, folders, params.name, params.arguments or {})
        called = await anyio.to_thread.run_sync(answer)
        content: list[types.ContentBlock] = [types.TextContent(text=called.text)]
        if called.data is None:
            return types.CallToolResult(content=content, is_error=True)
        return types.CallToolResult(content=content, structured_content=called.data)

    return Server(
        "handoff-lsp",
        version=__version__,
        title="handoff-lsp",
        instructions=_ABOUT,
        website_url=SITE,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _in_turn(one_call: Lock, folders: Folders, name: str, arguments: dict[str, Any]) -> Called:
    """A call in a thread of its own, one after another: each enters its working folder."""
    with one_call:
        return call(folders, name, arguments)


def _listed(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.about,
        input_schema=schema_of_arguments(tool.arguments),
        output_schema=schema_of_result(tool.result),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )


class _InputLines(anyio.AsyncFile[str]):
    """The lines of standard input, without lone surrogates.

    A client that cuts a text inside of an emoji sends one, and the SDK drops such a request without an answer.
    """

    async def __aiter__(self) -> AsyncIterator[str]:
        while line := await self.readline():
            yield _without_surrogates(line) if _SURROGATE.search(line) else line


def _without_surrogates(line: str) -> str:
    try:
        return json.dumps(encodable_data(json.loads(line)))
    except (ValueError, RecursionError):  # the SDK reports it
        return line


class _Roots:
    """The folders of the workspace: the named one, else those that the client names, else the working folder."""

    def __init__(self, root: Path | None) -> None:
        here = Path(os.getcwd())
        # Clients without a workspace start their servers in the root of the file system.
        self._here = (here,) if here.parent != here else ()
        self._named = (Path(os.path.abspath(root)),) if root is not None else ()
        self._asks = True

    async def of(self, ctx: Any) -> tuple[Path, ...]:
        """The folders for a call. A client that does not answer is not asked again."""
        if self._named:
            return self._named
        client = ctx.session.client_capabilities
        if self._asks and client is not None and client.roots is not None and ctx.session.can_send_request:
            try:
                with anyio.fail_after(_PATIENCE):
                    listed = await ctx.session.send_request(types.ListRootsRequest(), types.ListRootsResult)
            except Exception:
                self._asks = False
            else:
                found = tuple(path for root in listed.roots if (path := _folder(str(root.uri))) is not None)
                return found or self._here
        return self._here


def _folder(uri: str) -> Path | None:
    """The folder of a root; None for a root without a folder on this machine."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in {"", "localhost"}:
        return None
    try:
        path = Path(os.path.abspath(url2pathname(parts.path)))
        return path if path.is_dir() else None
    except (OSError, ValueError):
        return None
