"""``handoff-lsp completion``: print a script that completes the command in a shell."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import get_args

from handoff_lsp.cli.arguments.commands import parsers
from handoff_lsp.cli.monitor.rows import CONCERNS
from handoff_lsp.cli.output.format import FORMATS
from handoff_lsp.cli.output.utf8 import write_utf8
from handoff_lsp.cli.usage import CLEAN
from handoff_lsp.contracts.model import Severity
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.language import languages
from handoff_lsp.rules.registry import all_rules

# The arguments that are files or folders, but no `Path`.
_FILES = {"path", "paths", "samples", "negative", "output", "cases", "stdin_filename", "cache_dir"}


def completion(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    import shtab  # not before it is needed

    parser, commands = parsers()
    rules, contracts = list(all_rules()), list(builtin().names)
    severities = [f"{rule}={level}" for rule in rules for level in get_args(Severity)]
    values: dict[tuple[str, str], list[str]] = {
        ("check", "output_format"): list(FORMATS),
        ("check", "select"): rules,
        ("check", "ignore"): rules,
        ("explain", "name"): [*rules, *contracts],
        ("monitor", "fail_on"): list(CONCERNS),
        ("new", "contract"): contracts,
        ("new", "profile"): sorted({name for one in builtin() for name in one.data["profiles"]}),
        ("export", "contract"): contracts,
        ("schema", "name"): [*contracts, "config", "contract", "check", "parse", "graph"],
    }
    for name, command in commands.items():
        for action in command._actions:
            if action.option_strings:
                action.metavar = None  # zsh would read the signs in it as its own
            known = getattr(action.type, "known", None) or values.get((name, action.dest))
            if action.dest == "lang":
                known = list(languages())
            elif action.dest == "severity":
                known = severities
            if known is not None:
                action.choices = known
            elif action.dest in _FILES or action.type is Path:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    write_utf8(shtab.complete(parser, arguments.shell))
    return CLEAN
