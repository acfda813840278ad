"""``handoff-lsp mcp``: run the MCP server. No other command imports it."""

from __future__ import annotations

import argparse
import signal
import sys

from handoff_lsp.cli.usage import UsageError

_INSTALL = "the MCP server needs the package `mcp`, version 2: pip install 'handoff-lsp[mcp]'"


def serve(arguments: argparse.Namespace) -> int:
    """Run the server over standard input and output. Returns the exit code of the process."""
    if arguments.root is not None and not arguments.root.is_dir():
        raise UsageError(f"the root is not a folder: {arguments.root}", "mcp")
    try:
        from handoff_lsp.mcp.server import serve as serve_client
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("handoff_lsp"):
            raise
        raise UsageError(_INSTALL, "mcp") from error
    if sys.stdin.isatty():
        raise UsageError("an MCP client runs this and writes to its standard input; see docs/mcp.md", "mcp")
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # else Python waits for the next line of its input
    return serve_client(arguments.root, arguments.config)
