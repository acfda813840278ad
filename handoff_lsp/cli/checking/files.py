"""``--changed`` and ``--staged``: the files that git lists for the arguments."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from handoff_lsp.cli.usage import UsageError

if TYPE_CHECKING:
    import argparse

    from handoff_lsp.cli.checking.git_files import GitFiles


def git_files(arguments: argparse.Namespace) -> GitFiles | None:
    """The files that git lists for the arguments, None if all files are checked. Raises UsageError."""
    base, staged = getattr(arguments, "changed", None), getattr(arguments, "staged", False)
    if base is None and not staged:
        return None
    if base is not None and staged:
        raise UsageError("`--changed` includes staged files: use it, or `--staged`, but not both", arguments.command)
    option = "--staged" if staged else "--changed"
    if "-" in arguments.paths:
        raise UsageError(f"`{option}` is about files, so it cannot be used with `-`", arguments.command)
    if base == "":  # most likely a variable with nothing in it, and not all files since the last commit
        raise UsageError("`--changed` has an empty BASE; leave it out for the last commit", arguments.command)
    if isinstance(base, str) and os.path.exists(base) and not arguments.paths:
        branch = f"; if it is a branch, too, name it `refs/heads/{base}`" if base.isidentifier() else ""
        hint = f"for changed files in it, write `{base} --changed`{branch}"
        raise UsageError(f"`--changed {base}` names a path, not a commit: {hint}", arguments.command)
    from handoff_lsp.cli.checking.git_files import GitFiles  # not before it is needed

    return GitFiles("" if base is True else base)
