"""The language of a command's texts: ``--lang``, else on a terminal that of the environment, else English."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from handoff_lsp.language import ENGLISH, choose_language

if TYPE_CHECKING:
    import argparse

# The command's own forms of text. A program that reads JSON, a pipe or a log gets English, wherever it runs.
_FOR_PEOPLE = {"text", "concise", "grouped", "table"}
# These talk to agents and editors: agents read English, and an editor names its own language.
_FOR_PROGRAMS = {"hook", "mcp", "server"}
# Its own words are English, and a page has one language.
_IN_ENGLISH = {"monitor", "report"}


def set_language(arguments: argparse.Namespace) -> None:
    """Set the language of this run, before any text is made."""
    choose_language(getattr(arguments, "lang", None) or _of_terminal(arguments) or ENGLISH)


def _of_terminal(arguments: argparse.Namespace) -> str:
    """The locale of a person at a terminal; empty for any other reader."""
    form = getattr(arguments, "output_format", "text")
    if arguments.command in _FOR_PROGRAMS | _IN_ENGLISH or form not in _FOR_PEOPLE or not sys.stdout.isatty():
        return ""
    return locale_of(os.environ)


def locale_of(environment: Mapping[str, str]) -> str:
    """The locale of messages in an environment, as POSIX orders its variables; empty without one."""
    return next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
