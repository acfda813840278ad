"""The command line: finds the command to run. Imports the engine only when it is needed."""

from __future__ import annotations

import codecs
import errno
import gc
import os
import sys

from handoff_lsp.cli.hooks.other_files import is_about_other_files
from handoff_lsp.cli.plain import plain_arguments
from handoff_lsp.cli.usage import CLEAN, FAILED, FALLBACK, FINDINGS, INTERRUPTED, UsageError, did_you_mean

TYPE_CHECKING = False  # as of `typing`, which takes as long as all that a hook usually does
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

# Errors without a file name: a write to a full disk, beyond a quota or to a broken device, and a working folder that is
# gone (`os.getcwd`).
_OF_THE_PROCESS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOENT}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. ``argv`` is without the program's name; left out: the process's own. Returns the exit code.

    Does not return from a hook or a check that is the whole process: to free what it loaded takes a tenth of its time.
    """
    _open_closed_streams()
    _forgive_encodings()
    if argv is None:  # the settings of another program's garbage collector are its own
        _collect_less()
    try:
        code = _run(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
        if argv is None and sys.argv[1:2] in (["hook"], ["check"]):
            sys.stderr.flush()
            os._exit(code)
        return code
    except BrokenPipeError:
        # The reader of the output has closed it. Nothing may be flushed into the pipe at exit.
        _drop_stdout()
        return FAILED
    except OSError as error:
        # What concerns one file is reported where it is read. This is about the process: its output or its folder.
        if error.filename is not None or error.errno not in _OF_THE_PROCESS:
            raise
        if error.errno == errno.ENOENT:
            words = "the working folder is gone"
        else:
            _drop_stdout()
            words = f"standard output: {error.strerror}"
        print(f"handoff-lsp: error: {words}", file=sys.stderr)
        return FINDINGS if sys.argv[1:2] == ["hook"] else FAILED
    except KeyboardInterrupt:
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one would only cut off the output
        return INTERRUPTED


def _collect_less() -> None:
    """A run is short and creates few reference cycles: collecting them would take a third of the time of a check."""
    gc.set_threshold(100_000, 20, 100)  # more than a check of one file creates
    if sys.argv[1:2] == ["hook"]:
        gc.disable()  # a single collection would take a twentieth of the time


def _run(argv: list[str]) -> int:
    try:
        plain = plain_arguments(argv)
        if plain is not None and plain.command == "hook" and is_about_other_files(plain):
            return CLEAN
        arguments = plain or _parsed(argv)
        if arguments.command == "check":
            from handoff_lsp.cli.environment import choose_format

            choose_format(arguments)
        from handoff_lsp.cli.language import set_language

        set_language(arguments)
        return _COMMANDS[arguments.command](arguments)
    except UsageError as error:
        from handoff_lsp.cli.printable import printable

        print(f"handoff-lsp: error: {printable(str(error))}", file=sys.stderr)
        print(f"See `handoff-lsp {error.command + ' ' if error.command else ''}--help`.", file=sys.stderr)
        return FINDINGS if argv[0] == "hook" else FAILED  # for some agents, 2 means: refused, try again
    except SystemExit as done:  # --help and --version, and no arguments at all
        return done.code if isinstance(done.code, int) else CLEAN


def _parsed(argv: list[str]) -> argparse.Namespace:
    """The parsed arguments. Raises UsageError for wrong ones, SystemExit if help was printed instead."""
    from handoff_lsp.cli.arguments.commands import parsers
    from handoff_lsp.cli.arguments.parser import unknown_option

    parser, commands = parsers(argv[0] if argv else None)
    if not argv:
        parser.print_help(sys.stderr)
        raise SystemExit(FAILED)
    _check_command(argv, [name for name in commands if " " not in name], list(commands))
    arguments, extra = parser.parse_known_args(argv)
    if extra:
        action = getattr(arguments, "action", None)
        name = f"{arguments.command} {action}" if action else arguments.command
        raise unknown_option(extra[0], commands.get(name, parser))
    return arguments


def _check(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.check import check

    return check(arguments)


def _sync(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.sync import sync

    return sync(arguments)


def _parse(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.parse import parse

    return parse(arguments)


def _baseline(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.baseline import baseline

    return baseline(arguments)


def _new(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.new import new

    return new(arguments)


def _explain(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.explain import explain

    return explain(arguments)


def _init(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.config.init import init

    return init(arguments)


def _config(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.config.show import show

    return show(arguments)


def _contract(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.contract.actions import run

    return run(arguments)


def _schema(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.schema import schema

    return schema(arguments)


def _export(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.export import export

    return export(arguments)


def _hook(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.hook import hook

    return hook(arguments)


def _doctor(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.doctor import doctor

    return doctor(arguments)


def _monitor(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.monitor.command import monitor

    return monitor(arguments)


def _report(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.report.command import report

    return report(arguments)


def _graph(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.graph.command import graph

    return graph(arguments)


def _completion(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.completion import completion

    return completion(arguments)


def _mcp(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.mcp import serve

    return serve(arguments)


def _server(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.server import serve

    return serve(arguments)


_OPTIONS = ("-h", "--help", "--version")  # the only ones before a command
_COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "check": _check,
    "baseline": _baseline,
    "sync": _sync,
    "parse": _parse,
    "new": _new,
    "explain": _explain,
    "doctor": _doctor,
    "monitor": _monitor,
    "report": _report,
    "graph": _graph,
    "init": _init,
    "config": _config,
    "contract": _contract,
    "schema": _schema,
    "export": _export,
    "hook": _hook,
    "completion": _completion,
    "mcp": _mcp,
    "server": _server,
}


def _check_command(argv: list[str], known: list[str], all_known: list[str]) -> None:
    """Raise UsageError for a first argument that is neither an option nor a command, or a wrong action of one."""
    name = argv[0]
    actions = [each.partition(" ")[2] for each in all_known if each.startswith(f"{name} ")]
    if actions and (len(argv) < 2 or (not argv[1].startswith("-") and argv[1] not in actions)):
        given = f"unknown action `{argv[1]}`" if len(argv) > 1 else "missing action"
        meant = did_you_mean(argv[1], actions) if len(argv) > 1 else ""
        raise UsageError(f"{given}{meant or ': it is one of ' + ', '.join(actions)}", name)
    if name in known or name.split("=")[0] in _OPTIONS:
        return
    if name.startswith("-"):
        meant = did_you_mean(name, _OPTIONS)
        raise UsageError(f"unknown option `{name}`{meant or ': the options of a command follow it'}")
    if os.path.exists(name):
        raise UsageError(f"`{name}` is not a command; did you mean `handoff-lsp check {name}`?")
    raise UsageError(f"unknown command `{name}`{did_you_mean(name, known) or ': it is one of ' + ', '.join(known)}")


def _open_closed_streams() -> None:
    """Open the null device in place of a standard stream that the caller closed (`>&-`), where Python has None. It also
    keeps the number of the stream from the next file that is opened."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  it stays open


def _forgive_encodings() -> None:
    """Replace characters that the terminal cannot show, instead of crashing: our own marks by ASCII ones."""
    codecs.register_error(FALLBACK, _in_ascii)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure") and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors=FALLBACK)


def _in_ascii(error: UnicodeError) -> tuple[str | bytes, int]:
    from handoff_lsp.cli.printable import in_ascii

    return in_ascii(error)


def _drop_stdout() -> None:
    from contextlib import suppress

    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
