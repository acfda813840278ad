"""All commands with their arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from handoff_lsp import __version__
from handoff_lsp.cli import help_texts
from handoff_lsp.cli.arguments.check import add_baseline, add_check, add_sync
from handoff_lsp.cli.arguments.contracts import add_config_commands, add_contract, add_schemas
from handoff_lsp.cli.arguments.handoffs import (
    add_doctor,
    add_explain,
    add_graph,
    add_monitor,
    add_new,
    add_parse,
    add_report,
)
from handoff_lsp.cli.arguments.parser import Parser, add_config
from handoff_lsp.cli.arguments.values import beginning, language, one_of, port
from handoff_lsp.cli.hooks.agents import NAMES as AGENTS
from handoff_lsp.cli.usage import LOG_LEVELS, SEVERITIES

SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")


def parsers(command: str | None = None) -> tuple[Parser, dict[str, Parser]]:
    """The parser of the command line, and the parsers of its commands by name.

    With a ``command`` that exists only those that are added with it: all of them take a tenth of a short run.
    """
    parser = Parser(prog="handoff-lsp", description=help_texts.ABOUT, epilog=help_texts.MORE)
    parser.add_argument("--version", action="version", version=f"handoff-lsp {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    actions: dict[str, Parser] = {}
    for _, add in [row for row in _COMMANDS if command in row[0]] or _COMMANDS:
        actions.update(add(commands) or {})
    return parser, {**commands.choices, **actions}


def _add_hook(commands: Any) -> None:
    hook = commands.add_parser(
        "hook", help="answer the hooks of agents", description=help_texts.HOOK_ABOUT, epilog=help_texts.HOOK_MORE
    )
    hook.add_argument(
        "agent", type=one_of(*AGENTS, "report"), metavar="AGENT|report", help=f"one of {', '.join(AGENTS)}; or `report`"
    )
    hook.add_argument("--print-config", action="store_true", help="print the agent's hook configuration and its path")
    hook.add_argument(
        "--fail-on",
        type=one_of(*SEVERITIES),
        default="error",
        metavar="|".join(SEVERITIES),
        help="lowest severity that an agent must correct (default: error)",
    )
    hook.add_argument("--affirm", action="store_true", help="also confirm correct handoffs")
    hook.add_argument(
        "--main-message",
        action="store_true",
        help="also check the final message of the main agent, not only of subagents",
    )
    hook.add_argument(
        "--retries",
        type=one_of("0", "1", "2", "3", "4"),
        default="1",
        metavar="0-4",
        help="how often in a row an agent is sent back at its end (default: 1)",
    )
    add_config(hook)
    hook.add_argument("--observe", action="store_true", help="answer nothing; only log what the answer would be")
    hook.add_argument("--no-log", action="store_true", help="keep no log of what became of returns")
    hook.add_argument("--lang", type=language, metavar="LANG", help=help_texts.LANG)
    report = hook.add_argument_group("options of `hook report`")
    report.add_argument(
        "--since", type=beginning, metavar="TIME", help="length of time, such as 24h, or a date (default: 7d)"
    )
    report.add_argument("--output-format", type=one_of("text", "json"), metavar="text|json", help="(default: text)")


def _add_completion(commands: Any) -> None:
    completion = commands.add_parser(
        "completion",
        help="print a script that completes the command in a shell",
        description=help_texts.COMPLETION_ABOUT,
        epilog=help_texts.COMPLETION_MORE,
    )
    completion.add_argument("shell", type=one_of(*SHELLS), metavar="SHELL", help=f"one of {', '.join(SHELLS)}")


def _add_mcp(commands: Any) -> None:
    mcp = commands.add_parser(
        "mcp", help="run the MCP server", description=help_texts.MCP_ABOUT, epilog=help_texts.MCP_MORE
    )
    mcp.add_argument(
        "--root", type=Path, metavar="FOLDER", help="the workspace (default: the client's roots, or this folder)"
    )
    add_config(mcp, "for all files")


def _add_server(commands: Any) -> None:
    server = commands.add_parser("server", help="run the language server", description=help_texts.SERVER_ABOUT)
    server.add_argument("--stdio", action="store_true", help="use standard input and output (default)")
    server.add_argument("--tcp", action="store_true", help="listen on a port instead, for debugging")
    server.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    server.add_argument(
        "--port", type=port, default=2087, help="port to listen on (default: %(default)s; 0: any free port)"
    )
    server.add_argument("--log-file", type=Path, metavar="FILE", help="log file (default: standard error)")
    server.add_argument(
        "--log-level", type=one_of(*LOG_LEVELS), metavar="|".join(LOG_LEVELS), help="log level (default: warning)"
    )
    # Some clients add it to every server's command line; the process is in `initialize`, too.
    server.add_argument("--clientProcessId", help=argparse.SUPPRESS)
    server.add_argument("--lang", type=language, metavar="LANG", help="en or ja (default: the editor's language)")


_Add = Callable[[Any], dict[str, Parser] | None]

# The commands in the order of the help, with the function that adds them and may return the parsers of their actions.
_COMMANDS: tuple[tuple[tuple[str, ...], _Add], ...] = (
    (("check",), add_check),
    (("parse",), add_parse),
    (("new",), add_new),
    (("explain",), add_explain),
    (("doctor",), add_doctor),
    (("baseline",), add_baseline),
    (("sync",), add_sync),
    (("monitor",), add_monitor),
    (("report",), add_report),
    (("graph",), add_graph),
    (("init", "config"), add_config_commands),
    (("contract",), add_contract),
    (("schema", "export"), add_schemas),
    (("hook",), _add_hook),
    (("completion",), _add_completion),
    (("mcp",), _add_mcp),
    (("server",), _add_server),
)
