"""The output format of `check` without `--output-format`: that of the environment, `agent` for an AI agent, or text."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from handoff_lsp.cli.usage import UsageError

if TYPE_CHECKING:
    import argparse

FORMAT = "HANDOFF_LSP_OUTPUT_FORMAT"

# The variables that AI agents set for the commands they run. The names are those of std-env (unjs), and of the shell
# tools of Copilot CLI, goose and Qwen Code. `AI_AGENT` is for any agent.
AGENTS = (
    "AI_AGENT",
    "AUGMENT_AGENT",
    "CLAUDECODE",
    "CLAUDE_CODE",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "COPILOT_CLI",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "GOOSE_TERMINAL",
    "JUNIE_DATA",
    "JUNIE_SHIM_PATH",
    "OPENCODE",
    "QWEN_CODE",
)
# These are set in a person's terminal, too, so they count only where the output is not shown on one.
PLACES = ("REPL_ID",)


def choose_format(arguments: argparse.Namespace) -> None:
    """Set the format of a run that names none, and ``because``: the variable that chose it. Raises UsageError."""
    arguments.because = ""
    if arguments.output_format is not None:
        return
    arguments.output_format = "text"
    if arguments.diff or arguments.fix_only or arguments.statistics:
        return
    if named := os.environ.get(FORMAT):
        arguments.output_format = _known(named)
    elif not arguments.output:
        arguments.because = agent_variable(os.environ, terminal=sys.stdout.isatty())
        arguments.output_format = "agent" if arguments.because else "text"


def agent_variable(environment: Mapping[str, str], *, terminal: bool) -> str:
    """The variable that says that an AI agent runs the command; empty without one, and where it is set to nothing.

    ``terminal``: the output is shown on a terminal. That alone says nothing: some agents run commands in one.
    """
    return next((name for name in (*AGENTS, *(() if terminal else PLACES)) if environment.get(name)), "")


def _known(name: str) -> str:
    import argparse  # not before it is needed

    from handoff_lsp.cli.arguments.values import format_name

    try:
        return format_name(name)
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"`{FORMAT}`: {error}", "check") from None
