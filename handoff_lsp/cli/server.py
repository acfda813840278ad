"""``handoff-lsp server``: run the language server. No other command imports it."""

from __future__ import annotations

import argparse
import logging
import sys

from handoff_lsp.cli.usage import FAILED


def serve(arguments: argparse.Namespace) -> int:
    """Run the server over stdio, or over TCP for debugging. Returns the exit code of the process."""
    try:
        _set_up_log(arguments)
    except OSError as error:
        print(f"handoff-lsp: error: cannot log to {arguments.log_file}: {error.strerror}", file=sys.stderr)
        return FAILED
    if not arguments.tcp:
        from handoff_lsp.server.start import serve_stdio

        return serve_stdio(arguments.lang)
    from handoff_lsp.server.main import serve_tcp

    try:
        return serve_tcp(arguments.host, arguments.port, arguments.lang)
    except OSError as error:
        where = f"{arguments.host}:{arguments.port}"
        print(f"handoff-lsp: error: cannot listen on {where}: {error.strerror or error}", file=sys.stderr)
        return FAILED


def _set_up_log(arguments: argparse.Namespace) -> None:
    if arguments.log_file is None and arguments.log_level is None:
        return
    handler = (
        logging.StreamHandler()
        if arguments.log_file is None
        else logging.FileHandler(arguments.log_file, encoding="utf-8")
    )
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=(arguments.log_level or "warning").upper(), handlers=[handler])
