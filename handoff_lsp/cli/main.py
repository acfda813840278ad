"""The command line: arguments, help, and which command is run. Imports nothing of the engine before it is needed."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from handoff_lsp import __version__

# Exit codes.
CLEAN, FINDINGS, FAILED, INTERRUPTED = 0, 1, 2, 130

SEVERITIES = ("error", "warning", "information", "hint")
LOG_LEVELS = ("debug", "info", "warning", "error")

_ABOUT = """\
Checks the handoffs that AI agents write for one another: what is missing or wrong in them, and what the
orchestrator will make of it. Ordinary Markdown is left alone.

examples:
  handoff-lsp check                       all handoffs below this folder
  handoff-lsp check handoffs/ NOTES.md    a folder and a file
  handoff-lsp check --output-format json  the same for programs
  handoff-lsp server                      the language server, for an editor or an agent to start
"""

_MORE = """\
exit codes:
  0  nothing found at or above the threshold
  1  findings
  2  the work could not be done: wrong arguments, a broken config, a file that cannot be read

config:
  .handoff-lsp.toml, or the table [tool.handoff-lsp] of pyproject.toml. It is looked for from each file's folder
  upward; the nearest folder that has one decides.
"""

_CHECK_ABOUT = """\
Checks files, and the Markdown files (.md, .markdown) in folders. A file that is named is always checked, whatever
its name and whatever the config excludes. `-` is standard input.
"""

_CHECK_MORE = """\
examples:
  handoff-lsp check                                       all handoffs below this folder
  handoff-lsp check board/backend-dev-handoff.md          one file
  handoff-lsp check --fail-on warning handoffs/           warnings fail, too
  handoff-lsp check - --stdin-filename a-handoff.md < x   a text that is not in a file, checked as if it were

exit codes:
  0  nothing found at or above the threshold (--fail-on)
  1  findings
  2  some of it could not be checked; what could was, and the reason is on standard error

folders:
  Passed over are hidden folders (but not .claude, .agent and .github), node_modules, venv, site-packages,
  __pycache__, dist, build, symbolic links, and what the config's `exclude` names.

config:
  .handoff-lsp.toml, or the table [tool.handoff-lsp] of pyproject.toml, looked for from each file's folder upward:

    examples = true                    # also check the examples in documents about a format
    exclude = ["vendor/**"]
    disable = ["status-block"]         # contracts that are not looked for
    contract-files = ["contracts/*.yaml"]

    [contracts.agent-contract]
    profile = "gaia-5.0"

    [rules]                            # error, warning, information, hint or off
    count-mismatch = "information"

    [[files]]
    pattern = "docs/turns/*.md"
    mode = "template"                  # or a `contract`, or its own `rules`
"""

_SERVER_ABOUT = """\
Runs the language server. Editors and agents start it themselves and speak with it over standard input and output.
"""


class UsageError(Exception):
    """Wrong arguments; ``command`` is the one they were for."""

    def __init__(self, message: str, command: str = "") -> None:
        super().__init__(message)
        self.command = command


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are exceptions."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, self.prog.partition(" ")[2])


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. ``argv`` is without the program's name; left out: the process's own. Returns the exit code."""
    _forgive_encodings()
    try:
        code = _run(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # Whoever read the output has seen enough. Nothing may be flushed into the pipe at exit.
        _drop_stdout()
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(argv: list[str]) -> int:
    parser, commands = _parsers()
    try:
        if not argv:
            parser.print_help(sys.stderr)
            return FAILED
        _check_command(argv[0], list(commands))
        arguments, extra = parser.parse_known_args(argv)
        if extra:
            raise _unknown_option(extra[0], commands.get(arguments.command, parser))
        run: Callable[[argparse.Namespace], int] = arguments.run
        return run(arguments)
    except UsageError as error:
        from handoff_lsp.cli.printable import printable

        print(f"handoff-lsp: error: {printable(str(error))}", file=sys.stderr)
        print(f"See `handoff-lsp {error.command + ' ' if error.command else ''}--help`.", file=sys.stderr)
        return FAILED
    except SystemExit as done:  # --help and --version
        return done.code if isinstance(done.code, int) else CLEAN


def _parsers() -> tuple[_Parser, dict[str, _Parser]]:
    parser = _Parser(prog="handoff-lsp", description=_ABOUT, epilog=_MORE)
    parser.add_argument("--version", action="version", version=f"handoff-lsp {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")

    check = commands.add_parser("check", help="check files and folders", description=_CHECK_ABOUT, epilog=_CHECK_MORE)
    check.add_argument("paths", nargs="*", metavar="PATH", help="files and folders, or - (default: this folder)")
    check.add_argument(
        "--output-format", type=_one_of("text", "json"), default="text", metavar="text|json", help="(default: text)"
    )
    check.add_argument(
        "--fail-on",
        type=_one_of(*SEVERITIES),
        default="error",
        metavar="|".join(SEVERITIES),
        help="the least severity that makes the exit code 1 (default: error)",
    )
    check.add_argument("--exit-zero", action="store_true", help="exit with 0 whatever is found")
    check.add_argument(
        "--config", type=Path, metavar="FILE", help="the config for all files, instead of looking for it"
    )
    check.add_argument("--examples", action="store_true", help="also check the examples in documents about a format")
    check.add_argument("--stdin-filename", metavar="NAME", help="the name that standard input is checked under")
    check.add_argument(
        "--color",
        type=_one_of("auto", "always", "never"),
        default="auto",
        metavar="auto|always|never",
        help="(default: auto, on a terminal only; NO_COLOR is respected)",
    )
    check.add_argument("-q", "--quiet", action="store_true", help="print findings only, no summary")
    # `--fix` goes here.
    check.set_defaults(run=_check)

    server = commands.add_parser("server", help="run the language server", description=_SERVER_ABOUT)
    server.add_argument("--stdio", action="store_true", help="speak over standard input and output, as it does anyway")
    server.add_argument("--tcp", action="store_true", help="listen on a port instead, for debugging")
    server.add_argument("--host", default="127.0.0.1", help="where to listen (default: %(default)s)")
    server.add_argument(
        "--port", type=_port, default=2087, help="on which port (default: %(default)s; 0: any free one)"
    )
    server.add_argument("--log-file", type=Path, metavar="FILE", help="where to log (default: standard error)")
    server.add_argument(
        "--log-level", type=_one_of(*LOG_LEVELS), metavar="|".join(LOG_LEVELS), help="how much (default: warning)"
    )
    # Some clients add it to every server's command line; the process is in `initialize`, too.
    server.add_argument("--clientProcessId", help=argparse.SUPPRESS)
    server.set_defaults(run=_server)
    return parser, {"check": check, "server": server}


def _check(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.check import check

    return check(arguments)


def _server(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.server import serve

    return serve(arguments)


def _one_of(*known: str) -> Callable[[str], str]:
    def read(given: str) -> str:
        if given not in known:
            meant = _did_you_mean(given, known) or f": it is one of {', '.join(known)}"
            raise argparse.ArgumentTypeError(f"unknown value `{given}`{meant}")
        return given

    return read


def _port(given: str) -> int:
    if not given.isdecimal() or int(given) > 65_535:
        raise argparse.ArgumentTypeError(f"`{given}` is not a port")
    return int(given)


def _check_command(name: str, known: list[str]) -> None:
    """Raise UsageError for a first argument that is neither an option nor a command."""
    if name.startswith("-") or name in known:
        return
    if os.path.exists(name):
        raise UsageError(f"`{name}` is not a command; did you mean `handoff-lsp check {name}`?")
    raise UsageError(f"unknown command `{name}`{_did_you_mean(name, known) or ': it is one of ' + ', '.join(known)}")


def _unknown_option(given: str, parser: _Parser) -> UsageError:
    name = given.partition("=")[0]
    known = [
        option for action in parser._actions for option in action.option_strings if action.help != argparse.SUPPRESS
    ]
    if not name.startswith("-"):
        return UsageError(f"unexpected argument `{given}`", parser.prog.partition(" ")[2])
    return UsageError(f"unknown option `{name}`{_did_you_mean(name, known)}", parser.prog.partition(" ")[2])


def _did_you_mean(given: str, known: Iterable[str]) -> str:
    from handoff_lsp.contracts.names import nearest

    near = nearest(given, known, cutoff=0.6)
    return f"; did you mean `{near}`?" if near else ""


def _forgive_encodings() -> None:
    """A terminal that cannot show a character gets a replacement for it, not a crash."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure") and stream.errors == "strict":
            stream.reconfigure(errors="replace")


def _drop_stdout() -> None:
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
