"""``handoff-lsp completion``: print a script that completes the command in a shell."""

from __future__ import annotations

import argparse
from pathlib import Path

from handoff_lsp.cli.arguments.commands import parsers
from handoff_lsp.cli.output.utf8 import write_utf8
from handoff_lsp.cli.usage import CLEAN
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.language import languages
from handoff_lsp.rules.registry import all_rules

# The arguments that are files or folders, but no `Path`.
_FILES = {"path", "paths", "samples", "negative", "output", "cases", "stdin_filename"}


def completion(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    import shtab  # not before it is needed

    parser, commands = parsers()
    rules, contracts = list(all_rules()), list(builtin().names)
    values = {
        ("check", "select"): rules,
        ("check", "ignore"): rules,
        ("explain", "name"): [*rules, *contracts],
        ("new", "contract"): contracts,
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
            if known is not None:
                action.choices = known
            elif action.dest in _FILES or action.type is Path:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    write_utf8(shtab.complete(parser, arguments.shell))
    return CLEAN
