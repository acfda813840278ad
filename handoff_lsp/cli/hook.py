"""``handoff-lsp hook``: answers the hooks of agents. No input keeps an agent from continuing.

The exit code is 0, except for wrong arguments: then it is 1, as 2 would make some agents start again and again.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from handoff_lsp.cli.hooks.agents import agent
from handoff_lsp.cli.hooks.event import HookEvent, Reaction
from handoff_lsp.cli.hooks.journal import keep
from handoff_lsp.cli.hooks.judge import Wanted, judge, not_checked
from handoff_lsp.cli.hooks.memory import Memory
from handoff_lsp.cli.hooks.other_files import LARGEST
from handoff_lsp.cli.usage import CLEAN, UsageError

if TYPE_CHECKING:
    import argparse

# `--observe` where the command is fixed, as in a plugin: any value but `0`.
_OBSERVE = "HANDOFF_LSP_OBSERVE"


def hook(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    if arguments.agent == "report":
        from handoff_lsp.cli.hooks.report import report

        return report(arguments)
    if not arguments.print_config:
        arguments.observe = arguments.observe or os.environ.get(_OBSERVE, "0") not in ("", "0")
    _refuse_of_report(arguments)
    known = agent(arguments.agent)
    if arguments.print_config:
        sys.stdout.write(_config_with_options(known.config, arguments) + "\n")
        print(f"This goes into {known.config_file} for {known.title}.", file=sys.stderr)
        return CLEAN
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError(
            f"{known.title} runs this and writes to its standard input; `--print-config` prints the setup",
            arguments.command,
        )
    try:
        data = _read(arguments)
        if data is not None:
            event = known.read(data)
            with suppress(OSError, ValueError):
                os.chdir(event.cwd or ".")
            # What is only observed is no complaint that the agent got.
            remembered = f"{arguments.agent} observed" if arguments.observe else arguments.agent
            memory = Memory(remembered, event.session, event.subagent)
            wanted = Wanted(
                arguments.config, arguments.fail_on, arguments.affirm, arguments.main_message, int(arguments.retries)
            )
            reaction = _judge(event, memory, wanted)
            if not arguments.no_log:
                keep(arguments.agent, event, memory, reaction, observed=arguments.observe)
            answer = known.answer(event, Reaction() if arguments.observe else reaction)
            if answer:
                sys.stdout.write(json.dumps(answer) + "\n")
                sys.stdout.flush()
    except Exception as error:  # noqa: BLE001  # no error of ours may stop an agent
        _note(f"internal error, please report it ({type(error).__name__}: {error})")
    return CLEAN


def _config_with_options(config: Mapping[str, Any], arguments: argparse.Namespace) -> str:
    """The settings of an agent, with the options of this command in the printed one."""
    import shlex

    from handoff_lsp.cli.plain import plain_arguments

    usual = vars(plain_arguments(["hook", arguments.agent]))
    options = []
    for name in ("fail_on", "affirm", "main_message", "retries", "config", "observe", "no_log", "lang"):
        value = getattr(arguments, name)
        if value != usual[name]:
            options += [f"--{name.replace('_', '-')}", *([] if value is True else [shlex.quote(str(value))])]
    command = f"handoff-lsp hook {arguments.agent}"
    text = json.dumps(config, indent=2)
    return text.replace(f'{command}"', f"{json.dumps(' '.join((command, *options)))[1:]}")


def _judge(event: HookEvent, memory: Memory, wanted: Wanted) -> Reaction:
    """The reaction; if the engine fails or cannot be loaded, a note that nothing was checked."""
    try:
        return judge(event, memory, wanted)
    except Exception as error:  # noqa: BLE001  # after any error the user must know that nothing was checked
        cannot = "the engine cannot be loaded" if isinstance(error, ImportError) else "internal error, please report it"
        _note(f"not checked: {cannot} ({type(error).__name__}: {error})")
        return not_checked(memory, because=cannot.partition(",")[0])


def _refuse_of_report(arguments: argparse.Namespace) -> None:
    """Refuse the options of ``hook report`` for an agent, and ``--observe`` without the log that it is for."""
    for option in ("since", "output_format"):
        if getattr(arguments, option) is not None:
            raise UsageError(f"`--{option.replace('_', '-')}` is for `hook report`", arguments.command)
    if arguments.observe and arguments.no_log:
        raise UsageError("`--observe` only writes the log, and `--no-log` writes none", arguments.command)


def _read(arguments: argparse.Namespace) -> Mapping[str, Any] | None:
    """The input; None if it is no valid input, which is reported on standard error."""
    given = getattr(arguments, "input", None)  # of a command line without options, it is read already
    text = sys.stdin.buffer.read(LARGEST + 1) if given is None else given
    if len(text) > LARGEST:
        _note(f"the input is larger than {LARGEST:,} bytes")
        return None
    try:
        data = json.loads(text.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        _note("the input is not JSON")
        return None
    if isinstance(data, dict):
        return data
    _note("the input is not a JSON object")
    return None


def _note(message: str) -> None:
    from handoff_lsp.cli.printable import printable

    print(f"handoff-lsp hook: {printable(message)}", file=sys.stderr)
