"""A client of the SDK that drives the server over real standard input and output, and a workspace for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from cli.documents import BAD
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, ListRootsResult, Root, TextContent, Tool

ROOT = Path(__file__).parents[2]
GOOD = BAD.replace("compleet", "complete")


class Session:
    """A connection to a server; ``errors`` is the file with its standard error."""

    def __init__(self, client: Client, portal: BlockingPortal, errors: Path) -> None:
        self._client, self._portal, self.errors = client, portal, errors

    def tools(self) -> list[Tool]:
        return self._portal.call(self._client.list_tools).tools

    def result(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        """The result of a call; the client has compared it with the tool's output schema."""
        return self._portal.call(self._client.call_tool, tool, arguments)

    def call(self, tool: str, **arguments: Any) -> tuple[dict[str, Any], str]:
        """The structured result of a call without an error, and its text."""
        result = self.result(tool, arguments)
        assert not result.is_error, text_of(result)
        return result.structured_content, text_of(result)

    def refused(self, tool: str, **arguments: Any) -> str:
        """The text of a call with an error."""
        result = self.result(tool, arguments)
        assert result.is_error
        assert result.structured_content is None
        return text_of(result)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


Connect = Callable[..., Session]


@pytest.fixture(scope="module")
def connect(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connect]:
    """Start a server in a folder, with options, and connect a client to it.

    ``roots``: the client has these workspace folders, which only clients of the first protocols (``legacy``) name.
    """
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())

        def start(folder: Path, *options: str, mode: str = "auto", roots: list[str] | None = None) -> Session:
            errors = tmp_path_factory.mktemp("server") / "stderr.txt"
            log = stack.enter_context(errors.open("w", encoding="utf-8"))
            server = StdioServerParameters(
                command=sys.executable,
                args=["-m", "handoff_lsp", "mcp", *options],
                env={"PYTHONPATH": str(ROOT)},
                cwd=folder,
            )

            async def named(_context: Any) -> ListRootsResult:
                return ListRootsResult(roots=[Root.model_validate({"uri": root}) for root in roots or []])

            callback: Any = named if roots is not None else None
            client = Client(stdio_client(server, log), mode="legacy" if roots else mode, list_roots_callback=callback)
            return Session(stack.enter_context(portal.wrap_async_context_manager(client)), portal, errors)

        yield start


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a handoff with one error, a correct one, a plain note, and files that cannot be read."""
    root = tmp_path_factory.mktemp("workspace")
    (root / "board").mkdir()
    (root / "board" / "bad-handoff.md").write_text(BAD, encoding="utf-8")
    (root / "board" / "good-handoff.md").write_text(GOOD, encoding="utf-8")
    (root / "NOTES.md").write_text("# Notes\n\nMilk.\n", encoding="utf-8")
    (root / "binary.md").write_bytes(b"\0\1\2")
    (root / "utf16.md").write_bytes("# Notes".encode("utf-16"))
    (root / "huge.md").write_bytes(b"x" * 5_000_001)
    return root


@pytest.fixture(scope="module")
def session(connect: Connect, workspace: Path) -> Session:
    """A client of a server in the workspace."""
    return connect(workspace)
