"""The arguments of the command lines without options that run most often: the parser would take a tenth of the time."""

from __future__ import annotations

from handoff_lsp.cli.hooks.agents import NAMES

TYPE_CHECKING = False  # as of `typing`, which a hook that has nothing to do would wait for
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

# The values of the options, and of what else the parser sets, as ``arguments/commands.py`` has them.
_HOOK: dict[str, Any] = {
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
_CHECK: dict[str, Any] = {
    "command": "check",
    "output_format": None,
    "statistics": False,
    "quiet": False,
    "color": "auto",
    "lang": None,
    "fail_on": "error",
    "exit_zero": False,
    "drift": False,
    "fix": False,
    "unsafe_fixes": False,
    "diff": False,
    "fix_only": False,
    "exit_non_zero_on_fix": False,
    "config": None,
    "force_exclude": False,
    "isolated": False,
    "examples": False,
    "changed": None,
    "staged": False,
    "stdin_filename": None,
    "agent": None,
    "baseline": None,
    "no_baseline": False,
    "no_cache": False,
    "cache_dir": None,
}
_LISTS = ("output", "select", "ignore", "severity", "exclude", "extend_exclude")


def plain_arguments(argv: Sequence[str]) -> argparse.Namespace | None:
    """The parsed arguments of ``hook AGENT`` and ``check PATH …``; None for any other command line: the parser's."""
    if len(argv) == 2 and argv[0] == "hook" and argv[1] in NAMES:
        return _namespace(agent=argv[1], **_HOOK)
    if argv and argv[0] == "check" and not any(one.startswith("-") for one in argv):
        return _namespace(paths=list(argv[1:]), **_CHECK, **{name: [] for name in _LISTS})
    return None


def _namespace(**values: Any) -> argparse.Namespace:
    from types import SimpleNamespace

    found: Any = SimpleNamespace(**values)
    return found  # type: ignore[no-any-return]
