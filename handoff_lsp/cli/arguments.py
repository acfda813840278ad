"""The command line's arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from handoff_lsp import __version__
from handoff_lsp.cli import help_texts
from handoff_lsp.cli.help_format import HelpFormatter
from handoff_lsp.cli.hooks.agents import NAMES as AGENTS
from handoff_lsp.cli.usage import LOG_LEVELS, SEVERITIES, UsageError, did_you_mean

# The forms of a contract that `contract new` writes.
SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")
_FORMS = ("document", "section", "run", "fence", "file")


class Parser(argparse.ArgumentParser):
    """A parser that raises its errors as exceptions."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=HelpFormatter, allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, self.prog.partition(" ")[2])


def parsers() -> tuple[Parser, dict[str, Parser]]:
    """The parser of the command line, and the parsers of its commands by name."""
    parser = Parser(prog="handoff-lsp", description=help_texts.ABOUT, epilog=help_texts.MORE)
    parser.add_argument("--version", action="version", version=f"handoff-lsp {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")

    check = commands.add_parser(
        "check", help="check files and folders", description=help_texts.CHECK_ABOUT, epilog=help_texts.CHECK_MORE
    )
    check.add_argument("paths", nargs="*", metavar="PATH", help="files and folders, or - (default: this folder)")
    check.add_argument(
        "--output-format", type=_format, default="text", metavar="FORMAT", help="(default: text; see below)"
    )
    check.add_argument(
        "-o",
        "--output",
        action="append",
        default=[],
        type=_format_and_file,
        metavar="FORMAT:FILE",
        help="also write a file in a format, such as sarif:findings.sarif; may be repeated",
    )
    check.add_argument(
        "--fail-on",
        type=_one_of(*SEVERITIES),
        default="error",
        metavar="|".join(SEVERITIES),
        help="lowest severity that fails (default: error)",
    )
    check.add_argument("--fix", action="store_true", help="write safe fixes to the files")
    check.add_argument("--unsafe-fixes", action="store_true", help="with --fix or --diff: unsafe fixes, too")
    check.add_argument("--diff", action="store_true", help="show the fixes as a diff, write nothing")
    check.add_argument("--fix-only", action="store_true", help="write fixes, and report no findings")
    check.add_argument("--exit-non-zero-on-fix", action="store_true", help="exit with 1 if anything was fixed")
    check.add_argument("--baseline", metavar="FILE", help="file of known findings, instead of the config's")
    check.add_argument("--no-baseline", action="store_true", help="show known findings, too")
    check.add_argument("--exit-zero", action="store_true", help="exit with 0 even if there are findings")
    check.add_argument(
        "--config", type=Path, metavar="FILE", help="config file for all files, instead of the nearest one"
    )
    check.add_argument("--examples", action="store_true", help="also check examples in documents about a format")
    check.add_argument("--stdin-filename", metavar="NAME", help="file name for standard input")
    _selection(check)
    check.add_argument(
        "--color",
        type=_one_of("auto", "always", "never"),
        default="auto",
        metavar="auto|always|never",
        help="color output (default: auto; NO_COLOR and FORCE_COLOR are respected)",
    )
    check.add_argument("--no-cache", action="store_true", help="neither read nor write the cache")
    check.add_argument(
        "--cache-dir",
        type=Path,
        metavar="DIR",
        help="folder of the cache (default: $HANDOFF_LSP_CACHE_DIR, else in the user's cache folder)",
    )
    check.add_argument("-q", "--quiet", action="store_true", help="print only findings, no summary")

    parse = commands.add_parser(
        "parse",
        help="show parsed fields and the orchestrator's decision",
        description=help_texts.PARSE_ABOUT,
        epilog=help_texts.PARSE_MORE,
    )
    parse.add_argument("paths", nargs="+", metavar="FILE", help="files and folders, or - for standard input")
    parse.add_argument(
        "--output-format", type=_one_of("table", "json"), default="table", metavar="table|json", help="(default: table)"
    )
    parse.add_argument(
        "--config", type=Path, metavar="FILE", help="config file for all files, instead of the nearest one"
    )
    parse.add_argument("--examples", action="store_true", help="also show examples in documents about a format")
    parse.add_argument("--stdin-filename", metavar="NAME", help="file name for standard input")
    _settings(parse)

    new = commands.add_parser(
        "new", help="write a new handoff", description=help_texts.NEW_ABOUT, epilog=help_texts.NEW_MORE
    )
    new.add_argument(
        "contract", metavar="CONTRACT", nargs="?", help="the contract's name (default: by the path of FILE)"
    )
    new.add_argument("--profile", metavar="NAME", help="profile (default: by the path of FILE, else the config's)")
    new.add_argument(
        "--mode",
        type=_one_of("handoff", "template"),
        default="handoff",
        metavar="handoff|template",
        help="kind of document (default: handoff)",
    )
    new.add_argument("-o", "--output", metavar="FILE", help="output file (default: standard output)")
    new.add_argument("--force", action="store_true", help="overwrite an existing file")
    new.add_argument("--config", type=Path, metavar="FILE", help="config file, instead of the nearest one")

    explain = commands.add_parser(
        "explain",
        help="explain a rule, a contract or a field",
        description=help_texts.EXPLAIN_ABOUT,
        epilog=help_texts.EXPLAIN_MORE,
    )
    explain.add_argument(
        "name",
        nargs="?",
        metavar="NAME",
        help="a rule, CONTRACT/CHECK, CONTRACT, CONTRACT@PROFILE or CONTRACT[@PROFILE].FIELD[=VALUE]",
    )
    explain.add_argument("--list", action="store_true", help="list all rules and contracts")
    explain.add_argument(
        "--output-format",
        type=_one_of("text", "markdown"),
        default="text",
        metavar="text|markdown",
        help="(default: text)",
    )
    explain.add_argument("--config", type=Path, metavar="FILE", help="config file, instead of the nearest one")

    doctor = commands.add_parser(
        "doctor",
        help="examine the installation, the config, and why a file is a handoff or not",
        description=help_texts.DOCTOR_ABOUT,
        epilog=help_texts.DOCTOR_MORE,
    )
    doctor.add_argument("paths", nargs="*", metavar="FILE", help="files and folders, or - (default: this folder)")
    doctor.add_argument("--stdin-filename", metavar="NAME", help="file name for standard input")
    doctor.add_argument(
        "--output-format", type=_one_of("text", "json"), default="text", metavar="text|json", help="(default: text)"
    )
    doctor.add_argument(
        "--config", type=Path, metavar="FILE", help="config file for all files, instead of the nearest one"
    )

    _baseline(commands)
    _monitor(commands)
    _report(commands)
    config = _config(commands)
    contract = _contract(commands)
    _schemas(commands)

    hook = commands.add_parser(
        "hook", help="answer the hooks of agents", description=help_texts.HOOK_ABOUT, epilog=help_texts.HOOK_MORE
    )
    hook.add_argument("agent", type=_one_of(*AGENTS), metavar="AGENT", help=f"one of {', '.join(AGENTS)}")
    hook.add_argument("--print-config", action="store_true", help="print the agent's hook configuration and its path")
    hook.add_argument(
        "--fail-on",
        type=_one_of(*SEVERITIES),
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
    hook.add_argument("--config", type=Path, metavar="FILE", help="config file, instead of the nearest one")

    completion = commands.add_parser(
        "completion",
        help="print a script that completes the command in a shell",
        description=help_texts.COMPLETION_ABOUT,
        epilog=help_texts.COMPLETION_MORE,
    )
    completion.add_argument("shell", type=_one_of(*SHELLS), metavar="SHELL", help=f"one of {', '.join(SHELLS)}")

    server = commands.add_parser("server", help="run the language server", description=help_texts.SERVER_ABOUT)
    server.add_argument("--stdio", action="store_true", help="use standard input and output (default)")
    server.add_argument("--tcp", action="store_true", help="listen on a port instead, for debugging")
    server.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    server.add_argument(
        "--port", type=_port, default=2087, help="port to listen on (default: %(default)s; 0: any free port)"
    )
    server.add_argument("--log-file", type=Path, metavar="FILE", help="log file (default: standard error)")
    server.add_argument(
        "--log-level", type=_one_of(*LOG_LEVELS), metavar="|".join(LOG_LEVELS), help="log level (default: warning)"
    )
    # Some clients add it to every server's command line; the process is in `initialize`, too.
    server.add_argument("--clientProcessId", help=argparse.SUPPRESS)
    for each in (check, parse, explain, doctor, hook):
        each.add_argument("--lang", type=_language, metavar="LANG", help=help_texts.LANG)
    server.add_argument("--lang", type=_language, metavar="LANG", help="en or ja (default: the editor's language)")
    return parser, {**commands.choices, **config, **contract}


def _monitor(commands: Any) -> None:
    monitor: Parser = commands.add_parser(
        "monitor",
        help="show the agents of all work trees of a git repository",
        description=help_texts.MONITOR_ABOUT,
        epilog=help_texts.MONITOR_MORE,
    )
    monitor.add_argument(
        "path", nargs="?", default=".", metavar="PATH", help="a folder in the repository (default: this one)"
    )
    monitor.add_argument(
        "--output-format",
        type=_one_of("text", "json", "markdown"),
        default="text",
        metavar="text|json|markdown",
        help="(default: text)",
    )
    monitor.add_argument(
        "--watch",
        nargs="?",
        type=_pause,
        const=5.0,
        metavar="SECONDS",
        help="print again every SECONDS (default: 5) until Ctrl-C",
    )
    monitor.add_argument("--base", metavar="BRANCH", help="branch to merge into (default: that of the main work tree)")
    monitor.add_argument(
        "--stale",
        type=_time_span,
        metavar="TIME",
        help="longest silence of a running agent, such as 90s, 45m or 2h (default: as its contract says; 30m)",
    )
    monitor.add_argument("--fail-on", metavar="NAME,...", help="exit with 1 if one of these needs attention")
    monitor.add_argument(
        "--config", type=Path, metavar="FILE", help="config file for all work trees, instead of the nearest one"
    )


def _report(commands: Any) -> None:
    report: Parser = commands.add_parser(
        "report",
        help="write an HTML page about handoffs: where they stopped, and the way from agent to agent",
        description=help_texts.REPORT_ABOUT,
        epilog=help_texts.REPORT_MORE,
    )
    report.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: this folder)")
    report.add_argument(
        "--worktrees", action="store_true", help="all work trees of the git repository, with the agents in them"
    )
    report.add_argument("-o", "--output", metavar="FILE", help="its file, FILE.html (default: standard output)")
    report.add_argument(
        "--config", type=Path, metavar="FILE", help="config file for all files, instead of the nearest one"
    )


def _baseline(commands: Any) -> Parser:
    """The parser of `baseline`."""
    baseline: Parser = commands.add_parser(
        "baseline",
        help="list the known findings of a repository, for check to leave out",
        description=help_texts.BASELINE_ABOUT,
        epilog=help_texts.BASELINE_MORE,
    )
    baseline.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: this folder)")
    baseline.add_argument("-o", "--output", metavar="FILE", help="its file (default: that of the config)")
    baseline.add_argument("--force", action="store_true", help="also add new findings, or write it anew")
    baseline.add_argument(
        "--config", type=Path, metavar="FILE", help="config file for all files, instead of the nearest one"
    )
    return baseline


def _selection(check: Parser) -> None:
    """The options of `check` that select rules and files."""
    check.add_argument(
        "--select", action="append", default=[], metavar="RULE[,…]", help="show only findings of these rules"
    )
    check.add_argument(
        "--ignore", action="append", default=[], metavar="RULE[,…]", help="show no findings of these rules"
    )
    _settings(check)
    check.add_argument("--statistics", action="store_true", help="print the number of findings of each rule instead")
    check.add_argument(
        "--changed",
        nargs="?",
        const="",
        metavar="BASE",
        help="check only files that git says changed since the last commit, or since the branch left BASE",
    )
    check.add_argument("--staged", action="store_true", help="check only files staged in git, as they are staged")


def _settings(parser: Parser) -> None:
    """The options that go before the config."""
    parser.add_argument(
        "--severity",
        action="append",
        default=[],
        metavar="RULE=LEVEL",
        help="severity of a rule: error, warning, information, hint or off; may be repeated",
    )
    parser.add_argument(
        "--exclude", action="append", default=[], metavar="GLOB[,…]", help="ignore these files, instead of the config's"
    )
    parser.add_argument(
        "--extend-exclude", action="append", default=[], metavar="GLOB[,…]", help="ignore these files, too"
    )
    parser.add_argument("--force-exclude", action="store_true", help="also ignore named files")
    parser.add_argument("--isolated", action="store_true", help="read no config")


def _schemas(commands: Any) -> None:
    """The parsers of `schema` and `export`."""
    schema: Parser = commands.add_parser(
        "schema", help="print a JSON Schema", description=help_texts.SCHEMA_ABOUT, epilog=help_texts.SCHEMA_MORE
    )
    schema.add_argument("name", metavar="NAME", help="CONTRACT[@PROFILE], or config, contract, check or parse")
    schema.add_argument(
        "--of",
        type=_one_of("handoff", "fields"),
        metavar="handoff|fields",
        help="a handoff as written, or its fields as parsed (default: fields)",
    )
    schema.add_argument(
        "--for",
        dest="maker",
        type=_one_of("draft-2020-12", "openai", "anthropic"),
        metavar="draft-2020-12|openai|anthropic",
        help="dialect of JSON Schema (default: draft-2020-12)",
    )
    schema.add_argument("--path", action="store_true", help="print the path of the file instead (not of a contract)")
    schema.add_argument("--config", type=Path, metavar="FILE", help="config file, instead of the nearest one")

    export: Parser = commands.add_parser(
        "export",
        help="write a contract as a prompt, a template, an example or a page",
        description=help_texts.EXPORT_ABOUT,
        epilog=help_texts.EXPORT_MORE,
    )
    export.add_argument(
        "contract", metavar="CONTRACT[@PROFILE]", help="the contract, with a profile if not the default"
    )
    export.add_argument(
        "--as",
        dest="form",
        required=True,
        type=_one_of("prompt", "template", "example", "docs"),
        metavar="prompt|template|example|docs",
        help="form of the output",
    )
    export.add_argument("--config", type=Path, metavar="FILE", help="config file, instead of the nearest one")


def _config(commands: Any) -> dict[str, Parser]:
    """The parsers of `init` and of `config` with its own commands, by their names on the command line."""
    init = commands.add_parser(
        "init",
        help="write a config from what a folder contains",
        description=help_texts.INIT_ABOUT,
        epilog=help_texts.INIT_MORE,
    )
    init.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="folder (default: this folder)")
    init.add_argument("--force", action="store_true", help="overwrite an existing config")
    config = commands.add_parser(
        "config",
        help="show the config of a file",
        description=help_texts.CONFIG_ABOUT,
        epilog=help_texts.CONFIG_MORE,
    )
    actions = config.add_subparsers(dest="action", metavar="ACTION", title="actions")
    show = actions.add_parser(
        "show",
        help="show the settings of a file, and where each comes from",
        description=help_texts.CONFIG_SHOW_ABOUT,
        epilog=help_texts.CONFIG_SHOW_MORE,
    )
    show.add_argument("paths", nargs="?", action=_AsList, default=[], metavar="FILE", help="(default: this folder)")
    show.add_argument(
        "--output-format", type=_one_of("text", "json"), default="text", metavar="text|json", help="(default: text)"
    )
    show.add_argument(
        "--config", type=Path, metavar="FILE", help="config file for all files, instead of the nearest one"
    )
    show.add_argument("--examples", action="store_true", help="as of `check`")
    _settings(show)
    return {"init": init, "config": config, "config show": show}


class _AsList(argparse.Action):
    """Keeps one value as a list of it, for functions that take the paths of a command."""

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option_string: Any = None) -> None:
        setattr(namespace, self.dest, [values] if values is not None and values != [] else [])


def _contract(commands: Any) -> dict[str, Parser]:
    """The parsers of `contract` and of its own commands, by their names on the command line."""
    contract = commands.add_parser(
        "contract",
        help="learn, write, check and test contracts of your own",
        description=help_texts.CONTRACT_ABOUT,
        epilog=help_texts.CONTRACT_MORE,
    )
    actions = contract.add_subparsers(dest="action", metavar="ACTION", title="actions")

    new = actions.add_parser(
        "new",
        help="write a small contract with its cases",
        description=help_texts.CONTRACT_NEW_ABOUT,
        epilog=help_texts.CONTRACT_NEW_MORE,
    )
    new.add_argument("name", metavar="NAME", help="name, such as nightly-report")
    new.add_argument(
        "--form",
        type=_one_of(*_FORMS),
        default="document",
        metavar="|".join(_FORMS),
        help="form of a handoff (default: document)",
    )
    new.add_argument("-o", "--output", metavar="FILE", help="output file (default: contracts/NAME.yaml)")
    new.add_argument("--force", action="store_true", help="overwrite existing files")
    new.add_argument("--config", type=Path, metavar="FILE", help="config file, instead of the nearest one")

    lint = actions.add_parser(
        "lint",
        help="check contracts, and which files they match",
        description=help_texts.CONTRACT_LINT_ABOUT,
        epilog=help_texts.CONTRACT_LINT_MORE,
    )
    lint.add_argument(
        "paths",
        nargs="*",
        metavar="FILE",
        help="contracts and folders of them, or names of contracts (default: those of the config)",
    )
    lint.add_argument(
        "--output-format", type=_one_of("text", "json"), default="text", metavar="text|json", help="(default: text)"
    )
    lint.add_argument(
        "--fail-on",
        type=_one_of("error", "warning"),
        default="error",
        metavar="error|warning",
        help="lowest severity that fails (default: error)",
    )
    lint.add_argument(
        "--ignore",
        action="append",
        default=[],
        type=_one_of("no-match", "two-claims"),
        metavar="WARNING",
        help="ignore a warning: no-match or two-claims; may be repeated",
    )
    lint.add_argument("--config", type=Path, metavar="FILE", help="config file, instead of the nearest one")

    test = actions.add_parser(
        "test",
        help="run the cases of contracts",
        description=help_texts.CONTRACT_TEST_ABOUT,
        epilog=help_texts.CONTRACT_TEST_MORE,
    )
    test.add_argument(
        "paths",
        nargs="*",
        metavar="FILE",
        help="contracts, case files and folders of both, or names of contracts (default: those of the config)",
    )
    test.add_argument(
        "--cases",
        action="append",
        metavar="PATH",
        help="a case file, or a folder of them, instead of those beside the contracts",
    )
    test.add_argument("--update", action="store_true", help="update the case files with the results")
    test.add_argument("-q", "--quiet", action="store_true", help="print failures only: no coverage, no summary")
    test.add_argument("--config", type=Path, metavar="FILE", help="config file, instead of the nearest one")

    migrate = actions.add_parser(
        "migrate",
        help="rewrite contracts of an earlier language",
        description=help_texts.CONTRACT_MIGRATE_ABOUT,
        epilog=help_texts.CONTRACT_MIGRATE_MORE,
    )
    migrate.add_argument(
        "paths", nargs="*", metavar="FILE", help="contracts and folders of them (default: those of the config)"
    )
    migrate.add_argument("--check", action="store_true", help="write nothing; exit code 1 if a file would change")
    migrate.add_argument("--diff", action="store_true", help="print the changes instead of writing them")
    migrate.add_argument("--config", type=Path, metavar="FILE", help="config file, instead of the nearest one")
    known = {
        "learn": _learn(actions),
        "new": new,
        "lint": lint,
        "test": test,
        "migrate": migrate,
    }
    return {"contract": contract, **{f"contract {name}": parser for name, parser in known.items()}}


def _learn(actions: Any) -> Parser:
    """The parser of `contract learn`."""
    learn: Parser = actions.add_parser(
        "learn",
        help="write a contract that recognizes samples",
        description=help_texts.CONTRACT_LEARN_ABOUT,
        epilog=help_texts.CONTRACT_LEARN_MORE,
    )
    learn.add_argument("samples", nargs="*", metavar="SAMPLE", help="documents of the format, and folders of them")
    learn.add_argument(
        "--negative", nargs="+", metavar="FILE", help="documents and folders that the contract must not recognize"
    )
    learn.add_argument("--from", dest="schema", type=Path, metavar="FILE", help="a JSON Schema of the fields")
    learn.add_argument("--name", metavar="NAME", help="the contract's name (default: that of its file)")
    learn.add_argument(
        "--form",
        type=_one_of("document", "section", "run", "fence", "file"),
        metavar="FORM",
        help="form to use if several fit the samples: document, section, run, fence or file",
    )
    learn.add_argument("-o", "--output", metavar="FILE", help="output file (default: standard output)")
    learn.add_argument("--force", action="store_true", help="overwrite an existing file")
    return learn


def unknown_option(given: str, parser: Parser) -> UsageError:
    """The error for an argument that a parser does not know."""
    name = given.partition("=")[0]
    known = [
        option for action in parser._actions for option in action.option_strings if action.help != argparse.SUPPRESS
    ]
    if not name.startswith("-"):
        return UsageError(f"unexpected argument `{given}`", parser.prog.partition(" ")[2])
    return UsageError(f"unknown option `{name}`{did_you_mean(name, known)}", parser.prog.partition(" ")[2])


def _one_of(*known: str) -> Callable[[str], str]:
    def read(given: str) -> str:
        if given not in known:
            meant = did_you_mean(given, known) or f": it is one of {', '.join(known)}"
            raise argparse.ArgumentTypeError(f"unknown value `{given}`{meant}")
        return given

    read.known = known  # type: ignore[attr-defined]  # for completion in a shell
    return read


def _format(given: str) -> str:
    from handoff_lsp.cli.output.format import FORMATS

    return _one_of(*FORMATS)(given)


def _format_and_file(given: str) -> tuple[str, str]:
    """A format and a file, as in `sarif:findings.sarif`."""
    name, colon, path = given.partition(":")
    if not colon:
        raise argparse.ArgumentTypeError(f"`{given}` is not FORMAT:FILE, such as sarif:findings.sarif")
    if not path or path == "-":
        raise argparse.ArgumentTypeError(f"`{given}` names no file; standard output has `--output-format`")
    return _format(name), path


def _language(given: str) -> str:
    from handoff_lsp.language import known_language, languages

    known = known_language(given)
    if known is None:
        raise argparse.ArgumentTypeError(f"unknown language `{given}`: it is one of {', '.join(languages())}")
    return known


def _port(given: str) -> int:
    if not given.isdecimal() or int(given) > 65_535:
        raise argparse.ArgumentTypeError(f"`{given}` is not a port")
    return int(given)


def _pause(given: str) -> float:
    """A pause in seconds."""
    try:
        seconds = float(given)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{given}` is no number of seconds; a PATH comes before --watch") from None
    if not 0.1 <= seconds <= 86_400:
        raise argparse.ArgumentTypeError(f"`{given}` is not between 0.1 and 86400 seconds")
    return seconds


def _time_span(given: str) -> float:
    """A length of time in seconds."""
    units = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
    number, unit = given[:-1], given[-1:]
    if unit not in units or not number.isdecimal() or not number.isascii() or len(number) > 6 or not int(number):
        raise argparse.ArgumentTypeError(f"`{given}` is no length of time such as 90s, 45m, 2h or 1d")
    return float(int(number) * units[unit])
