"""``handoff-lsp sync``: keep the marked copies of Markdown documents equal to their contracts."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TextIO

from handoff_lsp.cli.checking.diff import colored, diff_of
from handoff_lsp.cli.output.utf8 import tell_skipped, write_utf8
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.run import Input, Run
from handoff_lsp.cli.usage import CLEAN, FAILED, FINDINGS, STDIN, UsageError
from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.fix_all import fixed
from handoff_lsp.language import number_of
from handoff_lsp.recognition.copies import read_copies
from handoff_lsp.recognition.paths import is_data_file
from handoff_lsp.rules.outdated_copy import RULE
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk.replacing import NotReplaced, replace_text


class _Synced(NamedTuple):
    """A document before and after the update of its copies, the number of updated ones, and what is left."""

    before: Analysis
    after: Analysis
    updated: int
    left: tuple[Finding, ...]


def sync(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    if STDIN in arguments.paths:
        raise UsageError("`sync` writes files: name files or folders", "sync")
    run = Run(Resolver(explicit=arguments.config), force_exclude=arguments.force_exclude)
    if not run.config_of_arguments_is_usable(arguments):
        return FAILED
    copies = updated = files = left = 0
    for target in run.targets(arguments.paths or ["."], None):
        made = _synced(run, target)
        if made is None:
            continue
        copies += len(read_copies(made.before.tree).copies)
        left += len(made.left)
        for finding in made.left:
            _print_left(run.shown(target), made.after, finding, sys.stderr if arguments.diff else sys.stdout)
        if made.updated and _done(run, target, made, arguments):
            updated += made.updated
            files += 1
    would = arguments.check or arguments.diff
    if not arguments.quiet:
        sys.stdout.flush()
        print(_summary(copies, updated, files, would=would), file=sys.stderr if arguments.diff else sys.stdout)
    tell_skipped(run.summary)
    if run.summary.broken:
        return FAILED
    return FINDINGS if left or (would and updated) else CLEAN


def _synced(run: Run, target: Input) -> _Synced | None:
    """A document with its copies updated; None without any, or if it cannot be read, which is printed."""
    if target.path is not None and is_data_file(target.path.name):
        return None
    text = run.read(target)
    if text is None or "handoff:" not in text:
        return None
    analysis = run.analysis(target, text)
    if analysis is None:
        return None
    try:
        after, updated = fixed(analysis, _is_copy)
    except Exception as error:  # noqa: BLE001  # the other files are still updated
        run.not_fixed(target, f"internal error, please report it ({type(error).__name__}: {error})")
        return None
    return _Synced(analysis, after, updated, tuple(filter(_is_copy, after.findings)))


def _is_copy(finding: Finding) -> bool:
    return finding.code == RULE.code


def _done(run: Run, target: Input, made: _Synced, arguments: argparse.Namespace) -> bool:
    """Write or show a changed document; whether that could be done."""
    name, before, after = run.shown(target), made.before.source.text, made.after.source.text
    if arguments.diff:
        lines = diff_of(name, before, after)
        write_utf8("".join(colored(lines) if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else lines))
    elif arguments.check:
        print(f"Would update: {printable(name)}")
    else:
        assert target.path is not None, "a path is missing"
        try:
            replace_text(target.path, before, after)
        except NotReplaced as error:
            run.not_fixed(target, error.reason)
            return False
    return True


def _print_left(name: str, analysis: Analysis, finding: Finding, to: TextIO) -> None:
    line, column = analysis.source.lines.position(finding.span.start)
    column -= int(line == 0 and analysis.source.text.startswith("\ufeff"))
    hint = f". {finding.hint}" if finding.hint else ""
    print(f"{printable(name)}:{line + 1}:{column + 1}: {printable(finding.message + hint)}", file=to)


def _summary(copies: int, updated: int, files: int, *, would: bool) -> str:
    if not copies:
        return "No marked copies."
    if not updated:
        return f"Nothing to update in {number_of(copies, 'copy', 'copies')}."
    done = "Would update" if would else "Updated"
    return f"{done} {number_of(updated, 'copy', 'copies')} in {number_of(files, 'file')}."
