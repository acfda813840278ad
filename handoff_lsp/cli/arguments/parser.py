"""The parser of a command, and the options that several commands have."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, Protocol

from handoff_lsp.cli.arguments.values import one_of
from handoff_lsp.cli.usage import UsageError, did_you_mean


class Parser(argparse.ArgumentParser):
    """A parser that raises its errors as exceptions."""

    formatter_class: Any

    def __init__(self, **settings: Any) -> None:
        # Each argument is tried with a formatter; one without a width loads `shutil` to ask the terminal.
        super().__init__(formatter_class=partial(argparse.HelpFormatter, width=80), allow_abbrev=False, **settings)

    def format_help(self) -> str:
        from handoff_lsp.cli.help_format import HelpFormatter  # not before help is shown

        self.formatter_class = HelpFormatter
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, self.prog.partition(" ")[2])


class OptionGroup(Protocol):
    """A parser, or a group of options in its help."""

    def add_argument(self, *flags: str, **settings: Any) -> Any: ...


def add_config(options: OptionGroup, scope: str = "") -> None:
    """Add ``--config``; ``scope`` is what it counts for, such as ``for all files``."""
    help_text = f"config file{' ' if scope else ''}{scope}, instead of the nearest one"
    options.add_argument("--config", type=Path, metavar="FILE", help=help_text)


def add_output_format(options: OptionGroup, *formats: str) -> None:
    """Add ``--output-format``; the first format is the default."""
    options.add_argument(
        "--output-format",
        type=one_of(*formats),
        default=formats[0],
        metavar="|".join(formats),
        help=f"(default: {formats[0]})",
    )


def add_settings(options: OptionGroup) -> None:
    """Add the options that go before the config."""
    add_severity(options)
    add_excluding(options)


def add_severity(options: OptionGroup) -> None:
    """Add ``--severity``."""
    options.add_argument(
        "--severity",
        action="append",
        default=[],
        metavar="RULE=LEVEL",
        help="severity of a rule: error, warning, information, hint or off; may be repeated",
    )


def add_excluding(options: OptionGroup) -> None:
    """Add the options that choose files and configs."""
    options.add_argument(
        "--exclude", action="append", default=[], metavar="GLOB[,…]", help="ignore these files, instead of the config's"
    )
    options.add_argument(
        "--extend-exclude", action="append", default=[], metavar="GLOB[,…]", help="ignore these files, too"
    )
    options.add_argument("--force-exclude", action="store_true", help="also ignore named files")
    options.add_argument("--isolated", action="store_true", help="read no config")


def unknown_option(given: str, parser: Parser) -> UsageError:
    """The error for an argument that a parser does not know."""
    name = given.partition("=")[0]
    known = [
        option for action in parser._actions for option in action.option_strings if action.help != argparse.SUPPRESS
    ]
    if not name.startswith("-"):
        return UsageError(f"unexpected argument `{given}`", parser.prog.partition(" ")[2])
    return UsageError(f"unknown option `{name}`{did_you_mean(name, known)}", parser.prog.partition(" ")[2])
