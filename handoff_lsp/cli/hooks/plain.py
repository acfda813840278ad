"""The arguments of a hook without options, as agents run it. A parser would take a fifth of most of these runs."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from handoff_lsp.cli.hooks.agents import NAMES

if TYPE_CHECKING:
    import argparse

# The values of the options, and of what else the parser sets, as ``arguments/commands.py`` has them.
_DEFAULTS: dict[str, Any] = {
    "command": "hook",
    "print_config": False,
    "fail_on": "error",
    "affirm": False,
    "main_message": False,
    "observe": False,
    "no_log": False,
    "since": None,
    "output_format": None,
    "retries": "1",
    "config": None,
    "lang": None,
}


def plain_arguments(argv: Sequence[str]) -> argparse.Namespace | None:
    """The parsed arguments of ``hook AGENT``; None for any other command line, which needs the parser."""
    if len(argv) != 2 or argv[0] != "hook" or argv[1] not in NAMES:
        return None
    return cast("argparse.Namespace", SimpleNamespace(agent=argv[1], **_DEFAULTS))
