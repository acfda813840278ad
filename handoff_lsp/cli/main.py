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
  handoff-lsp parse dev-handoff.md        what a handoff says, and what the orchestrator does with it
  handoff-lsp new status-block            a new handoff to fill in
  handoff-lsp explain missing-status      what a rule, a contract or a field is about
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

_PARSE_ABOUT = """\
Tells what handoffs say, the same way for every format: contract, profile, status, fields, what the orchestrator does
with it and reads for it, and the findings. A file that is named is always looked at. `-` is standard input.
"""

_PARSE_MORE = """\
examples:
  handoff-lsp parse board/dev-handoff.md                      for people
  handoff-lsp parse --output-format json board/               for programs, all handoffs below a folder
  handoff-lsp parse dev-handoff.md && ./next-phase            only go on where there is something to go on with
  agent | handoff-lsp parse - --output-format json            what an agent has just answered

json:
  One object for each handoff, each on a line of its own:

    path, contract, profile, mode     where it is and what it was taken for
    range                             {"start": {"line", "column"}, "end": {…}}, from 1
    status                            as the contract spells it; null where it is absent or none of its values
    fields                            values by name, nested. Left out: what is absent. null: what is there, but is not
                                      filled in, or is none of the values, or is of another type or form
    routing                           {"action": "advance|continue|retry|ask|stop", "reason", "reads": [titles]};
                                      null for templates and examples. Without a status that can be read it never
                                      advances
    findings                          as `check --output-format json` has them

exit codes:
  0  every handoff has a status that can be read and no error, and every file that was named holds one
  1  something cannot be acted on
  2  some of it could not be looked at; the reason is on standard error
"""

_NEW_ABOUT = """\
Writes a new handoff of a contract, with what is to be filled in between angle brackets, to standard output or to a
file. What is left unfilled is told by `check`.
"""

_NEW_MORE = """\
examples:
  handoff-lsp new status-block --profile reviewer -o board/backend-reviewer-handoff.md
  handoff-lsp new agent-contract                       a JSON block in its fence
  handoff-lsp new status-block --mode template         a template, for handoffs to be made from

`handoff-lsp explain --list` names the contracts, `handoff-lsp explain CONTRACT` tells the profiles of one.

exit codes:
  0  it was written
  2  it was not: wrong arguments, or the file is there already (--force)
"""

_EXPLAIN_ABOUT = """\
Tells about a rule, a contract, one of its profiles, or a field.
"""

_EXPLAIN_MORE = """\
examples:
  handoff-lsp explain count-mismatch
  handoff-lsp explain status-block
  handoff-lsp explain status-block.abstract.verdict
  handoff-lsp explain status-block@reviewer.abstract.verdict    as one of the profiles has it
  handoff-lsp explain status-block.status=blocked               what a value means, and what is done on it
  handoff-lsp explain --list                                    all rules and contracts

exit codes:
  0  told
  2  there is nothing of that name
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

    parse = commands.add_parser(
        "parse", help="tell what handoffs say and what is done with them", description=_PARSE_ABOUT, epilog=_PARSE_MORE
    )
    parse.add_argument("paths", nargs="+", metavar="FILE", help="files and folders, or - for standard input")
    parse.add_argument(
        "--output-format", type=_one_of("table", "json"), default="table", metavar="table|json", help="(default: table)"
    )
    parse.add_argument(
        "--config", type=Path, metavar="FILE", help="the config for all files, instead of looking for it"
    )
    parse.add_argument("--examples", action="store_true", help="also show the examples in documents about a format")
    parse.add_argument("--stdin-filename", metavar="NAME", help="the name that standard input is looked at under")
    parse.set_defaults(run=_parse)

    new = commands.add_parser("new", help="write a new handoff", description=_NEW_ABOUT, epilog=_NEW_MORE)
    new.add_argument("contract", metavar="CONTRACT", help="the contract's name")
    new.add_argument("--profile", metavar="NAME", help="its version or variant (default: the config's, or its own)")
    new.add_argument(
        "--mode",
        type=_one_of("handoff", "template"),
        default="handoff",
        metavar="handoff|template",
        help="what it is (default: handoff)",
    )
    new.add_argument("-o", "--output", metavar="FILE", help="where to write it (default: standard output)")
    new.add_argument("--force", action="store_true", help="write over a file that is there")
    new.add_argument("--config", type=Path, metavar="FILE", help="the config, instead of looking for it")
    new.set_defaults(run=_new)

    explain = commands.add_parser(
        "explain", help="tell about a rule, a contract or a field", description=_EXPLAIN_ABOUT, epilog=_EXPLAIN_MORE
    )
    explain.add_argument(
        "name", nargs="?", metavar="NAME", help="a rule, CONTRACT, CONTRACT@PROFILE or CONTRACT[@PROFILE].FIELD[=VALUE]"
    )
    explain.add_argument("--list", action="store_true", help="name all rules and contracts")
    explain.add_argument(
        "--output-format",
        type=_one_of("text", "markdown"),
        default="text",
        metavar="text|markdown",
        help="(default: text)",
    )
    explain.add_argument("--config", type=Path, metavar="FILE", help="the config, instead of looking for it")
    explain.set_defaults(run=_explain)

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
    known = {"check": check, "parse": parse, "new": new, "explain": explain, "server": server}
    return parser, known


def _check(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.check import check

    return check(arguments)


def _parse(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.parse import parse

    return parse(arguments)


def _new(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.new import new

    return new(arguments)


def _explain(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.explain import explain

    return explain(arguments)


def _server(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.server import serve

    return serve(arguments)


def _one_of(*known: str) -> Callable[[str], str]:
    def read(given: str) -> str:
        if given not in known:
            meant = did_you_mean(given, known) or f": it is one of {', '.join(known)}"
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
    raise UsageError(f"unknown command `{name}`{did_you_mean(name, known) or ': it is one of ' + ', '.join(known)}")


def _unknown_option(given: str, parser: _Parser) -> UsageError:
    name = given.partition("=")[0]
    known = [
        option for action in parser._actions for option in action.option_strings if action.help != argparse.SUPPRESS
    ]
    if not name.startswith("-"):
        return UsageError(f"unexpected argument `{given}`", parser.prog.partition(" ")[2])
    return UsageError(f"unknown option `{name}`{did_you_mean(name, known)}", parser.prog.partition(" ")[2])


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """What was most likely meant, as the end of a message; empty where nothing is like it."""
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
