"""The options about fixes: which of them go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handoff_lsp.cli.usage import STDIN, UsageError

if TYPE_CHECKING:
    import argparse


def wants_fixes(arguments: argparse.Namespace) -> bool:
    """Whether fixes are to be applied or shown. Raises UsageError for options without their companions."""
    fixes: bool = arguments.fix or arguments.fix_only
    if arguments.unsafe_fixes and not (fixes or arguments.diff):
        raise UsageError("`--unsafe-fixes` needs `--fix` or `--diff`", "check")
    if arguments.exit_non_zero_on_fix and not fixes:
        raise UsageError("`--exit-non-zero-on-fix` needs `--fix`", "check")
    if arguments.exit_non_zero_on_fix and arguments.exit_zero:
        raise UsageError("`--exit-non-zero-on-fix` contradicts `--exit-zero`", "check")
    if (arguments.diff or arguments.fix_only) and arguments.output_format != "text":
        raise UsageError("`--output-format` needs findings, but `--diff` and `--fix-only` report none", "check")
    return fixes or bool(arguments.diff)


def writes_stdin(arguments: argparse.Namespace) -> bool:
    """Whether standard output is for the fixed text of standard input, so that findings go to standard error."""
    return STDIN in arguments.paths and (arguments.fix or arguments.fix_only) and not arguments.diff
