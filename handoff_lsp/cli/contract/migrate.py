"""``handoff-lsp contract migrate``: rewrites contracts of an earlier language."""

from __future__ import annotations

import argparse
import difflib
from pathlib import Path

from handoff_lsp.cli.contract.files import contract_paths, print_error, shown
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.usage import CLEAN, FAILED, FINDINGS
from handoff_lsp.contracts.load import MAX_BYTES
from handoff_lsp.contracts.migrate import Migration, migrate
from handoff_lsp.contracts.registry import schemas_folder
from handoff_lsp.language import number_of
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text

_COMMAND = "contract migrate"


def migrate_contracts(arguments: argparse.Namespace) -> int:
    """Run the action. Returns the exit code."""
    paths = contract_paths(arguments, _COMMAND)
    dry = arguments.check or arguments.diff
    changed = left = failed = 0
    for path in paths:
        try:
            if path.parent == schemas_folder() / "contracts":
                raise UnreadableFile(path, "a built-in contract; name a file of your own")
            whole = read_text(path, limit=MAX_BYTES)
            before = whole.removeprefix("\ufeff")
            found = migrate(before)
            if found.text != before and not dry:
                _write(path, whole[: len(whole) - len(before)] + found.text)
        except UnreadableFile as error:
            print_error(f"{shown(path)}: {error.reason}")
            failed += 1
            continue
        except ValueError:
            print_error(f"{shown(path)}: not YAML, or no mapping; `handoff-lsp contract lint` gives the place")
            failed += 1
            continue
        changed += bool(found.changes)
        left += len(found.left)
        _print(path, before, found, diff=arguments.diff)
    done = f"{number_of(changed, 'contract')} of {len(paths)} {'would be ' if dry else ''}rewritten"
    print(f"{done}, {number_of(left, 'place')} left to change by hand." if left else f"{done}.")
    if failed:
        return FAILED
    return FINDINGS if left or (dry and changed) else CLEAN


def _write(path: Path, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise UnreadableFile(path, f"cannot be written: {error.strerror or error}") from error


def _print(path: Path, before: str, found: Migration, *, diff: bool) -> None:
    name = shown(path)
    if diff:
        lines = difflib.unified_diff(before.splitlines(), found.text.splitlines(), name, name, lineterm="")
        for line in lines:
            print(printable(line))
    elif found.changes:
        print(printable(f"{name}: {number_of(found.changes, 'change')}"))
    for problem in found.left:
        number = found.text.count("\n", 0, problem.span.start) + 1
        print(printable(f"{name}:{number}: {problem.message}"))
