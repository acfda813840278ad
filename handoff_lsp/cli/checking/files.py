"""``--force-exclude``, ``--changed`` and ``--staged``: whether a file counts that no walk of a folder has found."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from handoff_lsp.cli.usage import UsageError
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk.walking import SUFFIXES, why_passed_over

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
    if base and os.path.exists(base) and not arguments.paths:
        branch = f"; if it is a branch, too, name it `refs/heads/{base}`" if base.isidentifier() else ""
        hint = f"for changed files in it, write `{base} --changed`{branch}"
        raise UsageError(f"`--changed {base}` names a path, not a commit: {hint}", arguments.command)
    from handoff_lsp.cli.checking.git_files import GitFiles  # not before it is needed

    return GitFiles(None if staged else base)


def is_walked(resolver: Resolver, folder: Path, file: Path) -> bool:
    """Whether a walk of a folder finds a file in it."""
    by_name = file.name.lower().endswith(SUFFIXES) or resolver.is_data_file(file)
    return by_name and not _why_passed_over(resolver, folder, file)


def why_left_out(resolver: Resolver, path: Path) -> str:
    """Why a walk from the root of its workspace passes over a file, in words; empty if it does not."""
    here = Path.cwd()
    root = here if path.is_relative_to(here) else resolver.root(path) or path.parent
    return _why_passed_over(resolver, root, path)


def _why_passed_over(resolver: Resolver, folder: Path, path: Path) -> str:
    above = path
    while above != folder and above != above.parent:
        if (pattern := resolver.excluding(above)) is not None:
            return f"excluded by `{pattern.pattern}`"
        above = above.parent
    return why_passed_over(folder, path)
